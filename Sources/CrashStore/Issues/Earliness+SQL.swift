// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

/// A crash with a session.
package struct CrashInSession: Sendable {
    package var time: Int64
    package var user: UInt64
    package var installation: UInt64
    package var session: UInt64
}

/// An issue whose share of early crashes must be computed again, with its newest crashes in sessions.
package struct IssueToEvaluate: Sendable {
    package let id: Int64
    package let app: Int64
    package let count: Int
    package fileprivate(set) var crashes: [CrashInSession] = []
}

extension CrashStore {
    /// Returns issues that have half as many crashes more than when their share of early crashes was computed.
    package func issuesToEvaluate(limit: Int, since: Timestamp) async throws -> [IssueToEvaluate] {
        try await read { try $0.issuesToEvaluate(limit: limit, since: since) }
    }

    /// Stores how many of an issue's newest crashes had a session of known start, and how many of those were early.
    package func keep(_ earliness: [(issue: IssueToEvaluate, inSession: Int, early: Int)]) async throws {
        try await change { context in
            for (issue, inSession, early) in earliness {
                try context.change(issue: issue.id) { $0.earliness = .init(judged: issue.count, inSession: inSession, early: early) }
            }
            try context.write()
        }
    }
}

extension CrashDB {
    fileprivate func issuesToEvaluate(limit: Int, since: Timestamp) throws -> [IssueToEvaluate] {
        // The condition must be that of the partial index.
        let issues = try statement("SELECT id, app, count FROM issues WHERE count >= 5 AND count * 2 >= judged * 3 ORDER BY id LIMIT ?")
            .all(.integer(limit)) { IssueToEvaluate(id: $0.integer(0), app: $0.integer(1), count: $0.int(2)) }
        return try issues.map { issue in
            var issue = issue
            issue.crashes = try newestInSession(of: issue.id, since: since, limit: 20)
            return issue
        }
    }

    private func newestInSession(of issue: Int64, since: Timestamp, limit: Int) throws -> [CrashInSession] {
        let find = try statement(
            """
            SELECT time, user, installation, session FROM crashes WHERE grouping = ? AND time >= ? AND session <> 0 ORDER BY time DESC LIMIT ?
            """)
        let found = try groupings(of: issue).flatMap { grouping in
            try find.all(.integer(grouping), .integer(since.milliseconds), .integer(limit)) {
                CrashInSession(time: $0.integer(0), user: $0.key(1), installation: $0.key(2), session: $0.key(3))
            }
        }
        return Array(found.sorted { $0.time > $1.time }.prefix(limit))
    }
}
