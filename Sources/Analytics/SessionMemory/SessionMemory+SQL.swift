// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// The index of an app's sessions and what it was made of.
struct SessionMemory: Sendable {
    private(set) var index: SessionIndex?
    /// The recording of the feed that the index takes news from.
    private var recording = 0
    /// The number of erasures before the index was made.
    private var erasures = 0
    private var timeout = Timestamp.Span.seconds(0)
    /// The open day when the recording began. Parts of later files come from the feed alone.
    private var newest = Day(number: 0)
    private var held: Set<Day> = []
    /// The days of events in sealed files that are not held; nil for none.
    private var extents: [Day: ClosedRange<Day>?] = [:]
    /// The versions of files that may still grow.
    private var versions: [Day: VersionCodes] = [:]
    /// The end of a time in which the app is counted from stored parts.
    private var tooLargeUntil: ContinuousClock.Instant?
    private static let partsAtOnce = 100_000

    init(tooLargeUntil end: ContinuousClock.Instant? = nil) {
        tooLargeUntil = end
    }

    /// Brings the index up to date for a scan. Returns false if it cannot have all sessions.
    mutating func fill(_ context: QueryContext, _ scan: SessionScan, _ open: OpenSessions, _ removals: ErasureCount, limit: Int) throws -> Bool {
        if let end = tooLargeUntil, .now < end { return false }
        let days = try context.session.days()
        do {
            if try !update(context, scan, open, removals, days) { try begin(context, scan, open, removals) }
            guard index != nil, try addFiles(context, scan, days, limit) else {
                self = SessionMemory(tooLargeUntil: tooLargeUntil)
                return false
            }
        } catch {
            self = SessionMemory()
            throw error
        }
        if let index, index.bytes > limit { return giveUp() }
        return true
    }

    private mutating func giveUp() -> Bool {
        self = SessionMemory(tooLargeUntil: .now + .seconds(60))
        return false
    }

    /// Adds the news. Returns false if the index is not true any more.
    private mutating func update(
        _ context: QueryContext, _ scan: SessionScan, _ open: OpenSessions, _ removals: ErasureCount, _ days: [Day]
    ) throws -> Bool {
        guard index != nil, erasures == removals.now, timeout == scan.timeout, held.isSubset(of: days) else { return false }
        guard let news = open.news(of: context.app, recording) else { return false }
        for (day, parts) in news.parts { try add(parts, of: day, context) }
        for naming in news.namings { index?.add(naming) }
        return true
    }

    /// Begins a new index with the parts that the writer has in memory.
    private mutating func begin(_ context: QueryContext, _ scan: SessionScan, _ open: OpenSessions, _ removals: ErasureCount) throws {
        self = SessionMemory()
        (erasures, timeout) = (removals.now, scan.timeout)
        let (recording, before) = open.record(context.app)
        (self.recording, newest) = (recording, before.day)
        guard before.isComplete else { return }
        index = SessionIndex()
        var parts: [SessionPart] = []
        before.eachPart(of: context.app, Day(number: .min)...Day(number: .max), .min...(.max)) { parts.append($0) }
        try add(parts, of: newest, context)
    }

    /// Adds parts of a file that may still grow.
    private mutating func add(_ parts: [SessionPart], of day: Day, _ context: QueryContext) throws {
        if parts.isEmpty { return }
        var codes = versions[day] ?? VersionCodes()
        if parts.contains(where: { !codes.knows($0.context) }) {
            // Read after the parts are known, so that no part has a context without its version.
            try index?.read(&codes, of: day, context)
            for part in parts { codes.note(part.context) }
        }
        versions[day] = codes
        index?.add(parts, codes, .min...(.max), timeout: timeout.milliseconds)
    }

    // MARK: Files

