// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import Platform
import SQLite

/// The key of a row of `groupings`.
struct GroupingKey: Hashable {
    var app: Int64
    var kind: CrashKind
    var version: Int
    var hash: [UInt8]
    /// The hash of the whole stack. Empty for the group's default row.
    var variant: [UInt8]
}

/// Why the issue of a default row may change at the end of the pass that binds older groups, in the column `provisional`.
enum Provisional: Int, StoredWord {
    case no
    /// An older rule assigned the group of a new report.
    case older
    /// Only stacks that a user had split off were seen.
    case splitOff
}

/// A row of `groupings` and the issue to which it belongs.
struct GroupingRow {
    var id: Int64
    var issue: Int64
}

/// Assigns reports to groupings, and groupings to issues.
///
/// A group is one fingerprint, `GroupKey.hash`. It has a default row with an empty variant, and a row for each of its first 50 stacks, the
/// variants. Counters belong to these rows, not to issues, so merging and splitting only changes `groupings.issue`:
///
///     report, hash h1, stack s1       (h1, –) → issue 7, (h1, s1) → issue 7     a new group makes an issue
///     report, hash h1, stack s2       (h1, s2) → issue 7                        a new stack joins the issue of the default row
///     split(s2)                       (h1, s2) → issue 8                        later reports of s2 count for issue 8
///     report, hash h1, stack s3       (h1, s3) → issue 7
///     report, hash h1, 51st stack     counts for (h1, –)                        `CrashBounds.variants`
///     report, hash h2, 20,000 issues  counts for the group `hashBeyond`         `CrashBounds.issues`; one issue collects new groups
extension CrashFileContext {
    /// Returns the row for which a report counts. Inserts it, its default row and its issue if they are missing.
    ///
    /// - Parameter newIssue: The issue of a new group; nil for a new issue, or that of the report's group under an older rule.
    func grouping(
        _ group: GroupKey, app: Int64, kind: CrashKind, time: Timestamp, newIssue: Int64? = nil, report: CrashReport? = nil
    ) throws -> GroupingRow {
        let key = GroupingKey(app: app, kind: kind, version: group.version, hash: group.hash, variant: group.stackHash)
        if let known = try grouping(key) { return known }
        let isUnknown = try newIssue == nil && !group.isBeyond && restOf(key) == nil
        let inherited = isUnknown ? try report.flatMap { try inheritedIssue(of: $0, key) } : nil
        if isUnknown, inherited == nil, try isFull(app) { return try grouping(.beyond(group.version), app: app, kind: kind, time: time) }
        let rest =
            try restOf(key)
            ?? insert(
                rest(key), group, issue: newIssue ?? inherited?.issue ?? makeIssue(app: app, kind: kind, group, time: time).id,
                provisional: inherited?.isProvisional == true ? .older : .no)
        if let inherited, !inherited.isProvisional { try inheritFormer(self.rest(key), from: inherited.grouping) }
        guard try file.variants(of: key) < limits.variants else { return rest }
        return try insert(key, group, issue: rest.issue)
    }

    /// Lets later reports of a stack count for an issue, apart from the other stacks of its group. A known stack, or an unknown group, stays.
    func bind(_ stack: GroupingKey, _ group: GroupKey, to issue: Int64) throws {
        guard try grouping(stack) == nil, let rest = try restOf(stack), rest.issue != issue else { return }
        try insertStack(stack, group, issue: issue)
    }

    /// Inserts a row for a stack, unless it is known or its group has its maximum number of stacks.
    func insertStack(_ stack: GroupingKey, _ group: GroupKey, issue: Int64) throws {
        guard try grouping(stack) == nil, try file.variants(of: stack) < limits.variants else { return }
        try insert(stack, group, issue: issue)
    }

    /// Whether the app has its maximum number of issues. The limit is needed because clients choose the names that make issues.
    private func isFull(_ app: Int64) throws -> Bool {
        let count = try issueCounts[app] ?? file.issueCount(of: app)
        issueCounts[app] = count
        return count >= limits.issues
    }

    func restOf(_ key: GroupingKey) throws -> GroupingRow? { try grouping(rest(key)) }

    func rest(_ key: GroupingKey) -> GroupingKey {
        var key = key
        key.variant = []
        return key
    }

    func grouping(_ key: GroupingKey) throws -> GroupingRow? {
        if let known = groupings[key] { return known }
        let row = try file.statement("SELECT id, issue FROM groupings WHERE app = ? AND hash = ? AND version = ? AND kind = ? AND variant = ?")
            .first(.integer(key.app), .blob(key.hash), .integer(key.version), .integer(key.kind.rawValue), .blob(key.variant)) {
                GroupingRow(id: $0.integer(0), issue: $0.integer(1))
            }
        if let row { groupings[key] = row }
        return row
    }

    /// Inserts a row. A new stack came from the same merged issue as the default row of its group.
    @discardableResult
    func insert(_ key: GroupingKey, _ group: GroupKey, issue: Int64, provisional: Provisional = .no) throws -> GroupingRow {
        try file.statement(
            """
            INSERT INTO groupings (app, kind, version, hash, variant, issue, title, culprit, reason, provisional, former, placed)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, max(former), ifnull(max(placed), 0) FROM groupings
            WHERE app = ?1 AND hash = ?4 AND version = ?3 AND kind = ?2 AND variant = x'' AND issue = ?6
            """
        ).run(
            .integer(key.app), .integer(key.kind.rawValue), .integer(key.version), .blob(key.hash), .blob(key.variant), .integer(issue),
            .text(group.title), .text(group.culprit), .text(group.reason), .integer(provisional.rawValue))
        let row = GroupingRow(id: file.lastInsertedRow, issue: issue)
        groupings[key] = row
        return row
    }
}

extension GroupKey {
    /// The group that collects reports of new groups while the app has its maximum number of issues.
    fileprivate static func beyond(_ version: Int) -> GroupKey {
        GroupKey(
            version: version, hash: hashBeyond, stackHash: hashBeyond, reason: "the app has reached its limit of issues",
            title: "Errors beyond the limit of issues",
            culprit: nil)
    }

    /// A hash that no grouping rule produces.
    static let hashBeyond = [UInt8](repeating: 0, count: 16)
    fileprivate var isBeyond: Bool { hash == GroupKey.hashBeyond }
}

extension CrashDB {
    func issueCount(of app: Int64) throws -> Int {
        try statement("SELECT count(*) FROM issues WHERE app = ?").first(.integer(app)) { $0.int(0) } ?? 0
    }

    fileprivate func variants(of key: GroupingKey) throws -> Int {
        try statement("SELECT count(*) FROM groupings WHERE app = ? AND hash = ? AND version = ? AND kind = ? AND variant <> x''")
            .first(.integer(key.app), .blob(key.hash), .integer(key.version), .integer(key.kind.rawValue)) { $0.int(0) } ?? 0
    }

    package func groupings(of issue: Int64) throws -> [Int64] {
        try statement("SELECT id FROM groupings WHERE issue = ? ORDER BY id").all(.integer(issue)) { $0.integer(0) }
    }
}
