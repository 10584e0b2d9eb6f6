// SPDX-License-Identifier: Apache-2.0

import Analytics
package import AppDirectory
import CrashStore
import Database
import EventStore
import MessageStore
package import Platform
import SQLite

extension Stores {
    /// Removes everything of a person, or with `dryRun` says how much that would be. What comes in of them after it began may stay, unless
    /// they are blocked.
    package func erase(_ person: PersonID, of app: AppID, dryRun: Bool = false, block: Bool = false) async throws -> DepartureReport {
        try await depart(person, of: app, .erasure, dryRun: dryRun, block: block)
    }

    /// Gives a person's events new keys that nothing leads to, and removes what names them.
    package func anonymise(_ person: PersonID, of app: AppID, dryRun: Bool = false) async throws -> DepartureReport {
        let params = Set(events.directory.now.apps[app]?.settings.privateParams ?? [])
        return try await depart(person, of: app, .anonymity(salt: .random(in: 1...UInt64.max), privateParams: params), dryRun: dryRun, block: false)
    }

    /// Takes in again what comes of a person; false where they were not blocked.
    package func unblock(_ person: PersonID, of app: AppID) async throws -> Bool {
        let key = person.key(in: app, events.hash)
        return try await events.changeDirectory { context in
            let lift = "DELETE FROM blocked WHERE app = ?1 AND (key = ?2 OR person = ?2)"
            try context.main.statement(lift).run(.integer(app.rawValue), .key(key))
            return context.main.changes > 0
        }
    }

    private func depart(_ person: PersonID, of app: AppID, _ kind: Departure.Kind, dryRun: Bool, block: Bool) async throws -> DepartureReport {
        try removalGate.enter()
        defer { removalGate.leave() }
        try await events.turn()
        let departure = try await departure(of: person, from: app, kind)
        if dryRun { return try await survey(departure) }
        let (last, today, begun) = try await begin(departure, block: block)
        var report = begun
        var days: Set<Day> = []
        func add(_ removed: DepartureReport, of day: Day) {
            report.add(removed)
            if !removed.isEmptyDay { days.insert(day) }
        }
        report.add(try await messages.depart(departure))
        report.add(try await crashes.depart(departure))
        add(try await removeFromToday(today, departure, through: last), of: today)
        for day in try events.closed.days() { add(try await remove(departure, from: day, through: last), of: day) }
        try await end(departure)
        report.days = days.count
        return report
    }

    // MARK: Steps

    /// The main file first: a kill leaves the keys there, by which the next try finds the same rows.
    private func begin(_ departure: Departure, block: Bool) async throws -> (last: Int64, today: Day, DepartureReport) {
        let erasures = events.erasures
        let blocked = block ? keysToBlock(departure) : []
        return try await events.changeDirectory { context in
            erasures.rise()
            try context.keepLastSeq()
            try context.main.keep(departure)
            try context.main.block(blocked, departure, now: context.now)
            let report = try context.main.removeProfile(departure, unfolded: context.unfolded)
            context.departed = departure.keys.all
            return (context.lastSeq, context.day, report)
        }
    }

    /// SDKs that know no installation send the user's id in its place: nobody shall come in by that either.
    private func keysToBlock(_ departure: Departure) -> Set<UInt64> {
        let users = departure.members.filter { $0.kind == .user }
        return departure.keys.all.union(users.map { PersonID(.installation, $0.id).key(in: departure.app, events.hash) })
    }

    /// The writer removes what a reader has found, some thousand rows at a time, so that others are served in between. Ends early where the
    /// day does: the rest is done among the days that are over.
    private func removeFromToday(_ day: Day, _ departure: Departure, through last: Int64) async throws -> DepartureReport {
        var report = DepartureReport()
        var after: Int64 = 0
        while true {
            let seq = after
            let rows = try await readers.read(.large, seconds: 120) { try $0.day(day)?.departing(departure, after: seq, through: last) }
            guard let rows, !rows.isEmpty else { return report }
            let hash = events.hash
            let removed = try await events.change { context -> DepartureReport? in
                guard context.day == day else { return nil }
                context.departed = []
                context.unquarantined[departure.app] = try context.today.removeQuarantined(rows.quarantined, app: departure.app)
                return try context.today.remove(rows, departure, hash)
            }
            guard let removed else { return report }
            report.add(removed)
            after = rows.events.last?.seq ?? after
        }
    }

    private func remove(_ departure: Departure, from day: Day, through last: Int64) async throws -> DepartureReport {
        var report = DepartureReport()
        let hash = events.hash
        while true {
            let removed = try await events.closed.write(to: day) { file -> DepartureReport? in
                let rows = try file.departing(departure, after: 0, through: last)
                if rows.isEmpty { return nil }
                _ = try file.removeQuarantined(rows.quarantined, app: departure.app)
                return try file.remove(rows, departure, hash)
            }
            guard case .some(.some(let removed)) = removed else { return report }
            report.add(removed)
        }
    }

    /// Numbers that were counted with the person in them are counted anew, and nothing of the person stays in memory or in a log.
    private func end(_ departure: Departure) async throws {
        let erasures = events.erasures
        try await events.change { context in
            erasures.rise()
            try context.main.dropPeopleCounts(of: departure.app)
            try context.main.forget(departure)
            context.emptiesLogs = true
        }
        events.tail.forget()
        events.closed.lookAgain()
        // The logs are emptied behind a commit; with the next one that is done.
        try await events.turn()
    }

    private func survey(_ departure: Departure) async throws -> DepartureReport {
        let reached = try await messages.survey(departure)
        let crashed = try await crashes.survey(departure)
        return try await readers.read(.large, seconds: 120) { session in
            var report = try session.withMain { try $0.profileReport(departure) }
            report.add(reached)
            report.add(crashed)
            for day in try session.days() {
                guard let file = try session.day(day) else { continue }
                let found = try file.survey(departure)
                report.add(found)
                if !found.isEmptyDay { report.days += 1 }
            }
            return report
        }
    }
}
