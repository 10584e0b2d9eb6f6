// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
import Platform
import SQLite

/// The properties of an event that sessions count.
struct SessionMark: OptionSet, Sendable {
    let rawValue: UInt8

    static let view = SessionMark(rawValue: 1)
    static let sale = SessionMark(rawValue: 2)
    static let crash = SessionMark(rawValue: 4)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Returns the mark of an event's name.
    init(_ name: [UInt8]) {
        switch EventKind(name: name.span) {
        case .screenView: self = .view
        case .purchase, .inAppPurchase: self = .sale
        case .custom: self = name.elementsEqual(SessionMark.crashName.utf8) ? .crash : []
        default: self = []
        }
    }

    /// Returns the mark of a decoded event.
    init(of record: EventRecord, in submission: EventSubmission) {
        switch record.kind {
        case .screenView: self = .view
        case .purchase, .inAppPurchase: self = .sale
        case .custom where record.name.count == SessionMark.crashName.utf8.count: self.init(Array(submission.bytes(record.name)))
        default: self = []
        }
    }

    /// The event by which a client reports that a session ended in a crash.
    static let crashName = "session_crash"
}

extension SessionPart {
    /// Creates the part of a stored event; nil if it has no subject.
    init?(user: UInt64, installation: UInt64, session: UInt64, time: Int64, context: UInt32, seq: Int64, _ mark: SessionMark) {
        let subject = SessionSubject.key(user: user, installation: installation)
        if subject == 0 { return nil }
        self.init(subject: subject, session: session, time: time, user: user)
        self.context = context
        flags = mark.contains(.crash) ? .crash : mark.contains(.sale) ? [.activity, .sale] : .activity
        if mark.contains(.view) { views = ViewNumbers(of: seq) }
    }
}

/// The session timeouts of apps.
struct SessionTimeouts: Sendable {
    private let directory: Directory

    init(_ directory: Directory) {
        self.directory = directory
    }

    /// The timeout of an app in milliseconds. Parts of an app that was just deleted are never read.
    subscript(app: Int64) -> Int64 {
        Int64((directory.apps[AppID(rawValue: app)]?.settings ?? AppSettings()).sessionTimeoutSeconds) * 1_000
    }
}

/// Reads a file's events as parts of sessions.
struct SessionReader {
    private let file: DayDB
    private let app: AppID
    private var marks: [Int64: SessionMark] = [:]
    private let texts: FileTexts

    init(_ file: DayDB, _ app: AppID) throws {
        self.file = file
        self.app = app
        texts = FileTexts(file)
        try file.statement("SELECT id, text FROM words WHERE app = ? AND kind = ?").each([
            .integer(app.rawValue), .integer(WordTable.Kind.name.rawValue),
        ]) { row in
            let mark = SessionMark(row.bytes(1))
            if !mark.isEmpty { marks[row.integer(0)] = mark }
        }
    }

    /// The columns that `part` needs.
    static let columns: EventColumns = [.seq, .name, .time, .context, .keys]

    func part(_ batch: EventBatch, _ row: Int) -> SessionPart? {
        SessionPart(
            user: batch.users[row], installation: batch.installations[row], session: batch.sessions[row], time: batch.times[row],
            context: UInt32(truncatingIfNeeded: batch.contexts[row]), seq: batch.seqs[row], marks[batch.names[row]] ?? [])
    }

    /// Returns the version of a context.
    func version(_ context: UInt32) -> [UInt8]? { try? texts.context(Int64(context))[SessionReader.versionField] }

    private static let versionField = EventContext.fields.firstIndex(of: "app_version") ?? 0

    /// Adds the events with numbers in a range.
    func fold(_ seqs: ClosedRange<Int64>, into fold: inout SessionFold, timeout: Int64) throws {
        let range: [EventCondition] = [
            .seq(.greaterOrEqual, .integer(seqs.lowerBound)), .seq(.lessOrEqual, .integer(seqs.upperBound)),
        ]
        try file.source(EventRequest(app, SessionReader.columns, where: range), withdrawn: .included).eachBatch { batch in
            for row in batch.rows {
                if let part = part(batch, row) { fold.add(part, app: app.rawValue, timeout: timeout, version: version) }
            }
        }
    }
}

extension DayDB {
    /// Adds the events with numbers in a range, of all apps.
    func fold(_ seqs: ClosedRange<Int64>, into fold: inout SessionFold, _ timeouts: SessionTimeouts) throws {
        for app in try apps() {
            try SessionReader(self, app).fold(seqs, into: &fold, timeout: timeouts[app.rawValue])
        }
    }
}
