// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
package import Platform
import SQLite
import Synchronization

/// The events and bytes that each app has sent on the running UTC day, for the operator's limits.
///
/// It is kept in memory and written once a minute and at the end, so that no request causes a write. A kill loses at most the last minute.
package final class AppUses: Sendable {
    private struct Use {
        var day: AppDayUse
        var isSaved: Bool
        var counts = AppEventCounts()
        var rate = RateMeter()

        init(day: AppDayUse, isSaved: Bool = true) {
            (self.day, self.isSaved) = (day, isSaved)
        }
    }

    private let uses: Mutex<[AppID: Use]>

    init(_ saved: [AppID: AppDayUse]) {
        uses = Mutex(saved.mapValues { Use(day: $0) })
    }

    /// Takes a request's events and bytes, or nothing. Returns the limit that does not suffice.
    package func take(_ events: Int, bytes: Int, _ app: App, at now: Timestamp) -> AppQuota.Limit? {
        uses.withLock { uses in
            let today = Day(of: now)
            if let excess = uses[app.id, default: Use(day: AppDayUse(day: today))].day.take(events, bytes: bytes, app.settings.quota, on: today) {
                return excess
            }
            uses[app.id]?.isSaved = false
            return nil
        }
    }

    /// Counts the events of committed requests.
    func committed(_ outcomes: [(app: AppID, outcome: EventOutcome)], at now: Timestamp) {
        let second = now.milliseconds.flooredQuotient(by: 1_000)
        uses.withLock { uses in
            for (app, outcome) in outcomes {
                uses[app, default: Use(day: AppDayUse(day: Day(of: now)))].counts.add(outcome)
                uses[app]?.rate.add(outcome.accepted, at: second)
            }
        }
    }

    /// Returns what an app has sent today, its events since the start, and those per second in the last minute.
    package func now(_ app: AppID, at now: Timestamp) -> (today: AppDayUse, counts: AppEventCounts, perSecond: Double) {
        uses.withLock { uses in
            let today = Day(of: now)
            var use = uses[app] ?? Use(day: AppDayUse(day: today))
            let rate = use.rate.perSecond(at: now.milliseconds.flooredQuotient(by: 1_000))
            return (use.day.day < today ? AppDayUse(day: today) : use.day, use.counts, rate)
        }
    }

    fileprivate var unsaved: [AppID: AppDayUse] {
        uses.withLock { uses in uses.filter { !$0.value.isSaved }.mapValues(\.day) }
    }

    fileprivate func noteSaved(_ saved: [AppID: AppDayUse]) {
        uses.withLock { uses in
            for (app, day) in saved where uses[app]?.day == day { uses[app]?.isSaved = true }
        }
    }

    /// Forgets deleted apps.
    func keep(only directory: Directory) {
        uses.withLock { $0 = $0.filter { directory.apps[$0.key] != nil } }
    }
}

/// The events of an app since the start of the daemon.
package struct AppEventCounts: Sendable {
    package private(set) var accepted = 0
    package private(set) var duplicates = 0
    package private(set) var quarantined = 0

    fileprivate mutating func add(_ outcome: EventOutcome) {
        accepted += outcome.accepted
        duplicates += outcome.duplicates
        quarantined += outcome.quarantined
    }
}

/// The events and bytes that an app has sent on a UTC day.
package struct AppDayUse: Sendable, Equatable {
    package private(set) var day: Day
    /// Events, users and crashes.
    package private(set) var events: Int
    /// Bytes of decoded request bodies.
    package private(set) var bytes: Int

    package init(day: Day, events: Int = 0, bytes: Int = 0) {
        (self.day, self.events, self.bytes) = (day, events, bytes)
    }

    /// Takes both, or nothing. Returns the limit that does not suffice.
    ///
    ///     limit 100 events, used 98     3 events → `events`, used 98     2 events → nil, used 100
    package mutating func take(_ events: Int, bytes: Int, _ quota: AppQuota, on today: Day) -> AppQuota.Limit? {
        // A clock that was set back does not begin a day anew.
        if day < today { self = AppDayUse(day: today) }
        if quota.eventsPerDay > 0, self.events + events > quota.eventsPerDay { return .events }
        if quota.bytesPerDay > 0, self.bytes + bytes > quota.bytesPerDay { return .bytes }
        self.events += events
        self.bytes += bytes
        return nil
    }
}

extension EventStore {
    /// Writes the uses of apps that are only in memory. Called every minute and at the end.
    package func saveAppUses() async throws {
        appUses.keep(only: directory.now)
        let unsaved = appUses.unsaved
        guard !unsaved.isEmpty else { return }
        try await change { context in
            let save = try context.main.statement("INSERT OR REPLACE INTO app_uses (app, day, events, bytes) VALUES (?, ?, ?, ?)")
            for (app, use) in unsaved {
                try save.run(.integer(app.rawValue), .integer(Int64(use.day.number)), .integer(use.events), .integer(use.bytes))
            }
        }
        appUses.noteSaved(unsaved)
    }
}

extension MainDB {
    func appUses() throws -> [AppID: AppDayUse] {
        let rows = try statement("SELECT app, day, events, bytes FROM app_uses").all { row in
            (AppID(rawValue: row.integer(0)), AppDayUse(day: Day(number: Int32(clamping: row.integer(1))), events: row.int(2), bytes: row.int(3)))
        }
        return Dictionary(rows) { $1 }
    }
}

extension DayDB {
    /// Returns the number of an app's rows in the file: its events, and its quarantined records that are kept.
    package func rows(of app: AppID) throws -> Int64 {
        try statement(
            """
            SELECT (SELECT ifnull(sum(count), 0) FROM rollups WHERE app = ?1 AND metric = \(sql: RollupMetric.events) AND grain = \(sql: Grain.day))
                + (SELECT ifnull(sum(kept), 0) FROM quarantine_counts WHERE app = ?1)
            """
        ).first(.integer(app.rawValue)) { $0.integer(0) } ?? 0
    }
}
