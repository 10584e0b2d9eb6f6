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

    /// Moves a grouping into a new issue and returns its ID, that of the merged issue it came from if there is one. The default row of a group takes all stacks of the group in the issue along.
    package func split(_ grouping: Int64, from id: String, app: AppID) async throws -> String {
        try await change { context in try context.split(grouping, from: try context.file.issue(named: id, app: app)) }
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

    /// Splits groupings off into a new issue, which takes the ID of the merged issue they came from. Both issues must have crashes
    /// afterwards.
    func split(_ grouping: Int64, from issue: IssueRow) throws -> String {
        let leaving = try file.leaving(grouping, issue)
        guard let first = leaving.first else {
            throw Refusal(.notFound, "The issue has no such variant.", hint: "`GET /v1/issues/{id}` lists its variants.")
        }
        let counted = try file.countedGroupings(of: issue.id)
        guard !counted.isDisjoint(with: leaving.map(\.id)), !counted.isSubset(of: leaving.map(\.id)) else {
            throw Refusal(.conflict, "The split would leave an issue without crashes.", hint: "Split off some of the variants that have crashes.")
        }
        let made = try makeIssue(
            app: issue.app, kind: issue.kind, first.group, time: Timestamp(milliseconds: issue.firstSeen),
            publicID: try takeFormerID(of: grouping, in: issue.id))
        for row in leaving { try file.statement("UPDATE groupings SET issue = ? WHERE id = ?").run(integers: [made.id, row.id]) }
        try moveFormerIDs(from: issue.id, to: made.id)
        try movePeople(of: leaving.map(\.id), from: issue.id, to: made.id)
        let kept = try file.kept(of: leaving.map(\.id))
        for (id, sign) in [(issue.id, -1), (made.id, 1)] {
            try recount(id)
            try change(issue: id) { row in (row.kept, row.keptBytes) = (row.kept + sign * kept.count, row.keptBytes + sign * kept.bytes) }
        }
        try note(.split, of: issue.id, detail: made.publicID)
        try note(.split, of: made.id, detail: issue.publicID)
        return made.publicID
    }

    /// Moves the counts of people. They are stored by issue only, so those of the leaving groupings are counted from stored reports.
    private func movePeople(of leaving: [Int64], from old: Int64, to new: Int64) throws {
        for grouping in leaving {
            try file.statement(
                """
                INSERT INTO issue_people (issue, person, count)
                SELECT ?1, CASE WHEN user = 0 THEN installation ELSE user END AS person, count(*) FROM crashes WHERE grouping = ?2
                GROUP BY person HAVING person <> 0 ON CONFLICT DO UPDATE SET count = count + excluded.count
                """
            ).run(integers: [new, grouping])
        }
        try file.statement(
            """
            INSERT INTO issue_people (issue, person, count) SELECT ?1, person, -count FROM issue_people WHERE issue = ?2
            ON CONFLICT DO UPDATE SET count = count + excluded.count
            """
        ).run(integers: [old, new])
        try file.statement("DELETE FROM issue_people WHERE issue = ? AND count <= 0").run(integers: [old])
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

extension CrashDB {
    /// Returns the groupings to split off: one variant, or for the default row all rows of its group that are in the issue.
    fileprivate func leaving(_ grouping: Int64, _ issue: IssueRow) throws -> [(id: Int64, group: GroupKey)] {
        try statement(
            """
            SELECT o.id, o.version, o.hash, o.variant, o.reason, o.title, o.culprit FROM groupings g JOIN groupings o
                ON o.app = g.app AND o.hash = g.hash AND o.version = g.version AND o.kind = g.kind AND (o.id = g.id OR g.variant = x'')
            WHERE g.id = ?1 AND g.issue = ?2 AND o.issue = ?2 ORDER BY o.id
            """
        ).all(.integer(grouping), .integer(issue.id)) { row in
            let key = GroupKey(
                version: row.int(1), hash: row.bytes(2), stackHash: row.bytes(3), reason: row.text(4), title: row.text(5),
                culprit: row.optionalText(6))
            return (row.integer(0), key)
        }
    }

    fileprivate func countedGroupings(of issue: Int64) throws -> Set<Int64> {
        Set(try statement("SELECT id FROM groupings WHERE issue = ? AND count > 0").all(.integer(issue)) { $0.integer(0) })
    }

    fileprivate func kept(of groupings: [Int64]) throws -> (count: Int, bytes: Int) {
        try groupings.reduce(into: (0, 0)) { sum, grouping in
            let sql = "SELECT count(*), ifnull(sum(bytes), 0) FROM crashes WHERE grouping = ? AND bytes > 0"
            let part = try statement(sql).first(.integer(grouping)) { ($0.int(0), $0.int(1)) } ?? (0, 0)
            sum = (sum.0 + part.0, sum.1 + part.1)
        }
    }
}
