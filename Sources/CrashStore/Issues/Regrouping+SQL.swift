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
    /// The part with most reports keeps the issue with its ID, state, notes and the counts of reports that are no longer stored. Each other
    /// part becomes an issue in the same state, or joins the issue that has its group already. If all parts belong to others, the issue is
    /// merged into that of the largest part:
    ///
    ///     issue 7: 30 reports of A, 4 of B, 2 of C; C is known in issue 5
    ///       → 7 keeps A, B becomes issue 9, C moves to 5
    ///
    /// A repetition finds nothing to do, so an interrupted run is run again.
    package func regroup(_ app: AppID, after row: Int64, dryRun: Bool) async throws -> (row: Int64, change: IssueRegrouping?)? {
        let found = try await read(.large, seconds: 60) { [limits] file in
            try file.nextIssue(of: app, after: row).map { ($0, try file.groups(of: $0, limits.report)) }
        }
        guard let (issue, groups) = found else { return nil }
        let plan = try await read { try $0.plan(issue, groups) }
        if dryRun || plan.parts.isEmpty { return (issue.id, plan.parts.isEmpty ? nil : plan) }
        return (issue.id, try await change { try $0.regroup(issue.id, groups) })
    }
}

/// The stored reports of an issue that have one group under the newest rule.
struct RegroupedPart: Sendable {
    var group: GroupKey
    var crashes: [Int64]
    /// The builds of those reports that name one.
    var builds: [Int64: String] = [:]
}

extension CrashFileContext {
    fileprivate func regroup(_ id: Int64, _ groups: [RegroupedPart]) throws -> IssueRegrouping? {
        guard let issue = try issue(id) else { return nil }
        var plan = try file.plan(issue, groups)
        if plan.parts.isEmpty { return nil }
        for part in groups { try count(part, of: issue) }
        try write()
        for id in try file.issues(of: groups, issue) { try recount(id) }
        let leaving = groups.suffix(plan.parts.count)
        for (part, group) in zip(plan.parts.indices, leaving) {
            guard case .split = plan.parts[part].outcome, let row = try grouping(key(group, issue)) else { continue }
            let made = try split(row.id, from: try self.issue(id) ?? issue)
            plan.parts[part].outcome = .split(made)
            try change(issue: try file.issue(named: made, app: AppID(rawValue: issue.app)).id) {
                ($0.standing, $0.assignee) = (issue.standing, issue.assignee)
            }
        }
        if leaving.count == groups.count, let first = groups.first, let owner = try grouping(key(first, issue)),
            let target = try self.issue(owner.issue)
        {
            try write()
            try merge(try self.issue(id) ?? issue, into: target)
        }
        return plan
    }

    private func key(_ part: RegroupedPart, _ issue: IssueRow) -> GroupingKey {
        GroupingKey(app: issue.app, kind: issue.kind, version: part.group.version, hash: part.group.hash, variant: [])
    }

    /// Lets reports count for their new group. An unknown group belongs to the issue until it is split off.
    private func count(_ part: RegroupedPart, of issue: IssueRow) throws {
        for crash in part.crashes {
            guard let stored = try file.countedCrash(crash), stored.issue == issue.id else { continue }
            let isNew = try grouping(key(part, issue)) == nil
            let target = try grouping(
                part.group, app: issue.app, kind: issue.kind, time: Timestamp(milliseconds: stored.facts.time), newIssue: issue.id)
            if target.id == stored.facts.grouping { continue }
            if isNew { try inheritFormer(key(part, issue), from: stored.facts.grouping) }
            var facts = stored.facts
            facts.grouping = target.id
            try file.statement("UPDATE crashes SET grouping = ? WHERE id = ?").run(integers: [target.id, crash])
            sums.count(stored.facts, issue: issue.id, by: -1)
            sums.count(facts, issue: target.issue)
            newestBuilds.see(part.builds[crash], of: facts)
            guard target.issue != issue.id else { continue }
            try change(issue: issue.id) { $0.keep(-1, bytes: stored.bytes) }
            try change(issue: target.issue) { $0.keep(1, bytes: stored.bytes) }
        }
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

    /// Returns the groups of an issue's stored reports under the newest rule, the largest first.
    fileprivate func groups(of issue: IssueRow, _ decode: ([UInt8]) -> CrashReport?) throws -> [RegroupedPart] {
        let crashes = try statement(
            "SELECT c.id FROM groupings g JOIN crashes c ON c.grouping = g.id WHERE g.issue = ? AND c.bytes > 0 ORDER BY c.id"
        )
        .all(.integer(issue.id)) { $0.integer(0) }
        var parts: [[UInt8]: RegroupedPart] = [:]
        for crash in crashes {
            guard let report = try readablePayload(of: crash).flatMap(decode) else { continue }
            let group = GroupingRule.current.group(report)
            parts[group.hash, default: RegroupedPart(group: group, crashes: [])].crashes.append(crash)
            parts[group.hash]?.builds[crash] = report.appBuild
        }
        return parts.values.sorted { ($1.crashes.count, $0.crashes[0]) < ($0.crashes.count, $1.crashes[0]) }
    }

    /// Whether the largest part keeps the issue: its group is known in no other.
    fileprivate func keepsFirst(_ groups: [RegroupedPart], _ issue: IssueRow) throws -> Bool {
        guard let first = groups.first else { return true }
        return try owner(of: first.group, issue).map { $0 == issue.id } ?? true
    }

    fileprivate func plan(_ issue: IssueRow, _ groups: [RegroupedPart]) throws -> IssueRegrouping {
        let leaving = groups.dropFirst(try keepsFirst(groups, issue) ? 1 : 0)
        let parts = try leaving.map { part in
            let owner = try owner(of: part.group, issue).flatMap { $0 == issue.id ? nil : try self.issue($0) }
            return IssueRegrouping.Part(
                title: part.group.title, culprit: part.group.culprit, reports: part.crashes.count,
                outcome: owner.map { .moved(into: $0.publicID) } ?? .split(nil))
        }
        return IssueRegrouping(issue: issue.publicID, title: issue.title, parts: parts)
    }

    /// Returns the issue that a group belongs to; nil for an unknown group.
    private func owner(of group: GroupKey, _ issue: IssueRow) throws -> Int64? {
        try statement("SELECT issue FROM groupings WHERE app = ? AND hash = ? AND version = ? AND kind = ? AND variant = x''")
            .first(.integer(issue.app), .blob(group.hash), .integer(group.version), .integer(issue.kind.rawValue)) { $0.integer(0) }
    }

    /// Returns the issues that have one of the groups, and the issue itself.
    fileprivate func issues(of groups: [RegroupedPart], _ issue: IssueRow) throws -> Set<Int64> {
        try groups.reduce(into: [issue.id]) { issues, part in
            if let owner = try owner(of: part.group, issue) { issues.insert(owner) }
        }
    }

    fileprivate func countedCrash(_ crash: Int64) throws -> CountedCrash? {
        let columns = CrashFacts.columns.split(separator: ", ").map { "c.\($0)" }.joined(separator: ", ")
        return try statement("SELECT \(columns), g.issue, c.bytes FROM crashes c JOIN groupings g ON g.id = c.grouping WHERE c.id = ?")
            .first(.integer(crash)) { CountedCrash(facts: CrashFacts($0), issue: $0.integer(7), bytes: $0.int(8)) }
    }
}
