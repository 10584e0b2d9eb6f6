// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import Platform
import SQLite

struct GroupingKey: Hashable {
    var app: Int64
    var kind: CrashKind
    var version: Int
    var hash: [UInt8]
    /// Empty for the row of all that have none of their own.
    var variant: [UInt8]
}

struct GroupingRow {
    var id: Int64
    var issue: Int64
}

extension CrashFileContext {
    /// Where a report belongs; made where nothing like it was seen. A new stack goes where the others of its hash are.
    func grouping(_ group: GroupKey, app: Int64, kind: CrashKind, time: Timestamp, newIssue: Int64? = nil) throws -> GroupingRow {
        let key = GroupingKey(app: app, kind: kind, version: group.version, hash: group.hash, variant: group.stackHash)
        if let known = try grouping(key) { return known }
        if try newIssue == nil && !group.isBeyond && restOf(key) == nil && isFull(app) {
            return try grouping(.beyond(group.version), app: app, kind: kind, time: time)
        }
        let rest = try restOf(key) ?? insert(rest(key), group, issue: newIssue ?? makeIssue(app: app, kind: kind, group, time: time).id)
        guard try file.variants(of: key) < limits.variants else { return rest }
        return try insert(key, group, issue: rest.issue)
    }

    /// Whoever has an ingest key can name as many errors as they like.
    private func isFull(_ app: Int64) throws -> Bool {
        let count = try issueCounts[app] ?? file.issueCount(of: app)
        issueCounts[app] = count
        return count >= limits.issues
    }

    func restOf(_ key: GroupingKey) throws -> GroupingRow? { try grouping(rest(key)) }

    private func rest(_ key: GroupingKey) -> GroupingKey {
        var key = key
        key.variant = []
        return key
    }

    private func grouping(_ key: GroupingKey) throws -> GroupingRow? {
        if let known = groupings[key] { return known }
        let row = try file.statement("SELECT id, issue FROM groupings WHERE app = ? AND hash = ? AND version = ? AND kind = ? AND variant = ?")
            .first(.integer(key.app), .blob(key.hash), .integer(key.version), .integer(key.kind.rawValue), .blob(key.variant)) {
                GroupingRow(id: $0.integer(0), issue: $0.integer(1))
            }
        if let row { groupings[key] = row }
        return row
    }

    private func insert(_ key: GroupingKey, _ group: GroupKey, issue: Int64) throws -> GroupingRow {
        try file.statement(
            "INSERT INTO groupings (app, kind, version, hash, variant, issue, title, culprit, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).run(
            .integer(key.app), .integer(key.kind.rawValue), .integer(key.version), .blob(key.hash), .blob(key.variant), .integer(issue),
            .text(group.title), .text(group.culprit), .text(group.reason))
        let row = GroupingRow(id: file.lastInsertedRow, issue: issue)
        groupings[key] = row
        return row
    }
}

extension GroupKey {
    /// Where what is new belongs while an app has as many issues as it may.
    fileprivate static func beyond(_ version: Int) -> GroupKey {
        GroupKey(
            version: version, hash: hashBeyond, stackHash: hashBeyond, reason: "the app has as many issues as it may",
            title: "Errors beyond the issues' number",
            culprit: nil)
    }

    /// No rule makes it.
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
