// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import Platform
import SQLite

/// Binds the groups of a new grouping rule to the issues that older rules made, so that known faults make no new issues.
///
/// A background pass groups each stored report again. Its new group belongs to its issue from then on, without an alert. A report that
/// arrives meanwhile with an unknown group goes where the older rule puts it, provisionally, and is judged again at the end:
///
///     issue 7, rule 1: reports r1, r2                     pass: g(r1) = A → issue 7, g(r2) = B → issue 7
///     new report of group C during the pass               rule 1 says issue 7 → C is provisional in 7
///     end of the pass                                     no stored report of issue 7 has C → C becomes issue 9, with an alert
///     new report of group D after the pass                issue 7 has groups of rule 2 → a new issue, with an alert
///     issue 8, rule 1: no stored report; group E          issue 8 has no group of rule 2 → rule 1 decides: E → issue 8
extension CrashFileContext {
    private static let version = GroupingRule.current.version
    /// The reports of one step. Each is decoded, so intake waits for a few milliseconds.
    private static let reportsPerStep = 50

    struct Inheritance {
        var issue: Int64
        /// The row of the older rule.
        var grouping: Int64
        var isProvisional: Bool
    }

    /// Returns the issue to which an older rule assigns a report of an unknown group; nil if the group makes a new issue.
    func inheritedIssue(of report: CrashReport, _ key: GroupingKey) throws -> Inheritance? {
        guard key.version == CrashFileContext.version else { return nil }
        let progress = try file.bindingProgress(version: key.version)
        if progress == .unneeded { return nil }
        for rule in GroupingRule.rules.reversed() where rule.version < key.version {
            let old = rule.group(report)
            var oldKey = key
            (oldKey.version, oldKey.hash, oldKey.variant) = (rule.version, old.hash, old.stackHash)
            guard let row = try grouping(oldKey) ?? restOf(oldKey) else { continue }
            if progress != .done { return Inheritance(issue: row.issue, grouping: row.id, isProvisional: true) }
            return try file.hasGroup(of: key.version, issue: row.issue) ? nil : Inheritance(issue: row.issue, grouping: row.id, isProvisional: false)
        }
        return nil
    }

    /// Does one step. Returns whether there is more to do.
    func bindOlderGroups() throws -> Bool {
        let version = CrashFileContext.version
        switch try file.bindingProgress(version: version) {
        case .done, .unneeded: return false
        case .notBegun:
            try file.save(try file.hasOlderGroups(than: version) ? .binding(next: 0, until: try file.lastCrash()) : .unneeded, version: version)
        case .binding(let next, let until):
            let reports = try file.olderReports(than: version, after: next, until: until, limit: CrashFileContext.reportsPerStep)
            for report in reports { try bind(report) }
            let isLast = reports.count < CrashFileContext.reportsPerStep
            try file.save(isLast ? .settling : .binding(next: reports.last?.crash ?? until, until: until), version: version)
        case .settling:
            guard let group = try file.provisionalGroup() else {
                try file.statement("UPDATE groupings SET provisional = 0 WHERE provisional = \(sql: Provisional.splitOff)").run()
                try file.save(.done, version: version)
                return false
            }
            try settle(group, version)
        }
        return true
    }

    /// Gives a stored report's new group to its issue, unless it already belongs to one.
    ///
    /// A stack that was split off its group stays apart, and does not take the other stacks of the group along:
    ///
    ///     issue 7: (h, –), (h, s2)    issue 8, split off: (h, s1)    new groups of their reports: (H, S1), (H, S2)
    ///     (h, s1)  →  (H, –) and (H, S1) in 8
    ///     (h, s2)  →  (H, –) moves to 7
    private func bind(_ old: OlderReport) throws {
        guard let payload = try file.readablePayload(of: old.crash), let report = limits.report(payload) else { return }
        let group = GroupingRule.current.group(report)
        let stack = GroupingKey(app: old.app, kind: old.kind, version: group.version, hash: group.hash, variant: group.stackHash)
        let key = rest(stack)
        if let known = try grouping(key) {
            if old.isSplit {
                try confirm(known, in: old.issue, as: .splitOff)
                return try insertStack(stack, group, issue: old.issue)
            }
            guard try take(known, to: old.issue) else { return }
            groupings[key] = nil
        } else {
            try insert(key, group, issue: old.issue, provisional: old.isSplit ? .splitOff : .no)
            if old.isSplit { try insertStack(stack, group, issue: old.issue) }
        }
        try inheritFormer(key, from: old.grouping)
        try change(issue: old.issue) { ($0.title, $0.culprit, $0.reason) = (group.title, group.culprit, group.reason) }
    }

