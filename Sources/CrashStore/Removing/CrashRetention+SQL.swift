// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
package import Platform
import SQLite

extension CrashStore {
    /// Applies data retention: removes old reports, then issues that have had none for long. Returns the number of reports.
    ///
    ///     report of 90 days ago, retention 90 days   row and document removed
    ///         issue 7                                count unchanged, people −1
    ///         past_crashes                           +1 in its quarter-hour, kind and release, for crash-free figures
    ///     issue 8 without reports for 400 days       removed; at once if the app has its maximum number of issues
    package func retain(_ apps: [App]) async throws -> Int {
        var removed = 0
        try await change { try $0.redateUnset() }
        for app in apps {
            while case let count = try await change({ try $0.removeChunk(of: app) }), count > 0 { removed += count }
        }
        while try await change({ try $0.removeOldIssues() }) {}
        return removed
    }
}

extension CrashFileContext {
    /// Dates reports received before the clock was set to now, because their real time is unknown.
    fileprivate func redateUnset() throws {
        let unset = ClockTrust.earliest
        guard now >= unset else { return }
        let redate = try file.statement("UPDATE crashes SET received = ?1 WHERE app = ?2 AND time < ?3 AND received < ?3")
        for app in directory.apps.keys { try redate.run(integers: [now.milliseconds, app.rawValue, unset.milliseconds]) }
    }

    /// Removes a chunk of old reports. They are counted in `past_crashes`, and their issues' counters stay.
    fileprivate func removeChunk(of app: App) throws -> Int {
        let end = now - .days(Int64(app.settings.retentionDays))
        try removeSessions(of: app.id.rawValue, before: end)
        let rows = try file.statement(
            "\(LeavingCrash.selection) WHERE c.app = ?1 AND c.time < ?2 AND (c.time >= ?3 OR c.received < ?2) ORDER BY c.time LIMIT ?4"
        ).all(
            .integer(app.id.rawValue), .integer(end.milliseconds), .integer(ClockTrust.earliest.milliseconds), .integer(limits.chunk),
            row: LeavingCrash.init)
        let past = try file.statement(
            """
            INSERT INTO past_crashes (app, kind, quarter, release, count) VALUES (?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1
            """)
        for row in rows {
            try past.run(integers: [row.app, row.kind, row.facts.time.flooredQuotient(by: QuarterHour.milliseconds), row.facts.release])
            try remove(row, uncounted: false)
        }
        return rows.count
    }

    fileprivate func removeOldIssues() throws -> Bool {
        try file.statement("DELETE FROM once WHERE received < ?").run(integers: [(now - limits.once).milliseconds])
        var removed = 0
        for app in directory.apps.keys {
            // An app with its maximum number of issues keeps none without reports, to make room for new ones.
            let isFull = try file.issueCount(of: app.rawValue) >= limits.issues
            let old = try file.issuesWithoutReports(of: app, before: isFull ? now : now - limits.issueKept, limit: limits.chunk)
            for issue in old { try remove(issue: issue) }
            removed += old.count
        }
        return removed > 0
    }
}

extension CrashDB {
    fileprivate func issuesWithoutReports(of app: AppID, before end: Timestamp, limit: Int) throws -> [Int64] {
        try statement(
            """
            SELECT id FROM issues i WHERE app = ? AND last_seen < ?
                AND NOT EXISTS (SELECT 1 FROM groupings g JOIN crashes c ON c.grouping = g.id WHERE g.issue = i.id) ORDER BY last_seen LIMIT ?
            """
        ).all(.integer(app.rawValue), .integer(end.milliseconds), .integer(limit)) { $0.integer(0) }
    }

    func hasReports(_ issue: Int64) throws -> Bool {
        try groupings(of: issue).contains { grouping in
            try statement("SELECT 1 FROM crashes WHERE grouping = ? LIMIT 1").first(.integer(grouping)) { _ in true } ?? false
        }
    }
}
