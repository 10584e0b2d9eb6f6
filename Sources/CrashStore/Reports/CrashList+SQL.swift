// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

/// A query for a page of an issue's reports, the newest first.
package struct CrashQuery: Sendable {
    /// The row of a grouping; nil for all.
    package var grouping: Int64?
    package var release: String?
    /// The environment and tags. Only reports with a document have them.
    package var report = ReportFilter()
    /// Whether only reports with a document are returned.
    package var onlyWhole = false
    /// The position of the last report of the previous page.
    package var after: (time: Timestamp, row: Int64)?
    package var limit: Int

    package init(limit: Int) {
        self.limit = limit
    }
}

extension CrashStore {
    /// Returns an issue's reports by time, the newest first.
    package func events(of id: String, app: AppID, _ query: CrashQuery) async throws -> [StoredCrash] {
        let tags = query.report.keys(hash, app: app)
        return try await read { file in
            let issue = try file.issue(named: id, app: app)
            let release = try query.release.map { try file.numbers(ofRelease: $0, app: app) }
            let groupings = try file.groupings(of: issue.id).filter { query.grouping == nil || $0 == query.grouping }
            return try file.crashes(of: groupings, query, release: release, tags: tags)
        }
    }
}

extension CrashDB {
    /// Returns the newest reports. Each grouping's index yields its newest, and these are merged.
    ///
    /// - Parameter release: The numbers of `query.release` in `words`.
    /// - Parameter tags: The keys of `query.report`.
    fileprivate func crashes(of groupings: [Int64], _ query: CrashQuery, release: ReleaseNumbers?, tags: [UInt64]) throws -> [StoredCrash] {
        var found: [(time: Int64, id: Int64)] = []
        for grouping in groupings {
            guard let (sql, values) = try list(grouping, query, release: release, tags: tags) else { continue }
            try statement(sql).each(values) { found.append(($0.integer(0), $0.integer(1))) }
        }
        let newest = found.sorted { ($0.time, $0.id) > ($1.time, $1.id) }.prefix(query.limit)
        let read = try statement("\(StoredCrash.selection) WHERE c.id = ?")
        return try newest.compactMap { try read.first(.integer($0.id), row: StoredCrash.init) }
    }

    /// Returns the statement of a grouping's newest reports; nil if it has none of the release.
    ///
    /// Reports of a release are searched on the days on which it occurred. Tags are searched in stored documents, whose number has a quota.
    private func list(
        _ grouping: Int64, _ query: CrashQuery, release: ReleaseNumbers?, tags: [UInt64]
    ) throws -> (sql: String, values: [Value])? {
        let place = (query.after?.time.milliseconds ?? .max, query.after?.row ?? .max)
        var sql = "WHERE c.grouping = ? AND (c.time, c.id) < (?, ?)"
        var values: [Value] = [.integer(grouping), .integer(place.0), .integer(place.1)]
        if let release {
            guard let days = try days(of: grouping, release: release) else { return nil }
            sql += " AND c.release IN (?, ?) AND c.time >= ? AND c.time < ?"
            values += release.values + [.integer(days.lowerBound * Day.milliseconds), .integer((days.upperBound + 1) * Day.milliseconds)]
        }
        if query.onlyWhole { sql += " AND c.bytes > 0" }
        var tables = "crashes c"
        if !tags.isEmpty {
            let condition = ReportFilter.condition(tags)
            tables += " INDEXED BY crashes_to_evict_of_grouping JOIN report_tags t ON t.crash = c.id"
            sql += " AND c.irrelevance IS NOT NULL AND \(condition.sql)"
            values += condition.values
        }
        return ("SELECT c.time, c.id FROM \(tables) \(sql) ORDER BY c.time DESC, c.id DESC LIMIT ?", values + [.integer(query.limit)])
    }

    /// Returns the first and last day of a release in a grouping.
    private func days(of grouping: Int64, release: ReleaseNumbers) throws -> ClosedRange<Int64>? {
        try statement("SELECT min(day), max(day) FROM issue_days WHERE grouping = ? AND release IN (?, ?) AND count > 0")
            .first(.integer(grouping), .integer(release.exact), .integer(release.key)) { $0.isNull(0) ? nil : $0.integer(0)...$0.integer(1) } ?? nil
    }
}
