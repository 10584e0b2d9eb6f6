// SPDX-License-Identifier: Apache-2.0

import Crashes
import Database
import Platform
import SQLite

/// The environment and tags of a report as keys, by which reports are filtered. Tags are the report's custom keys, among which integrations
/// put the tags of their SDKs.
///
///     environment "live", custom keys plan = "pro", trace_id = "5f…"
///       → [key of "live", key of "plan:pro", key of "trace_id:5f…"], 24 bytes in `report_tags`
///
/// A filter scans the keys of an app's stored reports, whose number has a quota (`CrashBounds.payloadsOfApp`). An index by key would cost
/// up to 65 insertions a report.
struct ReportTags: Sendable {
    /// The key of the environment, 0 for none, and those of the tags.
    let keys: [UInt64]

    init(_ report: CrashReport, app: AppID, _ hash: KeyedHash) {
        let environment = report.contextValue("environment").map { hash.environmentKey($0, app: app) }
        let tags = report.customKeys.prefix(CrashLimits.customKeys).map { hash.tagKey("\($0.name):\($0.value)", app: app) }
        keys = environment == nil && tags.isEmpty ? [] : [environment ?? 0] + tags
    }
}

extension KeyedHash {
    func environmentKey(_ name: String, app: AppID) -> UInt64 { self(.environment, app: app, Array(name.utf8).span) }

    /// - Parameter tag: The name and value as in `plan:pro`.
    func tagKey(_ tag: String, app: AppID) -> UInt64 { self(.tag, app: app, Array(tag.utf8).span) }
}

/// Conditions that one stored report must meet. They are part of queries for issues and for reports.
package struct ReportFilter: Sendable {
    package var environment: String?
    /// Tags as in `plan:pro`, all of which the report must have.
    package var tags: [String] = []

    package init() {}

    package var isEmpty: Bool { environment == nil && tags.isEmpty }

    func keys(_ hash: KeyedHash, app: AppID) -> [UInt64] {
        (environment.map { [hash.environmentKey($0, app: app)] } ?? []) + tags.map { hash.tagKey($0, app: app) }
    }

    /// Returns a condition on `report_tags t` with a value for each key.
    static func condition(_ keys: [UInt64]) -> (sql: String, values: [Value]) {
        (keys.map { _ in "instr(t.keys, ?) > 0" }.joined(separator: " AND "), keys.map { .words([$0]) })
    }
}

extension CrashFileContext {
    func insert(_ tags: ReportTags, of crash: Int64) throws {
        if tags.keys.isEmpty { return }
        try file.statement("INSERT INTO report_tags (crash, keys) VALUES (?, ?)").run(.integer(crash), .words(tags.keys))
    }

    func removeTags(of crash: Int64) throws {
        try file.statement("DELETE FROM report_tags WHERE crash = ?").run(integers: [crash])
    }

    /// Keeps only the environment, as the report's custom keys are removed.
    func anonymizeTags(of crash: Int64) throws {
        try file.statement("UPDATE report_tags SET keys = substr(keys, 1, 8) WHERE crash = ?").run(integers: [crash])
    }
}
