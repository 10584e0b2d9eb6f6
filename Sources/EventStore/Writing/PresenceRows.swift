// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import SQLite

/// The first sighting of a user or installation, for the main file.
///
/// Idempotent: the main file keeps the minimum.
package struct PersonFact: Sendable {
    var app: Int64
    var key: UInt64
    var kind: IDRows.Kind
    var text: [UInt8]
    /// The start of its quarter-hour.
    var firstSeen: Int64
}

/// The presence and identity rows of a commit.
///
/// A row is gathered only if the caches do not know it as stored yet.
///
/// Most events repeat a known person in a known quarter-hour and add no row. Three events of a user u:
///
///     08:05    text of u to `ids`; bit 32 to `presence`; a `PersonFact` with 08:00 for the main file
///     08:10    nothing
///     08:20    bit 33 to `presence`
///
/// Rows go to the day's file in the same transaction as their events. The facts follow later, folded into the main file (`Unfolded`).
struct PresenceRows {
    /// First sightings of this transaction.
    private var people: [PersonFact] = []
    private let texts = IDRows()
    private let actives = ActiveRows()
    private var quarters = ActiveQuarters()
    private var known = KeySet()
    /// The persons of this transaction by minute, without those whose last sighting was in the same minute.
    private(set) var sightings: [RecentPeople.Sighting] = []

    /// The number of texts in the cache at which it is emptied.
    ///
    /// They are then written again, and the first row of a key counts.
    private static let knownLimit = 750_000
    private static let quarter = QuarterHour.milliseconds

    mutating func add(_ record: EventRecord, of submission: EventSubmission) {
        remember(record.sessionKey, .session, record.session, of: submission)
        guard record.userKey != 0 || record.installationKey != 0 else { return }
        remember(record.userKey, .user, record.user, of: submission)
        remember(record.installationKey, .installation, record.installation, of: submission)

        let day = Day(of: record.time)
        let quarter = Int((record.time.milliseconds - day.start.milliseconds) / PresenceRows.quarter)
        let entry = ActiveQuarters.Entry(
            app: submission.app.rawValue, day: day.number, installation: record.installationKey, user: record.userKey)
        let minute = RecentPeople.minute(record.time.milliseconds)
        let (effect, isNewMinute) = quarters.mark(entry, quarter: quarter, minute: minute)
        if isNewMinute {
            sightings.append(.init(app: entry.app, installation: entry.installation, user: entry.user, minute: minute))
        }
        if effect == .none { return }
        actives.rows.append(.init(entry: entry, bits: .init(quarter: quarter)))
        if effect == .earliest {
            let start = day.start.milliseconds + Int64(quarter) * PresenceRows.quarter
            fact(record.userKey, .user, record.user, start, of: submission)
            fact(record.installationKey, .installation, record.installation, start, of: submission)
        }
    }

    func write(to file: DayFile) throws {
        try file.batch.insert(texts, IDRows.insert)
        try file.batch.insert(actives, ActiveRows.insert)
    }

    /// Removes and returns the first sightings, after their commit.
    mutating func takePeople() -> [PersonFact] {
        defer { people = [] }
        return people
    }

    var rowCount: Int { actives.rowCount }
    var rows: [ActiveRows.Row] { actives.rows }

    mutating func clear() {
        people.removeAll(keepingCapacity: true)
        texts.rows.removeAll(keepingCapacity: true)
        actives.rows.removeAll(keepingCapacity: true)
        sightings.removeAll(keepingCapacity: true)
    }

    /// Empties the caches, after a rollback or for the file of a new day.
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
