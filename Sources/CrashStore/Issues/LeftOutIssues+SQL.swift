// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
package import Platform
import SQLite

/// New issues of an app whose alerts were left out, for one summary.
package struct LeftOutIssues: Sendable {
    package var app: AppID
    /// The first of their events. It identifies the summary, also after a restart.
    package var first: Int64
    /// The end of the time from which events are included.
    fileprivate var end: Timestamp
    /// The number of issues, without muted ones.
    package var count = 0
    /// The issues with the most users.
    package var worst: [IssueSummary] = []
}

extension CrashStore {
    /// Returns the left-out issues of each app whose first one has waited for `window`. The caller publishes the summaries, then calls
    /// `markSummarized`.
    ///
    ///     window of ten minutes, new issues left out at 12:00, 12:08 and 12:11
    ///     12:09   nothing
    ///     12:10   one summary of the first two
    ///     12:21   one summary of the third
    package func leftOutIssues(window: Timestamp.Span, worst limit: Int) async throws -> [LeftOutIssues] {
        let now = clock.now()
        return try await read { file in
            try file.dueSummaries(window: window, now: now).map { try file.completed($0, worst: limit, now: now) }
        }
    }

    package func markSummarized(_ issues: LeftOutIssues) async throws {
        try await change { context in
            try context.file.statement(
                """
                UPDATE turns SET told = \(sql: AlertProgress.published) WHERE told = \(sql: AlertProgress.leftOut) AND time < ?
                    AND EXISTS (SELECT 1 FROM issues i WHERE i.id = turns.issue AND i.app = ?)
                """
            ).run(integers: [issues.end.milliseconds, issues.app.rawValue])
        }
    }
}

extension CrashDB {
    private static let leftOut = """
        FROM turns t CROSS JOIN issues i ON i.id = t.issue
        WHERE t.told = \(sql: AlertProgress.leftOut) AND t.time < ?1 AND i.app = ?2 AND i.state <> \(sql: IssueState.muted)
        """

    fileprivate func dueSummaries(window: Timestamp.Span, now: Timestamp) throws -> [LeftOutIssues] {
        // The other columns of a group are those of the row with the minimum.
        let first = "SELECT i.app, min(t.id), t.time FROM turns t CROSS JOIN issues i ON i.id = t.issue WHERE t.told = \(sql: AlertProgress.leftOut)"
        return try statement("\(first) GROUP BY i.app").all { ($0.integer(0), $0.integer(1), Timestamp(milliseconds: $0.integer(2))) }
            .compactMap { app, first, time in
                // After the clock was set back, events are in the future and all of them are due.
                if now < time { return LeftOutIssues(app: AppID(rawValue: app), first: first, end: Timestamp(milliseconds: .max)) }
                return now < time + window ? nil : LeftOutIssues(app: AppID(rawValue: app), first: first, end: time + window)
            }
    }

    fileprivate func completed(_ issues: LeftOutIssues, worst limit: Int, now: Timestamp) throws -> LeftOutIssues {
        var issues = issues
        let place = [Value.integer(issues.end.milliseconds), .integer(issues.app.rawValue)]
        issues.count = try statement("SELECT count(DISTINCT i.id) \(CrashDB.leftOut)").first(place[0], place[1]) { $0.int(0) } ?? 0
        let worst = "SELECT DISTINCT i.id \(CrashDB.leftOut) ORDER BY i.users DESC, i.count DESC, i.id LIMIT ?3"
        issues.worst = try statement(worst).all(place[0], place[1], .integer(limit)) { $0.integer(0) }
            .compactMap { try issue($0).map { try summary(of: $0, now: now) } }
        return issues
    }
}
