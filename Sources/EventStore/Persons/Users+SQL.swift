// SPDX-License-Identifier: Apache-2.0

import Database
package import Events
import Platform
import SQLite

extension EventStore {
    /// Stores a request's updates of persons.
    ///
    /// The newest value of each property wins, in whatever order the updates arrive.
    @discardableResult
    package func submit(_ submission: UserSubmission) async throws -> EventOutcome {
        let app = submission.app
        let (presence, recent, sessions, now) = (presence, recent, sessions, clock.now())
        let kept = try await change(of: app, bytes: submission.bytesHeld) { context -> KeptUpdates in
            var kept = KeptUpdates(day: context.day)
            for update in submission.updates {
                if try context.main.isBlocked([update.userKey, update.installationKey]) {
                    kept.blocked.append(update)
                    continue
                }
                try context.main.keep(update, app: app.rawValue)
                kept.firsts += update.firstSightings
                if let alias = Alias(update, app: app), try context.keep(alias) { kept.aliases.append(alias) }
            }
            return kept
        } committed: { kept in
            presence.firstSeen(kept.firsts, of: app)
            presence.committed(kept.aliases.map(\.presence), in: kept.day)
            recent.committed(kept.aliases.map(\.sighting), at: now)
            sessions.committed(kept.aliases)
        }
        let quarantined = kept.blocked.map { QuarantinedEvent(verdict: .blocked(index: $0.index, id: nil), raw: .none, time: nil) }
        if quarantined.isEmpty && submission.quarantined.isEmpty { return submission.outcome }
        let apart = try await submit(
            EventSubmission(
                app: submission.app, received: submission.received, body: submission.body, arena: [], contexts: [], records: [],
                quarantined: quarantined + submission.quarantined, corrections: [], source: .users))
        return submission.outcome(except: apart.verdicts)
    }
}

/// The outcome of a request's updates in a commit.
private struct KeptUpdates: Sendable {
    let day: Day
    var blocked: [UserUpdate] = []
    var firsts: [PresenceFeed.FirstSighting] = []
    var aliases: [Alias] = []
}

extension Timestamp {
    /// The start of the quarter-hour in milliseconds.
    fileprivate var startOfQuarter: Int64 { milliseconds.flooredQuotient(by: QuarterHour.milliseconds) * QuarterHour.milliseconds }
}

extension UserUpdate {
    /// The update says that its person was there.
    fileprivate var firstSightings: [PresenceFeed.FirstSighting] {
        [userKey, installationKey].filter { $0 != 0 }.map { .init(key: $0, time: time.startOfQuarter) }
    }
}

extension MainDB {
    fileprivate func keep(_ update: UserUpdate, app: Int64) throws {
        let seen = Value.integer(update.time.startOfQuarter)
        try remember(app, update.userKey, .user, update.user, seen)
        try remember(app, update.installationKey, .installation, update.installation, seen)
        let person = update.userKey != 0 ? update.userKey : update.installationKey
        if person != 0 {
            try keepLatest(app, person, update.userKey != 0 ? .user : .installation, update.time.startOfQuarter)
        }
        // Values that are set once have a negative time: they are older than any other value, and the earliest of them is the newest.
        let time = update.once ? -update.time.milliseconds : update.time.milliseconds
        // At equal times a deletion wins, otherwise the greater value, so the order of arrival does not matter.
        for property in update.properties {
            try statement(
                """
                INSERT INTO properties (app, person, name, value, time) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET value = excluded.value, time = excluded.time
                WHERE excluded.time > time OR excluded.time = time AND ifnull(excluded.value > value, excluded.value IS NULL)
                """
            ).run(
                .integer(app), .key(person), .text(property.name), property.value.map { .utf8($0) } ?? .null, .integer(time))
        }
        if update.alias && update.userKey != 0 && update.installationKey != 0 {
            try statement(
                """
                INSERT INTO aliases (app, installation, user, time) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET time = min(time, excluded.time)
                """
            ).run(.integer(app), .key(update.installationKey), .key(update.userKey), .integer(update.time.milliseconds))
        }
    }

    private func remember(_ app: Int64, _ key: UInt64, _ kind: IDRows.Kind, _ text: String?, _ seen: Value) throws {
        guard key != 0, let text else { return }
        try statement(
            """
            INSERT INTO people (app, key, kind, id, first_seen) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET first_seen = min(first_seen, excluded.first_seen)
            """
        ).run(.integer(app), .key(key), .integer(kind.rawValue), .text(text), seen)
    }
}
