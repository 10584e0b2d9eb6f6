// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Platform

extension RemovalCounts.Kind {
    package static let events = Self("events")
    package static let purchases = Self("purchases")
    package static let quarantined = Self("quarantined")
    package static let properties = Self("properties")
    /// Pairs of a user and an installation.
    package static let pairs = Self("pairs")
    /// Days whose files have rows of the person.
    package static let days = Self("days")
    /// Installations that leave with their user.
    package static let installations = Self("installations")
}

extension RemovalCounts {
    /// Whether a day's file had no rows of the person.
    fileprivate var isEmptyDay: Bool { self[.events] == 0 && self[.quarantined] == 0 }
}

/// The steps of an erasure on the files of events. `Stores.erase` in the module AcrossStores runs them.
extension EventStore {
    /// The extent of an erasure that has begun: events up to a number, in today's file and those of sealed days.
    package struct RemovalExtent: Sendable {
        fileprivate let last: Int64
        fileprivate let today: Day
    }

    /// Stores the person's keys and removes the profile. After an interruption the next attempt uses the stored keys.
    package func begin(_ removal: PersonRemoval, block: Bool) async throws -> (extent: RemovalExtent, RemovalCounts) {
        precondition(removal.keys.all.contains(removal.person), "an erasure covers at least the person's own key")
        let erasures = erasures
        let blocked = block ? keysToBlock(removal) : []
        return try await changeDirectory { context in
            erasures.rise()
            try context.keepLastSeq()
            try context.main.keep(removal)
            try context.main.block(blocked, removal, now: context.now)
            let counts = try context.main.removeProfile(removal, unfolded: context.unfolded)
            (context.removal, context.removedKeys) = (removal, removal.keys.all)
            return (RemovalExtent(last: context.lastSeq, today: context.day), counts)
        }
    }

    /// Returns the keys to block. Some SDKs have no installation ID and send the user ID in its place, so that form is blocked too.
    private func keysToBlock(_ removal: PersonRemoval) -> Set<UInt64> {
        let users = removal.members.filter { $0.kind == .user }
        return removal.keys.all.union(users.map { PersonID(.installation, $0.id).key(in: removal.app, hash) })
    }

    /// Removes the person's rows from today's file, then from those of sealed days, today's among them if midnight has passed.
    package func removeRows(of removal: PersonRemoval, within extent: RemovalExtent) async throws -> RemovalCounts {
        let removing = withdrawals.beginRemoving(removal, through: extent.last)
        defer { withdrawals.endRemoving(removing) }
        // A commit that began before does not know of the removal.
        try await turn()
        var counts = try await removeFromToday(extent, removal)
        var days: Set<Day> = counts.isEmptyDay ? [] : [extent.today]
        for day in try sealedDays.days() {
            let removed = try await remove(removal, from: day, through: extent.last)
            counts.add(removed)
            if !removed.isEmptyDay { days.insert(day) }
        }
        counts[.days] = days.count
        return counts
    }

    /// Removes rows from today's file, which only the writer of events may change.
    ///
    /// A reader finds up to 5,000 rows, and the writer removes them. The loop ends when the day ends, because the rest is removed with the
    /// sealed days.
    private func removeFromToday(_ extent: RemovalExtent, _ removal: PersonRemoval) async throws -> RemovalCounts {
        var counts = RemovalCounts()
        var after: Int64 = 0
        while true {
            let (seq, timeout) = (after, sessionTimeout(of: removal.app))
            let rows = try await readers.read(.large, seconds: ReaderPool.removalSeconds) {
                try $0.day(extent.today)?.rowsToRemove(
                    removal, after: seq, through: extent.last, sessionTimeout: timeout)
            }
            guard let rows, !rows.isEmpty else { return counts }
            let (hash, withdrawals) = (hash, withdrawals)
            let removed = try await change { context -> RemovalCounts? in
                guard context.day == extent.today else { return nil }
                context.removedKeys = []
                context.removedSubjects = rows.sessions.subjects
                context.unquarantined[removal.app] = try context.today.removeQuarantined(rows.quarantined, app: removal.app)
                return try context.today.remove(rows, removal, hash, withdrawn: withdrawals.rows(of: context.day))
            }
            guard let removed else { return counts }
            counts.add(removed)
            assert(rows.events.last.map { $0.seq > after } ?? true, "each piece of an erasure must go beyond the one before")
            after = rows.events.last?.seq ?? after
        }
    }

    private func remove(_ removal: PersonRemoval, from day: Day, through last: Int64) async throws -> RemovalCounts {
        var counts = RemovalCounts()
        let (hash, timeout, withdrawals) = (hash, sessionTimeout(of: removal.app), withdrawals)
        while true {
            let removed = try await sealedDays.write(to: day) { file -> RemovalCounts? in
                let rows = try file.rowsToRemove(removal, after: 0, through: last, sessionTimeout: timeout)
                if rows.isEmpty { return nil }
                _ = try file.removeQuarantined(rows.quarantined, app: removal.app)
                return try file.remove(rows, removal, hash, withdrawn: withdrawals.rows(of: day))
            }
            guard case .some(.some(let removed)) = removed else { return counts }
            counts.add(removed)
        }
    }

    private func sessionTimeout(of app: AppID) -> Timestamp.Span {
        .seconds(Int64((directory.now.apps[app]?.settings ?? AppSettings()).sessionTimeoutSeconds))
    }

    /// Drops counts that include the person and clears the traces in memory and in the logs.
    package func end(_ removal: PersonRemoval) async throws {
        for day in try sealedDays.days() { try await sealedDays.emptyLog(of: day) }
        let erasures = erasures
        try await change { context in
            erasures.rise()
            try context.main.dropPeopleCounts(of: removal.app)
            try context.main.forget(removal)
        }
        tail.forget()
        sealedDays.lookAgain()
        try await emptyOwnLogs()
    }

    /// Counts the person's profile and rows.
    package func survey(_ removal: PersonRemoval) async throws -> RemovalCounts {
        try await readers.read(.large, seconds: ReaderPool.removalSeconds) { session in
            var counts = try session.withMain { try $0.profileCounts(removal) }
            for day in try session.days() {
                guard let file = try session.day(day) else { continue }
                let found = try file.survey(removal)
                counts.add(found)
                if !found.isEmptyDay { counts[.days] += 1 }
            }
            return counts
        }
    }

    /// Accepts data of a person again. Returns false if the person was not blocked.
    package func unblock(_ person: PersonID, of app: AppID) async throws -> Bool {
        let key = person.key(in: app, hash)
        return try await changeDirectory { try $0.main.unblock(key, of: app) }
    }
}
