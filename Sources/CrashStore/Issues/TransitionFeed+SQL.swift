// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

extension CrashStore {
    /// Returns the transitions of an app's issues behind a number, oldest first, and the number up to which all were read.
    package func transitions(
        app: AppID, after id: Int64, limit: Int
    ) async throws -> (found: [(transition: IssueTransition, issue: IssueSummary)], through: Int64) {
        let now = clock.now()
        return try await read { file in
            let rows = try file.statement(
                "SELECT t.id, t.kind, t.time, t.detail, t.issue, i.app FROM turns t LEFT JOIN issues i ON i.id = t.issue WHERE t.id > ? ORDER BY t.id LIMIT ?"
            ).all(.integer(id), .integer(limit)) { (transition: IssueTransition($0), issue: $0.integer(4), app: $0.integer(5)) }
            let own = rows.filter { $0.app == app.rawValue }
            let found = try own.compactMap { row in
                try file.issue(row.issue).map { (transition: row.transition, issue: try file.summary(of: $0, now: now)) }
            }
            return (found, rows.last?.transition.id ?? id)
        }
    }

    /// Adds to an issue's history that it spreads fast in a release.
    package func noteSpreading(of id: String, app: AppID, release: String?) async throws {
        try await change { context in
            guard let issue = try context.file.knownIssue(named: id, app: app) else { return }
            try context.note(.spreading, of: issue.id, detail: release)
        }
    }

    /// Returns the number of the last transition.
    package func lastTransition() async throws -> Int64 {
        try await read { try $0.statement("SELECT max(id) FROM turns").first { $0.integer(0) } ?? 0 }
    }
}
