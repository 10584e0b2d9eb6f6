// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
package import Platform
import SQLite

extension CrashStore {
    /// Moves a grouping into a new issue and returns its ID, that of the merged issue it came from if there is one. The default row of a group
    /// takes all stacks of the group in the issue along.
    package func split(_ grouping: Int64, from id: String, app: AppID) async throws -> String {
        try await change { context in try context.split(grouping, from: try context.file.issue(named: id, app: app)) }
    }
}

/// Splitting changes the owner of groupings, as merging does.
///
/// A default row without reports follows the last stack of its group, and the rows of a merged issue without reports follow the last one that
/// has some. So later reports of the group, with another stack, count where its reports are:
///
///     issue 7: (h1, –), (h1, s1) 9; from issue 8: (h2, –), (h2, s1) 5, (h2, s2) 2
///     split(h2, s1)      issue 8: (h2, s1) 5        issue 7: (h1, –), (h1, s1) 9, (h2, –), (h2, s2) 2
///     split(h2, s2)      issue 9: (h2, –), (h2, s2) 2
extension CrashFileContext {
    /// Splits groupings off into a new issue, which takes the ID of the merged issue they came from. Both issues must have crashes
    /// afterwards.
    func split(_ grouping: Int64, from issue: IssueRow) throws -> String {
        let rows = try file.splittableRows(of: issue.id)
        guard let chosen = rows.first(where: { $0.id == grouping }) else {
            throw Refusal(.notFound, "The issue has no such variant.", hint: "`GET /v1/issues/{id}` lists its variants.")
        }
        let stacks = try newestStacks(of: rows.filter { chosen.takesAlong($0) }, app: issue.app, kind: issue.kind)
        let leaving = SplittableRow.leaving(chosen, of: rows, stacks: Set(stacks.map(\.key)))
        guard leaving.contains(where: { $0.count > 0 }), rows.count(where: { $0.count > 0 }) > leaving.count(where: { $0.count > 0 }) else {
            throw Refusal(.conflict, "The split would leave an issue without crashes.", hint: "Split off some of the variants that have crashes.")
        }
        let made = try makeIssue(
            app: issue.app, kind: issue.kind, stacks.first?.group ?? chosen.group, time: Timestamp(milliseconds: issue.firstSeen),
            publicID: try takeFormerID(of: grouping, in: issue.id))
        for row in leaving { try file.statement("UPDATE groupings SET issue = ? WHERE id = ?").run(integers: [made.id, row.id]) }
        groupings = [:]
        for (key, group) in stacks { try bind(key, group, to: made.id) }
        try retitle(issue, without: leaving.map(\.group) + stacks.map(\.group))
        try moveRest(of: leaving.map(\.id), from: issue, to: made)
        return made.publicID
    }

    /// Moves everything that belongs to groupings which have left an issue.
    private func moveRest(of leaving: [Int64], from issue: IssueRow, to made: IssueRow) throws {
        try moveFormerIDs(from: issue.id, to: made.id)
        try movePeople(of: leaving, from: issue.id, to: made.id)
        let kept = try file.kept(of: leaving)
        for (id, sign) in [(issue.id, -1), (made.id, 1)] {
            try recount(id)
            try change(issue: id) { row in (row.kept, row.keptBytes) = (row.kept + sign * kept.count, row.keptBytes + sign * kept.bytes) }
        }
        try note(.split, of: issue.id, detail: made.publicID)
        try note(.split, of: made.id, detail: issue.publicID)
    }

