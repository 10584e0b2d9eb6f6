// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
package import Platform
import SQLite

/// The parts into which the newest grouping rule divides an issue's stored reports.
package struct IssueRegrouping: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// Becomes an issue of its own, with this ID once it exists.
        case split(String?)
        /// Belongs to another issue.
        case moved(into: String)
    }

    package struct Part: Sendable, Equatable {
        package var title: String
        package var culprit: String?
        package var reports: Int
        package var outcome: Outcome
    }

    package var issue: String
    package var title: String
    package var parts: [Part]
}

extension CrashStore {
    /// Regroups the next issue of an app by the newest rule, in one transaction. Returns nil behind the last issue.
    ///
    /// Only what an older rule put together is divided. Its largest part that belongs to no other issue keeps the issue with its ID, state,
    /// notes and the counts of reports that are no longer stored. Each other part becomes an issue in the same state, or joins the issue
    /// that has its group already. If all parts belong to others, the issue is merged into that of the largest part:
    ///
    ///     issue 7: 30 reports of A, 4 of B, 2 of C; C is known in issue 5
    ///       → 7 keeps A, B becomes issue 9, C moves to 5
    ///
    /// Merges and splits by users remain. A repetition finds nothing to do, so an interrupted run is run again.
    package func regroup(_ app: AppID, after row: Int64, dryRun: Bool) async throws -> (row: Int64, change: IssueRegrouping?)? {
        let found = try await read(.large, seconds: 60) { [limits] file in
            try file.nextIssue(of: app, after: row).map { ($0, try file.regroupedParts(of: $0, limits.report)) }
        }
        guard let (issue, parts) = found else { return nil }
        let change = try await read { file in try file.change(by: file.plan(issue, parts), of: issue) }
        if dryRun || change == nil { return (issue.id, change) }
        return (issue.id, try await self.change { try $0.regroup(issue.id, parts) })
    }
}

extension CrashFileContext {
    fileprivate func regroup(_ id: Int64, _ parts: [RegroupedPart]) throws -> IssueRegrouping? {
        guard let issue = try issue(id) else { return nil }
        let plan = try file.plan(issue, parts)
        guard var result = try file.change(by: plan, of: issue) else { return nil }
        var touched: Set<Int64> = [id]
        for part in plan.counted { touched.formUnion(try count(part, of: issue)) }
        try write()
        for id in touched { try recount(id) }
        for (index, part) in plan.leaving.enumerated() where part.owner == nil {
            result.parts[index].outcome = .split(try splitOff(part, from: issue))
        }
        try retitle(id, keeping: plan.staying)
        if let successor = plan.successor, let target = try self.issue(successor) {
            try write()
            try merge(try self.issue(id) ?? issue, into: target)
        }
        return result
    }

    /// Makes an issue of a part and returns its ID; nil if no other report of the issue is left.
    private func splitOff(_ part: RegroupedPart, from issue: IssueRow) throws -> String? {
        try write()
        guard let row = try grouping(key(part, issue)), let rest = try self.issue(issue.id) else { return nil }
        do {
            let made = try split(row.id, from: rest)
            try change(issue: try file.issue(named: made, app: AppID(rawValue: issue.app)).id) {
                ($0.standing, $0.assignee) = (issue.standing, issue.assignee)
            }
            return made
        } catch is Refusal {
            return nil
        }
    }

    /// Gives an issue the title of its largest part if that of another part has left.
    private func retitle(_ id: Int64, keeping parts: [RegroupedPart]) throws {
        guard let first = parts.first?.group else { return }
        try change(issue: id) { issue in
            if parts.contains(where: { $0.group.title == issue.title && $0.group.culprit == issue.culprit }) { return }
            (issue.title, issue.culprit, issue.reason) = (first.title, first.culprit, first.reason)
        }
    }

    private func key(_ part: RegroupedPart, _ issue: IssueRow) -> GroupingKey {
        GroupingKey(app: issue.app, kind: issue.kind, version: part.group.version, hash: part.group.hash, variant: [])
    }

    /// Lets reports count for their new group. An unknown group belongs to the issue until it is split off. Returns the issues that got reports.
    private func count(_ part: RegroupedPart, of issue: IssueRow) throws -> Set<Int64> {
        var targets: Set<Int64> = []
        for crash in part.crashes {
            guard let stored = try file.countedCrash(crash), stored.issue == issue.id else { continue }
            let time = Timestamp(milliseconds: stored.facts.time)
            var group = part.group
            group.stackHash = part.stacks[crash] ?? group.stackHash
            let target = try grouping(group, app: issue.app, kind: issue.kind, time: time, newIssue: issue.id)
            if target.id == stored.facts.grouping { continue }
            var facts = stored.facts
            facts.grouping = target.id
            try file.statement("UPDATE crashes SET grouping = ? WHERE id = ?").run(integers: [target.id, crash])
            sums.count(stored.facts, issue: issue.id, by: -1)
            sums.count(facts, issue: target.issue)
            newestBuilds.see(part.builds[crash], of: facts)
            targets.insert(target.issue)
            guard target.issue != issue.id else { continue }
            try change(issue: issue.id) { $0.keep(-1, bytes: stored.bytes) }
            try change(issue: target.issue) { $0.keep(1, bytes: stored.bytes) }
        }
        return targets
    }
}

private struct CountedCrash {
    var facts: CrashFacts
    var issue: Int64
    var bytes: Int
}

extension CrashDB {
    fileprivate func nextIssue(of app: AppID, after row: Int64) throws -> IssueRow? {
        try statement("SELECT \(IssueRow.columns) FROM issues WHERE id > ? AND app = ? ORDER BY id LIMIT 1")
            .first(.integer(row), .integer(app.rawValue), row: IssueRow.init)
    }

    fileprivate func countedCrash(_ crash: Int64) throws -> CountedCrash? {
        let columns = CrashFacts.columns.split(separator: ", ").map { "c.\($0)" }.joined(separator: ", ")
        return try statement("SELECT \(columns), g.issue, c.bytes FROM crashes c JOIN groupings g ON g.id = c.grouping WHERE c.id = ?")
            .first(.integer(crash)) { CountedCrash(facts: CrashFacts($0), issue: $0.integer(7), bytes: $0.int(8)) }
    }
}