    /// Confirms a default row in an issue. Returns whether it moved there from that of a stack which was split off.
    private func take(_ known: GroupingRow, to issue: Int64) throws -> Bool {
        try confirm(known, in: issue, as: .no)
        let move = try file.statement(
            """
            UPDATE groupings SET issue = ?1, former = NULL, placed = 0, provisional = 0
            WHERE id = ?2 AND issue <> ?1 AND provisional = \(sql: Provisional.splitOff) AND count = 0 RETURNING id
            """)
        return try move.first(.integer(issue), .integer(known.id)) { _ in true } ?? false
    }

    /// Keeps a provisional default row that a new report made in an issue, because a stored report of the issue has the group.
    private func confirm(_ known: GroupingRow, in issue: Int64, as provisional: Provisional) throws {
        try file.statement("UPDATE groupings SET provisional = ? WHERE id = ? AND issue = ? AND provisional > 0")
            .run(integers: [Int64(provisional.rawValue), known.id, issue])
    }

    /// Judges a provisional group: it becomes an issue of its own if stored reports showed which groups the older issue consists of.
    private func settle(_ group: ProvisionalGroup, _ version: Int) throws {
        try file.statement("UPDATE groupings SET provisional = 0 WHERE id = ?").run(integers: [group.id])
        guard try file.hasGroup(of: version, issue: group.issue, except: group.id), let issue = try issue(group.issue) else { return }
        do {
            let made = try split(group.id, from: issue)
            try note(.appeared, of: try file.issue(named: made, app: AppID(rawValue: issue.app)).id, detail: nil)
        } catch is Refusal {
            // All reports of the issue are of this group, so it stays.
        }
    }
}

/// A stored report that counts for a group of an older rule.
private struct OlderReport {
    var crash: Int64
    var app: Int64
    var kind: CrashKind
    var issue: Int64
    var grouping: Int64
    /// Whether the older group itself belongs to another issue.
    var isSplit: Bool
}

private struct ProvisionalGroup {
    var id: Int64
    var issue: Int64
}

extension CrashDB {
    fileprivate func hasOlderGroups(than version: Int) throws -> Bool {
        try statement("SELECT 1 FROM groupings WHERE version < ? LIMIT 1").first(.integer(version)) { _ in true } ?? false
    }

    fileprivate func lastCrash() throws -> Int64 {
        try statement("SELECT ifnull(max(id), 0) FROM crashes").first { $0.integer(0) } ?? 0
    }

    fileprivate func olderReports(than version: Int, after crash: Int64, until last: Int64, limit: Int) throws -> [OlderReport] {
        try statement(
            """
            SELECT c.id, c.app, c.kind, g.issue, g.id, ifnull(d.issue, g.issue) <> g.issue FROM crashes c JOIN groupings g ON g.id = c.grouping
            LEFT JOIN groupings d ON d.app = g.app AND d.hash = g.hash AND d.version = g.version AND d.kind = g.kind AND d.variant = x''
            WHERE c.id > ? AND c.id <= ? AND c.bytes > 0 AND g.version < ? ORDER BY c.id LIMIT ?
            """
        ).all(.integer(crash), .integer(last), .integer(version), .integer(limit)) { row in
            OlderReport(
                crash: row.integer(0), app: row.integer(1), kind: CrashKind(rawValue: row.int(2)) ?? .nonfatal, issue: row.integer(3),
                grouping: row.integer(4), isSplit: row.int(5) != 0)
        }
    }

    fileprivate func provisionalGroup() throws -> ProvisionalGroup? {
        try statement("SELECT id, issue FROM groupings WHERE provisional = 1 ORDER BY id LIMIT 1").first {
            ProvisionalGroup(id: $0.integer(0), issue: $0.integer(1))
        }
    }

    /// Whether an issue has a group of a rule that is not provisional.
    fileprivate func hasGroup(of version: Int, issue: Int64, except id: Int64 = 0) throws -> Bool {
        try statement("SELECT 1 FROM groupings WHERE issue = ? AND version = ? AND provisional = 0 AND variant = x'' AND id <> ? LIMIT 1")
            .first(.integer(issue), .integer(version), .integer(id)) { _ in true } ?? false
    }
}
