// SPDX-License-Identifier: Apache-2.0

import Analytics
package import AppDirectory
import CrashStore
import Database
import EventStore
import MessageStore
package import Platform
import SQLite

/// Erasure and anonymisation of a person across all stores.
///
/// An erasure may take minutes and changes several files without a common transaction, while intake goes on. Three rules make it complete
/// nevertheless. The main file stores the person's keys first (`departures`), so a repetition finds the same rows although the profile is
/// gone. Removal covers events up to the last sequence number at that time. Rows are removed in pieces of at most 5,000, so intake and
/// queries are served in between:
///
///     erase(user ana, block: true)
///       main.db        keys ana, i → departures, blocked; profile, properties, aliases removed
///       messages.db    registrations and their deliveries
///       crashes.db     reports
///       today's file   events 1 … last, by the writer of events
///       sealed days    each file, including today's if midnight passed meanwhile
///       main.db        counts of people dropped, departures removed, logs truncated
///
///     process killed after crashes.db; the same request again
///       main.db        keys ana, i read from departures; the steps above, from the start
///
/// Each step finds nothing to do if it was done before. Deleted rows are overwritten (`secure_delete`) and the write-ahead logs are
/// truncated, so the data is not left in free pages.
extension Stores {
    /// Removes all data of a person. Data that arrives after the start may remain unless the person is blocked.
    ///
    /// - Parameters:
    ///   - dryRun: Counts what would be removed, and removes nothing.
    ///   - block: Drops further data of the person.
    package func erase(_ person: PersonID, of app: AppID, dryRun: Bool = false, block: Bool = false) async throws -> RemovalReport {
        try await remove(person, of: app, .erasure, dryRun: dryRun, block: block)
    }

    /// Gives a person's events new keys that cannot be traced back, and removes everything that names the person.
    package func anonymise(_ person: PersonID, of app: AppID, dryRun: Bool = false) async throws -> RemovalReport {
        let params = Set(events.directory.now.apps[app]?.settings.privateParams ?? [])
        return try await remove(person, of: app, .anonymity(salt: .random(in: 1...UInt64.max), privateParams: params), dryRun: dryRun, block: false)
    }

    /// Accepts data of a person again. Returns false if the person was not blocked.
    package func unblock(_ person: PersonID, of app: AppID) async throws -> Bool {
        let key = person.key(in: app, events.hash)
        return try await events.changeDirectory { context in
            let lift = "DELETE FROM blocked WHERE app = ?1 AND (key = ?2 OR person = ?2)"
            try context.main.statement(lift).run(.integer(app.rawValue), .key(key))
            return context.main.changes > 0
        }
    }

    private func remove(_ person: PersonID, of app: AppID, _ kind: PersonRemoval.Kind, dryRun: Bool, block: Bool) async throws -> RemovalReport {
        try removalGate.enter()
        defer { removalGate.leave() }
        try await events.turn()
        let removal = try await removal(of: person, from: app, kind)
        if dryRun { return try await survey(removal) }
        let (last, today, begun) = try await begin(removal, block: block)
        var report = begun
        var days: Set<Day> = []
        func add(_ removed: RemovalReport, of day: Day) {
            report.add(removed)
            if !removed.isEmptyDay { days.insert(day) }
        }
        for store in companions { report.add(try await store.remove(removal)) }
        add(try await removeFromToday(today, removal, through: last), of: today)
        for day in try events.sealedDays.days() { add(try await remove(removal, from: day, through: last), of: day) }
        try await end(removal)
        report.days = days.count
        return report
    }

    // MARK: Steps

    /// Stores the person's keys and removes the profile. After an interruption the next attempt uses the stored keys.
    private func begin(_ removal: PersonRemoval, block: Bool) async throws -> (last: Int64, today: Day, RemovalReport) {
        precondition(removal.keys.all.contains(removal.person), "an erasure covers at least the person's own key")
        let erasures = events.erasures
        let blocked = block ? keysToBlock(removal) : []
        return try await events.changeDirectory { context in
            erasures.rise()
            try context.keepLastSeq()
            try context.main.keep(removal)
            try context.main.block(blocked, removal, now: context.now)
            let report = try context.main.removeProfile(removal, unfolded: context.unfolded)
            context.removedKeys = removal.keys.all
            return (context.lastSeq, context.day, report)
        }
    }

    /// Returns the keys to block. Some SDKs have no installation ID and send the user ID in its place, so that form is blocked too.
    private func keysToBlock(_ removal: PersonRemoval) -> Set<UInt64> {
        let users = removal.members.filter { $0.kind == .user }
        return removal.keys.all.union(users.map { PersonID(.installation, $0.id).key(in: removal.app, events.hash) })
    }

    /// Removes rows from today's file, which only the writer of events may change.
    ///
    /// A reader finds up to 5,000 rows, and the writer removes them. The loop ends when the day ends, because the rest is removed with the
    /// sealed days.
    private func removeFromToday(_ day: Day, _ removal: PersonRemoval, through last: Int64) async throws -> RemovalReport {
        var report = RemovalReport()
        var after: Int64 = 0
        while true {
            let seq = after
            let rows = try await readers.read(.large, seconds: 120) { try $0.day(day)?.rowsToRemove(removal, after: seq, through: last) }
            guard let rows, !rows.isEmpty else { return report }
            let hash = events.hash
            let removed = try await events.change { context -> RemovalReport? in
                guard context.day == day else { return nil }
                context.removedKeys = []
                context.unquarantined[removal.app] = try context.today.removeQuarantined(rows.quarantined, app: removal.app)
                return try context.today.remove(rows, removal, hash)
            }
            guard let removed else { return report }
            report.add(removed)
            assert(rows.events.last.map { $0.seq > after } ?? true, "each piece of an erasure must go beyond the one before")
            after = rows.events.last?.seq ?? after
        }
    }

    private func remove(_ removal: PersonRemoval, from day: Day, through last: Int64) async throws -> RemovalReport {
        var report = RemovalReport()
        let hash = events.hash
        while true {
            let removed = try await events.sealedDays.write(to: day) { file -> RemovalReport? in
                let rows = try file.rowsToRemove(removal, after: 0, through: last)
                if rows.isEmpty { return nil }
                _ = try file.removeQuarantined(rows.quarantined, app: removal.app)
                return try file.remove(rows, removal, hash)
            }
            guard case .some(.some(let removed)) = removed else { return report }
            report.add(removed)
        }
    }

    /// Drops counts that include the person and clears the traces in memory and in the logs.
    private func end(_ removal: PersonRemoval) async throws {
        let erasures = events.erasures
        try await events.change { context in
            erasures.rise()
            try context.main.dropPeopleCounts(of: removal.app)
            try context.main.forget(removal)
            context.emptiesLogs = true
        }
        events.tail.forget()
        events.sealedDays.lookAgain()
        // Logs are truncated after a commit. This one waits until that is done.
        try await events.turn()
    }

    private func survey(_ removal: PersonRemoval) async throws -> RemovalReport {
        var surveyed = RemovalReport()
        for store in companions { surveyed.add(try await store.survey(removal)) }
        return try await readers.read(.large, seconds: 120) { [surveyed] session in
            var report = try session.withMain { try $0.profileReport(removal) }
            report.add(surveyed)
            for day in try session.days() {
                guard let file = try session.day(day) else { continue }
                let found = try file.survey(removal)
                report.add(found)
                if !found.isEmptyDay { report.days += 1 }
            }
            return report
        }
    }
}
