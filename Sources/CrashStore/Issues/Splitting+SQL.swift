// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
package import Platform
import SQLite

extension CrashStore {
    /// Moves a grouping into a new issue and returns its ID, that of the merged issue it came from if there is one. The default row of a group
    /// takes all stacks of the group in the issue along.
    package func split(_ grouping: Int64, from id: String, app: AppID) async throws -> String {
        // No report arrives for an older rule, so these stacks are complete.
        let stacks = try await read(.large, seconds: 60) { [limits] file in
            try file.newestStacks(of: try file.issue(named: id, app: app), limits.report)
        }
        return try await change { context in try context.split(grouping, from: try context.file.issue(named: id, app: app), stacks) }
    }
}

/// The groups and stacks under the newest rule of the stored reports of older rows, the newest report first.
typealias NewestStacks = [Int64: [GroupKey]]

/// Splitting changes the owner of groupings, as merging does.
///
/// A default row without reports follows the last stack of its group, and the rows of a merged issue without reports follow the last one that
/// has some. So later reports of the group, with another stack, count where its reports are:
///
///     issue 7: (h1, –), (h1, s1) 9; from issue 8: (h2, –), (h2, s1) 5, (h2, s2) 2
///     split(h2, s1)      issue 8: (h2, s1) 5        issue 7: (h1, –), (h1, s1) 9, (h2, –), (h2, s2) 2
///     split(h2, s2)      issue 9: (h2, –), (h2, s2) 2
///
/// Rows of an older rule take the rows of the newest rule along to which their reports belong.
extension CrashFileContext {
    /// Splits groupings off into a new issue, which takes the ID of the merged issue they came from. Both issues must have crashes
    /// afterwards.
    func split(_ grouping: Int64, from issue: IssueRow, _ stacks: NewestStacks = [:]) throws -> String {
        let rows = try file.splittableRows(of: issue.id)
        guard let chosen = rows.first(where: { $0.id == grouping }) else {
            throw Refusal(.notFound, "The issue has no such variant.", hint: "`GET /v1/issues/{id}` lists its variants.")
        }
        let leaving = SplittableRow.leaving(chosen, of: rows, stacks)
        guard leaving.contains(where: { $0.count > 0 }), rows.count(where: { $0.count > 0 }) > leaving.count(where: { $0.count > 0 }) else {
            throw Refusal(.conflict, "The split would leave an issue without crashes.", hint: "Split off some of the variants that have crashes.")
        }
        let newest = rows.filter(chosen.takesAlong).flatMap { stacks[$0.id] ?? [] }
        let formerID = try takeFormerID(of: grouping, in: issue.id)
        let made = try makeIssue(
            app: issue.app, kind: issue.kind, newest.first ?? chosen.group, time: Timestamp(milliseconds: issue.firstSeen), publicID: formerID)
        for row in leaving {
            try file.statement("UPDATE groupings SET issue = ?, placed = ? WHERE id = ?")
                .run(integers: [made.id, row.isPlaced(among: leaving, back: formerID) ? 1 : 0, row.id])
        }
        groupings = [:]
        for group in newest {
            try bind(
                GroupingKey(app: issue.app, kind: issue.kind, version: group.version, hash: group.hash, variant: group.stackHash), group, to: made.id)
        }
        try retitle(issue, without: leaving.map(\.group) + newest)
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
        let group = try file.newestGroup(of: first, limits.report) ?? first.group
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
}

/// A grouping of an issue that is split.
struct SplittableRow {
    var id: Int64
    var group: GroupKey
    /// The ID of the merged issue that it came from.
    var former: String?
    var count: Int
    /// Whether a user's merge or split put it into its issue.
    var isPlaced: Bool

    /// Whether another row leaves because this one was chosen.
    func takesAlong(_ other: SplittableRow) -> Bool { id == other.id || group.stackHash.isEmpty && group.id == other.group.id }

    /// Whether a user put the row into the new issue: not if it returns to the issue it was merged from, nor for the sake of the split if its
    /// whole group leaves.
    ///
    /// - Parameter id: The ID of the merged issue that the new one takes.
    func isPlaced(among leaving: [SplittableRow], back id: String?) -> Bool {
        if let id, let former, former.utf8.elementsEqual(id.utf8) { return false }
        return isPlaced || !leaving.contains { $0.group.stackHash.isEmpty && $0.group.id == group.id }
    }

    /// Its group, and those of its reports under the newest rule.
    private func groups(_ stacks: NewestStacks) -> [[UInt8]] { [group.id] + (stacks[id] ?? []).map(\.id) }

