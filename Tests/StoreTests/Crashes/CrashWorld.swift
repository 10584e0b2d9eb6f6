import Crashes
import Platform
import SQLite
import TestSupport
import Testing

@testable import Store

/// A running store with a clock that stands still, and short ways to say what crashes.
struct CrashWorld: Sendable {
    static let start = Timestamp(milliseconds: 1_790_000_000_000)
    static let app = AppID(rawValue: 1)

    let store: Store
    let clock: ManualClock
    var crashes: CrashStore { store.crashes }

    static func run<T: Sendable>(
        in folder: TemporaryFolder = TemporaryFolder(), clock: ManualClock = ManualClock(start), _ bounds: CrashBounds = CrashBounds(),
        metrics: Metrics = Metrics(), _ body: @Sendable (CrashWorld) async throws -> T
    ) async throws -> T {
        var options = StoreOptions()
        options.crashes = bounds
        return try await withStore(in: folder, options: options, clock: clock.clock, metrics: metrics) { store in
            try await body(CrashWorld(store: store, clock: clock))
        }
    }

    // MARK: Reports

    /// A group of its own for each name; the same stack unless another is said.
    static func group(_ name: String, stack: String = "", version: Int = 1) -> GroupKey {
        GroupKey(
            version: version, hash: Array("\(name)-hash-of-it!".utf8), variant: Array("\(name)/\(stack)".utf8), reason: "for \(name)", title: name,
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

    // MARK: What is there

    func issues(_ change: (inout IssueQuery) -> Void = { _ in }) async throws -> [IssueSummary] {
        var query = IssueQuery(app: Self.app)
        change(&query)
        return try await crashes.issues(query).items
    }

    /// The one issue of a title.
    func issue(_ title: String) async throws -> IssueSummary {
        try #require(try await issues().first { $0.title == title })
    }

    func query<T: Sendable>(_ sql: String, _ row: @escaping @Sendable (Row) throws -> T) async throws -> [T] {
        try await crashes.read { try $0.uncached(sql).all(row: row) }
    }

    /// Whatever happened: what is counted is what is there.
    func expectWhole(_ comment: String = "", at location: SourceLocation = #_sourceLocation) async throws {
        for (what, sql) in Self.wrongs {
            let rows = try await query(sql) { $0.integer(0) }
            #expect(rows.isEmpty, "\(what) \(comment)", sourceLocation: location)
        }
    }

    private static let person = "CASE WHEN user = 0 THEN installation ELSE user END"
    /// What no row may ever be, with the rows that are.
    private static let wrongs = [
        "an issue that counts otherwise than its groupings":
            "SELECT id FROM issues i WHERE count <> (SELECT sum(count) FROM groupings WHERE issue = i.id)",
        "an issue first or last seen otherwise than its groupings": """
        SELECT id FROM issues i WHERE (first_seen, last_seen) IS NOT
            (SELECT min(first_seen), max(last_seen) FROM groupings WHERE issue = i.id AND count > 0)
        """,
        "an issue without groupings": "SELECT id FROM issues WHERE id NOT IN (SELECT issue FROM groupings)",
        "a grouping of no issue": "SELECT id FROM groupings WHERE issue NOT IN (SELECT id FROM issues)",
        "a grouping that counts less than is there": """
        SELECT id FROM groupings g WHERE count < (SELECT count(*) FROM crashes WHERE grouping = g.id)
        """,
        "a grouping that counts otherwise than its days": """
        SELECT id FROM groupings g WHERE count <> (SELECT ifnull(sum(count), 0) FROM issue_days WHERE grouping = g.id)
        """,
        "people that do not agree with the reports": """
        SELECT coalesce(p.issue, c.issue) FROM issue_people p FULL JOIN
            (SELECT issue, \(person) AS person, count(*) AS count FROM crashes JOIN groupings g ON g.id = grouping WHERE \(person) <> 0 GROUP BY 1, 2) c
            USING (issue, person) WHERE c.count IS NOT p.count
        """,
        "an issue with other users than it has": "SELECT id FROM issues i WHERE users <> (SELECT count(*) FROM issue_people WHERE issue = i.id)",
        "an issue that keeps other documents than it has": """
        SELECT id FROM issues i WHERE (kept, kept_bytes) IS NOT (SELECT count(*), ifnull(sum(bytes), 0) FROM crashes JOIN groupings g
            ON g.id = grouping WHERE g.issue = i.id AND bytes > 0)
        """,
        "an app that keeps other documents than it has": """
        SELECT app FROM stored s WHERE (payloads, bytes) IS NOT (SELECT count(*), ifnull(sum(bytes), 0) FROM crashes WHERE app = s.app AND bytes > 0)
        """,
        "a document of no report, or a report without the one it says it has": """
        SELECT coalesce(p.crash, c.id) FROM payloads p FULL JOIN (SELECT id, bytes FROM crashes WHERE bytes > 0) c ON c.id = p.crash
        WHERE c.id IS NULL OR p.crash IS NULL OR length(p.body) <> c.bytes
        """,
        "a report that may go though it is gone": "SELECT id FROM crashes WHERE bytes = 0 AND irrelevance IS NOT NULL",
        "symbols wanted for a report that is not there": "SELECT crash FROM waiting WHERE crash NOT IN (SELECT id FROM crashes WHERE bytes > 0)",
    ]
}
