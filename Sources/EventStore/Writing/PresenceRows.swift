// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import SQLite

/// When somebody was first there: a fact for the main file, idempotent by taking the minimum.
package struct PersonFact: Sendable {
    var app: Int64
    var key: UInt64
    var kind: IDRows.Kind
    var text: [UInt8]
    /// The start of the quarter-hour.
    var firstSeen: Int64
}

/// Who was there, and under what names: the part of a commit that says something only when it is news.
struct PresenceRows {
    /// First sightings of this transaction.
    private var people: [PersonFact] = []
    private let texts = IDRows()
    private let actives = ActiveRows()
    private var quarters = ActiveQuarters()
    private var known = KeySet()

    /// Texts remembered as stored before the memory is emptied; they are then written, and ignored, once more.
    private static let knownLimit = 750_000
    private static let quarter: Int64 = 900_000

    mutating func add(_ record: EventRecord, of submission: EventSubmission) {
        remember(record.sessionKey, .session, record.session, of: submission)
        guard record.userKey != 0 || record.installationKey != 0 else { return }
        remember(record.userKey, .user, record.user, of: submission)
        remember(record.installationKey, .installation, record.installation, of: submission)

        let day = Day(of: record.time)
        let quarter = Int((record.time.milliseconds - day.start.milliseconds) / PresenceRows.quarter)
        let entry = ActiveQuarters.Entry(
            app: submission.app.rawValue, day: day.number, installation: record.installationKey, user: record.userKey)
        let news = quarters.mark(entry, quarter: quarter)
        if news == .none { return }
        actives.rows.append(.init(entry: entry, bits: .init(quarter: quarter)))
        if news == .earliest {
            let start = day.start.milliseconds + Int64(quarter) * PresenceRows.quarter
            fact(record.userKey, .user, record.user, start, of: submission)
            fact(record.installationKey, .installation, record.installation, start, of: submission)
        }
    }

    func write(to file: DayFile) throws {
        try file.batch.insert(texts, IDRows.insert)
        try file.batch.insert(actives, ActiveRows.insert)
    }

    /// Hands over the first sightings once they are committed.
    mutating func takePeople() -> [PersonFact] {
        defer { people = [] }
        return people
    }

    var rowCount: Int { actives.rowCount }

    mutating func clear() {
        people.removeAll(keepingCapacity: true)
        texts.rows.removeAll(keepingCapacity: true)
        actives.rows.removeAll(keepingCapacity: true)
    }

    /// Empties the memories: after a transaction that did not happen, and for a new day's file.
    mutating func forget() {
        quarters.removeAll()
        known = KeySet()
    }

    private mutating func remember(_ key: UInt64, _ kind: IDRows.Kind, _ text: ByteRange, of submission: EventSubmission) {
        guard key != 0, known.insert(key) else { return }
        if known.count > PresenceRows.knownLimit { known = KeySet() }
        texts.rows.append(.init(key: key, app: submission.app.rawValue, kind: kind, text: Array(submission.bytes(text))))
    }

    private mutating func fact(_ key: UInt64, _ kind: IDRows.Kind, _ text: ByteRange, _ start: Int64, of submission: EventSubmission) {
        if key == 0 { return }
        people.append(
            PersonFact(app: submission.app.rawValue, key: key, kind: kind, text: Array(submission.bytes(text)), firstSeen: start))
    }
}