    /// Returns the rows to split off: the chosen one with those it takes along, and rows without reports that follow the last one with some.
    static func leaving(_ chosen: SplittableRow, of rows: [SplittableRow], _ stacks: NewestStacks) -> [SplittableRow] {
        let taken = rows.filter(chosen.takesAlong)
        let variants: Set<[UInt8]> = Set(taken.flatMap { stacks[$0.id] ?? [] }.map { $0.id + $0.stackHash })
        var (left, kept): ([SplittableRow], [SplittableRow]) = ([], [])
        for row in rows {
            if chosen.takesAlong(row) || variants.contains(row.group.id + row.group.stackHash) { left.append(row) } else { kept.append(row) }
        }
        let counted = kept.filter { $0.count > 0 }
        // The reports of an older row without documents may be of any group of the newest rule that others of its group have.
        let unknown = Set(counted.filter { $0.group.version < GroupingRule.current.version && stacks[$0.id] == nil }.map(\.group.id))
        var lastGroups: Set<[UInt8]> = []
        for row in left { lastGroups.formUnion(unknown.contains(row.group.id) ? [row.group.id] : row.groups(stacks)) }
        for row in counted { lastGroups.subtract(row.groups(stacks)) }
        let lastFormer = counted.contains { $0.former == chosen.former } ? nil : chosen.former
        return left + kept.filter { $0.count == 0 && (lastGroups.contains($0.group.id) || lastFormer != nil && $0.former == lastFormer) }
    }
}

extension GroupKey {
    /// Distinguishes groups of an app and kind, also those of different rules.
    fileprivate var id: [UInt8] { hash + [UInt8(truncatingIfNeeded: version)] }
}

extension CrashDB {
    fileprivate func splittableRows(of issue: Int64) throws -> [SplittableRow] {
        try statement("SELECT id, version, hash, variant, reason, title, culprit, former, count, placed FROM groupings WHERE issue = ? ORDER BY id")
            .all(.integer(issue)) { row in
                let group = GroupKey(
                    version: row.int(1), hash: row.bytes(2), stackHash: row.bytes(3), reason: row.text(4), title: row.text(5),
                    culprit: row.optionalText(6))
                return SplittableRow(id: row.integer(0), group: group, former: row.optionalText(7), count: row.int(8), isPlaced: row.int(9) != 0)
            }
    }

    /// Returns the stacks under the newest rule of rows that an older one made. Later reports of the same fault have these.
    fileprivate func newestStacks(of issue: IssueRow, _ decode: ([UInt8]) -> CrashReport?) throws -> NewestStacks {
        let crashes = try statement(
            """
            SELECT g.id, c.id FROM groupings g JOIN crashes c ON c.grouping = g.id WHERE g.issue = ? AND g.version < ? AND c.bytes > 0
            ORDER BY c.time DESC
            """
        ).all(.integer(issue.id), .integer(GroupingRule.current.version)) { (row: $0.integer(0), crash: $0.integer(1)) }
        var (stacks, seen): (NewestStacks, [Int64: Set<[UInt8]>]) = ([:], [:])
        for (row, crash) in crashes {
            guard let group = try newestGroup(ofCrash: crash, decode) else { continue }
            if seen[row, default: []].insert(group.id + group.stackHash).inserted { stacks[row, default: []].append(group) }
        }
        return stacks
    }

    /// Returns the group under the newest rule of the newest stored report of a row.
    fileprivate func newestGroup(of row: SplittableRow, _ decode: ([UInt8]) -> CrashReport?) throws -> GroupKey? {
        if row.group.version == GroupingRule.current.version { return row.group }
        return try statement("SELECT id FROM crashes WHERE grouping = ? AND bytes > 0 ORDER BY time DESC LIMIT 1")
            .first(.integer(row.id)) { $0.integer(0) }.flatMap { try newestGroup(ofCrash: $0, decode) }
    }

    private func newestGroup(ofCrash crash: Int64, _ decode: ([UInt8]) -> CrashReport?) throws -> GroupKey? {
        try readablePayload(of: crash).flatMap(decode).map { GroupingRule.current.group($0) }
    }

    fileprivate func kept(of groupings: [Int64]) throws -> (count: Int, bytes: Int) {
        try groupings.reduce(into: (0, 0)) { sum, grouping in
            let sql = "SELECT count(*), ifnull(sum(bytes), 0) FROM crashes WHERE grouping = ? AND bytes > 0"
            let part = try statement(sql).first(.integer(grouping)) { ($0.int(0), $0.int(1)) } ?? (0, 0)
            sum = (sum.0 + part.0, sum.1 + part.1)
        }
    }
}
