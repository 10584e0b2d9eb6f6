// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// A running store with a manual clock, and short forms of crash reports.
struct CrashWorld: StoreWorld {
    static var bounds: WritableKeyPath<StoreOptions, CrashBounds> { \.crashes }

    let store: Stores
    let clock: ManualClock
    var crashes: CrashStore { store.crashes }

    // MARK: Reports

    /// Returns a group per name. The stack is the same unless given.
    static func group(_ name: String, stack: String = "", version: Int = 1) -> GroupKey {
        GroupKey(
            version: version, hash: Array("\(name)-hash-of-it!".utf8), stackHash: Array("\(name)/\(stack)".utf8), reason: "for \(name)", title: name,
            culprit: "\(name)()")
    }

    func report(
        _ id: String, kind: CrashKind = .fatal, at time: Timestamp? = nil, user: String? = nil, installation: String? = "phone",
        session: String? = nil, release: String? = "1.0", os: String? = "17", device: String? = "iPhone", images: [BinaryImage] = []
    ) -> CrashReport {
        var report = CrashReport(id: id, kind: kind, level: .fatal, time: time ?? clock.now, type: "Boom")
        (report.user, report.installation, report.session, report.release, report.images) = (user, installation, session, release, images)
        report.context = [("os_version", os), ("device_model", device)].compactMap { name, value in value.map { CustomKey(name, $0) } }
        return report
    }

    @discardableResult
    func take(_ reports: [CrashReport], _ group: GroupKey, app: AppID = app, payload: String? = nil) async throws -> [CrashVerdict] {
        let submissions = reports.enumerated().map { index, report in
            CrashSubmission(index: index, report: report, group: group, payload: Array((payload ?? "{\"id\":\"\(report.id)\"}").utf8))
        }
        return try await crashes.take(submissions, app: app)
    }

    @discardableResult
    func take(_ id: String, _ name: String, stack: String = "", app: AppID = app, release: String? = "1.0", user: String? = nil) async throws
        -> CrashVerdict
    {
        try await take([report(id, user: user, release: release)], Self.group(name, stack: stack), app: app)[0]
    }

    // MARK: Stored rows

    func issues(_ change: (inout IssueQuery) -> Void = { _ in }) async throws -> [IssueSummary] {
        var query = IssueQuery(app: Self.app)
        change(&query)
        return try await crashes.issues(query).items
    }

    /// Returns the only issue with a title.
    func issue(_ title: String) async throws -> IssueSummary {
        try #require(try await issues().first { $0.title == title })
    }

    func query<T: Sendable>(_ sql: String, _ row: @escaping @Sendable (Row) throws -> T) async throws -> [T] {
        try await crashes.read { try $0.uncached(sql).all(row: row) }
    }

    /// Expects that the counters match the rows.
    func expectWhole(_ comment: String = "", at location: SourceLocation = #_sourceLocation) async throws {
        for (what, sql) in CrashRecount.wrongs {
            let rows = try await query(sql) { $0.integer(0) }
            #expect(rows.isEmpty, "\(what) \(comment)", sourceLocation: location)
        }
    }
}

extension CrashQuery {
    static func page(grouping: Int64? = nil, after place: (time: Timestamp, row: Int64)? = nil, limit: Int) -> CrashQuery {
        var query = CrashQuery(limit: limit)
        (query.grouping, query.after) = (grouping, place)
        return query
    }
}
