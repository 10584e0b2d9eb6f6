// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
package import Platform
import SQLite

extension CrashStore {
    /// Takes away the reports that were kept long enough, then issues that have long been without any; answers how many reports.
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
    /// Reports that came before the clock was set are kept from now on, since nobody knows when that was.
    fileprivate func redateUnset() throws {
        let unset = ClockTrust.earliest
        guard now >= unset else { return }
        let redate = try file.statement("UPDATE crashes SET received = ?1 WHERE app = ?2 AND time < ?3 AND received < ?3")
        for app in directory.apps.keys { try redate.run(integers: [now.milliseconds, app.rawValue, unset.milliseconds]) }
    }

    /// What goes is counted by the quarter-hour before; each report's day and its share in its issue's numbers stay.
    fileprivate func removeChunk(of app: App) throws -> Int {
        let end = now - .days(Int64(app.settings.retentionDays))
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
            try past.run(integers: [row.app, row.kind, row.facts.time.flooredQuotient(by: 900_000), row.facts.release])
            try remove(row, uncounted: false)
        }
        return rows.count
    }

    fileprivate func removeOldIssues() throws -> Bool {
        try file.statement("DELETE FROM once WHERE received < ?").run(integers: [(now - limits.once).milliseconds])
        var removed = 0
        for app in directory.apps.keys {
            // One that has no room for new issues keeps none for memory's sake.
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
