// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import Platform
import SQLite

/// The stored reports of an issue that have one group under the newest rule.
struct RegroupedPart: Sendable {
    var group: GroupKey
    var crashes: [Int64] = []
    /// The stacks of those reports, which differ within a group.
    var stacks: [Int64: [UInt8]] = [:]
    /// The builds of those reports that name one.
    var builds: [Int64: String] = [:]
    /// The groups of those reports under older rules.
    var olderGroups: Set<[UInt8]> = []
    /// Whether a user's merge or split put one of the reports into the issue.
    var isPlacedByUser = false
    /// The other issue that has the group; nil if it is unknown or belongs to the issue itself.
    var owner: Int64?
}

/// The division of an issue by the newest grouping rule.
///
/// Rule 1 put A, B and C together, and a user merged D into the issue. C is known in issue 5:
///
///     staying    A (30 reports), D (2)       A is the largest of its older group, D was placed by a user
///     leaving    B (4) → a new issue, C (2) → issue 5
struct RegroupPlan {
    /// The parts that stay, the largest first.
    var staying: [RegroupedPart] = []
    var leaving: [RegroupedPart] = []
    /// The issue into which this one is merged with its staying parts, because all its parts belong to others.
    var successor: Int64?

    /// - Parameter parts: The parts of an issue, the largest first.
    init(_ parts: [RegroupedPart]) {
        let free = parts.filter { !$0.isPlacedByUser }
        for part in free.filter({ $0.owner == nil }) + free.filter({ $0.owner != nil }) {
            if staying.contains(where: { !$0.olderGroups.isDisjoint(with: part.olderGroups) }) {
                leaving.append(part)
            } else {
                staying.append(part)
            }
        }
        let placed = parts.filter(\.isPlacedByUser)
        if placed.isEmpty, staying.allSatisfy({ $0.owner != nil }) { successor = staying.first?.owner }
        staying = (staying + placed).sorted { RegroupPlan.isLarger($0, than: $1) }
        leaving.sort { RegroupPlan.isLarger($0, than: $1) }
    }

    /// The parts whose reports count for the row of their new group. Those of other staying parts keep their rows, as some of their stacks may
    /// have been split off.
    var counted: [RegroupedPart] { leaving + staying.filter { $0.owner != nil && $0.owner == successor } }

    static func isLarger(_ a: RegroupedPart, than b: RegroupedPart) -> Bool {
        (b.crashes.count, a.crashes[0]) < (a.crashes.count, b.crashes[0])
    }
}

/// A stored report and its group.
private struct PlacedCrash {
    var row: Int64
    var version: Int
    var hash: [UInt8]
    /// Whether its grouping came by a merge, or was split off its group.
    var isPlacedByUser: Bool
}

extension CrashDB {
    /// Returns the groups of an issue's stored reports under the newest rule, the largest first.
    func regroupedParts(of issue: IssueRow, _ decode: ([UInt8]) -> CrashReport?) throws -> [RegroupedPart] {
        var parts: [[UInt8]: RegroupedPart] = [:]
        for crash in try placedCrashes(of: issue) {
            guard let report = try readablePayload(of: crash.row).flatMap(decode) else { continue }
            let group = GroupingRule.current.group(report)
            var part = parts[group.hash] ?? RegroupedPart(group: group)
            part.crashes.append(crash.row)
            (part.stacks[crash.row], part.builds[crash.row]) = (group.stackHash, report.appBuild)
            for rule in GroupingRule.rules.dropLast() {
                part.olderGroups.insert(rule.version == crash.version ? crash.hash : rule.group(report).hash)
            }
            part.isPlacedByUser = part.isPlacedByUser || crash.isPlacedByUser
            parts[group.hash] = part
        }
        return parts.values.sorted { RegroupPlan.isLarger($0, than: $1) }
    }

    func plan(_ issue: IssueRow, _ parts: [RegroupedPart]) throws -> RegroupPlan {
        RegroupPlan(
            try parts.map { part in
                var part = part
                part.owner = try owner(of: part.group, issue).flatMap { $0 == issue.id ? nil : $0 }
                if let owner = try part.owner.flatMap(self.issue), try isSplit(issue, from: owner) { part.isPlacedByUser = true }
                return part
            })
    }

    /// Returns what a plan changes; nil if it changes nothing.
    func change(by plan: RegroupPlan, of issue: IssueRow) throws -> IssueRegrouping? {
        let leaving = try plan.leaving.map { try change(by: $0, into: $0.owner) }
        let merged = try plan.successor.map { successor in try plan.staying.map { try change(by: $0, into: successor) } } ?? []
        if leaving.isEmpty, merged.isEmpty { return nil }
        return IssueRegrouping(issue: issue.publicID, title: issue.title, parts: leaving + merged)
    }

    private func change(by part: RegroupedPart, into target: Int64?) throws -> IssueRegrouping.Part {
        let owner = try target.flatMap(issue)
        return IssueRegrouping.Part(
            title: part.group.title, culprit: part.group.culprit, reports: part.crashes.count,
            outcome: owner.map { .moved(into: $0.publicID) } ?? .split(nil))
    }

    private func placedCrashes(of issue: IssueRow) throws -> [PlacedCrash] {
        try statement(
            """
            SELECT c.id, g.version, g.hash, g.placed OR ifnull(d.issue, g.issue) <> g.issue
            FROM groupings g JOIN crashes c ON c.grouping = g.id
            LEFT JOIN groupings d ON d.app = g.app AND d.hash = g.hash AND d.version = g.version AND d.kind = g.kind AND d.variant = x''
            WHERE g.issue = ? AND c.bytes > 0 ORDER BY c.id
            """
        ).all(.integer(issue.id)) { PlacedCrash(row: $0.integer(0), version: $0.int(1), hash: $0.bytes(2), isPlacedByUser: $0.int(3) != 0) }
    }

    /// Returns the issue that a group belongs to; nil for an unknown group.
    private func owner(of group: GroupKey, _ issue: IssueRow) throws -> Int64? {
        try statement("SELECT issue FROM groupings WHERE app = ? AND hash = ? AND version = ? AND kind = ? AND variant = x''")
            .first(.integer(issue.app), .blob(group.hash), .integer(group.version), .integer(issue.kind.rawValue)) { $0.integer(0) }
    }

    /// Whether one of two issues was split off the other.
    private func isSplit(_ a: IssueRow, from b: IssueRow) throws -> Bool {
        try statement("SELECT 1 FROM turns WHERE kind = ?1 AND (issue = ?2 AND detail = ?3 OR issue = ?4 AND detail = ?5) LIMIT 1").first(
            .integer(IssueTransitionKind.split.rawValue), .integer(a.id), .text(b.publicID), .integer(b.id), .text(a.publicID)
        ) { _ in true } ?? false
    }
}
