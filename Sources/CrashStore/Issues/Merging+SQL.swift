// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
package import Platform
import SQLite

extension CrashStore {
    /// Merges issues into another. Their IDs remain valid and lead to it. Returns its ID and those of the merged issues, in the same order;
    /// former IDs lead to them.
    @discardableResult
    package func merge(_ others: [String], into id: String, app: AppID) async throws -> (target: String, merged: [String]) {
        try await change { context in
            let target = try context.file.issue(named: id, app: app)
            let merged = try others.map { other in
                let issue = try context.file.issue(named: other, app: app)
                try context.merge(issue, into: target)
                return issue.publicID
            }
            return (target.publicID, merged)
        }
    }
}

extension CrashFileContext {
    /// Merges an issue into another by changing the owner of its groupings, notes and history.
    ///
    ///     issue 7: (h1, –) 10 crashes        merge(8, into: 7)        issue 7: (h1, –) 10, (h2, –) 5    count 15
    ///     issue 8: (h2, –)  5 crashes        ─────────────────▶       `former_issues` leads from the ID of 8 to 7
    ///
    /// Counters of groupings do not change, so a later split can separate them again.
    func merge(_ other: IssueRow, into target: IssueRow) throws {
        if other.id == target.id { return }
        precondition(other.app == target.app, "issues of different apps must not be merged")
        guard other.kind == target.kind else {
            throw Refusal(
                .conflict, "\(other.publicID) is \(other.kind.name) and \(target.publicID) is \(target.kind.name).",
                hint: "Only issues of the same kind can be merged.")
        }
        try dropHeldAlert(of: other.id)
        try moveGroupings(of: other, into: target.id)
        for table in ["notes", "turns", "former_issues"] {
            try file.statement("UPDATE \(table) SET issue = ? WHERE issue = ?").run(integers: [target.id, other.id])
        }
        try file.statement("INSERT OR REPLACE INTO former_issues (public, app, issue) VALUES (?, ?, ?)")
            .run(.text(other.publicID), .integer(other.app), .integer(target.id))
        try file.statement(
            """
            INSERT INTO issue_people (issue, person, count) SELECT ?, person, count FROM issue_people WHERE issue = ?
            ON CONFLICT DO UPDATE SET count = count + excluded.count
            """
        ).run(integers: [target.id, other.id])
        for sql in ["DELETE FROM issue_people WHERE issue = ?", "DELETE FROM issues WHERE id = ?"] {
            try file.statement(sql).run(integers: [other.id])
        }
        issues[other.id] = nil
        groupings = [:]
        try note(.merged, of: target.id, detail: other.publicID)
        try recount(target.id)
        let (kept, bytes) = (other.kept, other.keptBytes)
        try change(issue: target.id) { issue in
            (issue.kept, issue.keptBytes, issue.notes) = (issue.kept + kept, issue.keptBytes + bytes, issue.notes + other.notes)
            issue.assignee = issue.assignee ?? other.assignee
        }
    }

    /// Recomputes an issue's counters from its groupings and people. They must have been written.
    func recount(_ id: Int64) throws {
        let users = try file.statement("SELECT count(*) FROM issue_people WHERE issue = ?").first(.integer(id)) { $0.int(0) } ?? 0
        let rows = try file.statement(
            "SELECT count, first_seen, first_release, last_seen, last_release FROM groupings WHERE issue = ? AND count > 0 ORDER BY last_seen, id"
        ).all(.integer(id)) { row in (0..<5).map { row.integer($0) } }
        try change(issue: id) { issue in
            (issue.users, issue.count, issue.earliness) = (users, 0, IssueRow.Earliness())
            for row in rows {
                issue.see(time: row[1], release: row[2], number: 0)
                issue.count += Int(row[0])
                issue.see(time: row[3], release: row[4], number: 0)
            }
        }
    }
}
