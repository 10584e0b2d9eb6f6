// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import SQLite

/// The IDs of merged issues, which a split gives back.
///
/// A grouping remembers in `former` from which merged issue it came. `former_issues` leads from that ID to the issue it is in now:
///
///     merge(8, into: 7)       groupings of 8: issue 7, former "8"      former_issues: "8" → 7
///     merge(7, into: 5)       these keep former "8", those of 7 get former "7"
///     split(g of 8, from: 5)  the new issue has the ID "8", and its groupings have no former
///
/// `placed` is kept apart from `former`, because groupings of 8 that stay in 5 after the split were still put there by a user.
///
/// Notes and history stay where they are, because rows do not say which issue they came from.
extension CrashFileContext {
    /// Moves the groupings of an issue that is merged into another. Those of earlier merges keep their origin.
    func moveGroupings(of other: IssueRow, into target: Int64) throws {
        try file.statement("UPDATE groupings SET issue = ?, former = ifnull(former, ?), placed = 1 WHERE issue = ?")
            .run(.integer(target), .text(other.publicID), .integer(other.id))
    }

    /// Releases the ID of the merged issue that a grouping came from, for the issue it is split off to. Nil if it came from none.
    func takeFormerID(of grouping: Int64, in issue: Int64) throws -> String? {
        let find = "SELECT f.public FROM groupings g JOIN former_issues f ON f.public = g.former WHERE g.id = ?1 AND g.issue = ?2 AND f.issue = ?2"
        guard let id = try file.statement(find).first(.integer(grouping), .integer(issue), row: { $0.text(0) }) else { return nil }
        try file.statement("DELETE FROM former_issues WHERE public = ?").run(.text(id))
        try file.statement("UPDATE groupings SET former = NULL WHERE issue = ? AND former = ?").run(.integer(issue), .text(id))
        return id
    }

    /// Moves the IDs along whose groupings have all gone to the new issue. The other groupings there lose their origin.
    func moveFormerIDs(from old: Int64, to new: Int64) throws {
        try file.statement(
            """
            UPDATE former_issues SET issue = ?2 WHERE issue = ?1 AND public IN (SELECT former FROM groupings WHERE issue = ?2)
                AND NOT EXISTS (SELECT 1 FROM groupings g WHERE g.issue = ?1 AND g.former = former_issues.public)
            """
        ).run(integers: [old, new])
        try file.statement(
            """
            UPDATE groupings SET former = NULL WHERE issue = ?1 AND former IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM former_issues f WHERE f.public = groupings.former AND f.issue = ?1)
            """
        ).run(integers: [new])
    }

    /// Gives the rows of a new group the origin of the grouping that its reports came from, which is in the same issue.
    func inheritFormer(_ group: GroupingKey, from grouping: Int64) throws {
        try file.statement(
            """
            UPDATE groupings SET former = o.former, placed = max(groupings.placed, o.placed) FROM groupings o
            WHERE o.id = ?5 AND o.issue = groupings.issue AND groupings.app = ?1 AND groupings.hash = ?2 AND groupings.version = ?3
                AND groupings.kind = ?4
            """
        ).run(.integer(group.app), .blob(group.hash), .integer(group.version), .integer(group.kind.rawValue), .integer(grouping))
    }
}