    /// Gives an issue that has the title of a group which left that of its most frequent grouping.
    private func retitle(_ issue: IssueRow, without left: [GroupKey]) throws {
        func names(_ group: GroupKey) -> Bool { group.title == issue.title && group.culprit == issue.culprit }
        let counted = try file.splittableRows(of: issue.id).filter { $0.count > 0 }
        guard left.contains(where: names), !counted.contains(where: { names($0.group) }), let first = counted.max(by: { $0.count < $1.count })
        else { return }
        let group = try newestStacks(of: [first], app: issue.app, kind: issue.kind).first?.group ?? first.group
        try change(issue: issue.id) { ($0.title, $0.culprit, $0.reason) = (group.title, group.culprit, group.reason) }
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

    /// Returns the stacks under the newest rule of rows that an older one made. Later reports of the same fault have these.
    private func newestStacks(of rows: [SplittableRow], app: Int64, kind: CrashKind) throws -> [(key: GroupingKey, group: GroupKey)] {
        var stacks: [(key: GroupingKey, group: GroupKey)] = []
        for row in rows where row.group.version < GroupingRule.current.version {
            for crash in try file.newestStored(of: row.id) {
                guard let report = try file.readablePayload(of: crash).flatMap(limits.report) else { continue }
                let group = GroupingRule.current.group(report)
                let key = GroupingKey(app: app, kind: kind, version: group.version, hash: group.hash, variant: group.stackHash)
                if !stacks.contains(where: { $0.key == key }) { stacks.append((key, group)) }
            }
        }
        return stacks
    }
}

/// A grouping of an issue that is split.
struct SplittableRow {
    var id: Int64
    var group: GroupKey
    /// The ID of the merged issue that it came from.
    var former: String?
    var count: Int

    private var groupID: [UInt8] { group.hash + [UInt8(truncatingIfNeeded: group.version)] }

    /// Whether another row leaves because this one was chosen.
    func takesAlong(_ other: SplittableRow) -> Bool { id == other.id || group.stackHash.isEmpty && groupID == other.groupID }

    /// Returns the rows to split off: the chosen one with those it takes along, and rows without reports that follow the last one with some.
    ///
    /// - Parameter stacks: The rows of the newest rule that belong to older rows that leave.
    static func leaving(_ chosen: SplittableRow, of rows: [SplittableRow], stacks: Set<GroupingKey>) -> [SplittableRow] {
        let variants = Set(stacks.map { $0.hash + $0.variant })
        var (left, kept): ([SplittableRow], [SplittableRow]) = ([], [])
        for row in rows {
            let isOfStack = row.group.version == GroupingRule.current.version && variants.contains(row.group.hash + row.group.stackHash)
            if chosen.takesAlong(row) || isOfStack { left.append(row) } else { kept.append(row) }
        }
        let counted = kept.filter { $0.count > 0 }
        let lastGroups = Set(left.map(\.groupID)).subtracting(counted.map(\.groupID))
        let lastFormer = counted.contains { $0.former == chosen.former } ? nil : chosen.former
        return left + kept.filter { $0.count == 0 && (lastGroups.contains($0.groupID) || lastFormer != nil && $0.former == lastFormer) }
    }
}

extension CrashDB {
    fileprivate func splittableRows(of issue: Int64) throws -> [SplittableRow] {
        try statement("SELECT id, version, hash, variant, reason, title, culprit, former, count FROM groupings WHERE issue = ? ORDER BY id")
            .all(.integer(issue)) { row in
                let group = GroupKey(
                    version: row.int(1), hash: row.bytes(2), stackHash: row.bytes(3), reason: row.text(4), title: row.text(5),
                    culprit: row.optionalText(6))
                return SplittableRow(id: row.integer(0), group: group, former: row.optionalText(7), count: row.int(8))
            }
    }

    /// Returns the newest reports of a grouping whose documents are stored.
    fileprivate func newestStored(of grouping: Int64) throws -> [Int64] {
        try statement("SELECT id FROM crashes WHERE grouping = ? AND bytes > 0 ORDER BY time DESC LIMIT 5").all(.integer(grouping)) { $0.integer(0) }
    }

    fileprivate func kept(of groupings: [Int64]) throws -> (count: Int, bytes: Int) {
        try groupings.reduce(into: (0, 0)) { sum, grouping in
            let sql = "SELECT count(*), ifnull(sum(bytes), 0) FROM crashes WHERE grouping = ? AND bytes > 0"
            let part = try statement(sql).first(.integer(grouping)) { ($0.int(0), $0.int(1)) } ?? (0, 0)
            sum = (sum.0 + part.0, sum.1 + part.1)
        }
    }
}