    /// Reads the files with events on the days of a scan that are not held. Returns false if one has events that are in no part, or if there
    /// are too many parts.
    private mutating func addFiles(_ context: QueryContext, _ scan: SessionScan, _ days: [Day], _ limit: Int) throws -> Bool {
        let (around, app) = (SessionScan.days(around: scan.buckets), context.app)
        let absent = days.filter { $0 <= newest && !held.contains($0) }
        let unknown = absent.filter { $0 != newest && extents[$0] == nil }
        let found = try context.session.each(of: unknown) { file, day in (day, try file.sessionExtent(of: app)) }
        for (day, extent) in found {
            guard let extent else { return false }
            extents[day] = .some(extent.days)
        }
        let wanted = absent.filter { day in day == newest || extents[day].flatMap(\.self).map { $0.overlaps(around) } == true }
        if wanted.isEmpty { return true }
        var files: [(day: Day, chunks: SessionChunks)] = []
        for day in wanted {
            // A file that was removed meanwhile has nothing.
            if let chunks = try context.session.with(day, { try $0.chunks(app: app) }) { files.append((day, chunks)) }
        }
        let parts = files.reduce(0) { $0 + $1.chunks.parts }
        if parts * 48 > limit { return giveUp() }
        for (day, _) in files {
            var codes = versions[day] ?? VersionCodes()
            try index?.read(&codes, of: day, context)
            versions[day] = codes
            try context.session.with(day) { file in
                try file.eachAlias(of: app) { index?.add(.init(installation: $0, user: $1, time: $2)) }
            }
        }
        for range in StoredSessions.ranges(parts / SessionMemory.partsAtOnce + 1) {
            try add(files, range, context)
            if let index, index.bytes > limit { return giveUp() }
        }
        for day in wanted {
            held.insert(day)
            if day != newest { versions[day] = nil }
        }
        return true
    }

    private mutating func add(_ files: [(day: Day, chunks: SessionChunks)], _ range: ClosedRange<Int64>, _ context: QueryContext) throws {
        var pieces: [StoredPiece] = []
        for (day, chunks) in files {
            let codes = versions[day] ?? VersionCodes()
            try context.session.with(day) { file in
                try file.eachPart(of: chunks, range) { pieces.append(codes.piece($0)) }
            }
        }
        index?.add(pieces, range, timeout: timeout.milliseconds)
    }
}

/// The codes of versions by the number of their context in a file.
struct VersionCodes: Sendable {
    /// A code plus one by number; 0 for an unknown context.
    private var dense: [UInt32] = []
    private var others: [UInt32: UInt32] = [:]
    private static let limit = 1 << 20

    func knows(_ context: UInt32) -> Bool { code(of: context) != 0 }

    private func code(of context: UInt32) -> UInt32 {
        Int(context) < dense.count ? dense[Int(context)] : others[context] ?? 0
    }

    mutating func set(_ context: UInt32, _ code: UInt32) {
        guard context < VersionCodes.limit else { return others[context] = code + 1 }
        if Int(context) >= dense.count {
            dense += [UInt32](repeating: 0, count: max(Int(context) + 1 - dense.count, min(dense.count, VersionCodes.limit - dense.count)))
        }
        dense[Int(context)] = code + 1
    }

    /// Notes a context, which has no version if it is unknown.
    mutating func note(_ context: UInt32) {
        if !knows(context) { set(context, 0) }
    }

    /// Returns a part with its version's code instead of its context.
    func piece(_ part: SessionPart) -> StoredPiece {
        var piece = StoredPiece(part: part, value: max(1, code(of: part.context)) - 1)
        piece.part.context = 0
        return piece
    }
}

extension SessionIndex {
    /// Reads the versions of a file's contexts.
    fileprivate mutating func read(_ codes: inout VersionCodes, of day: Day, _ context: QueryContext) throws {
        let app = context.app
        let found = try context.session.with(day) { try $0.versions(app: app) } ?? [:]
        for (number, version) in found where !version.elementsEqual(BreakdownName.none.utf8) {
            codes.set(number, try values.code(of: version))
        }
    }

    fileprivate mutating func add(_ parts: [SessionPart], _ codes: VersionCodes, _ range: ClosedRange<Int64>, timeout: Int64) {
        add(parts.map(codes.piece), range, timeout: timeout)
    }

    /// Adds parts of the subjects in a range.
    fileprivate mutating func add(_ pieces: [StoredPiece], _ range: ClosedRange<Int64>, timeout: Int64) {
        var subjects = BySubject(pieces, in: range)
        subjects.each { add($0, timeout: timeout) }
    }
}
