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

/// Statements for reports and issues must not become slower as the store grows.
@Suite struct CrashQueryPlanTests {
    /// Tables with few rows, one row per app, or pending work only; `r` is a subquery over one issue.
    private static let small: Set = ["meta", "deleted_apps", "stored", "arrived_symbols", "sqlite_schema", "r"]
    /// Partial indexes of pending work, read from their start.
    private static let ofWork: Set = [
        "turns_to_tell", "turns_left_out", "turns_held", "groupings_provisional", "to_symbolicate_next", "issues_to_judge",
    ]
    /// Statements at the start, once at the end of an upgrade to a new grouping rule, and for rare erasures.
    private static let seldom = [
        "WHERE kept > ? OR kept_bytes > ?", "FROM groupings WHERE version < ? LIMIT 1", "NOT INDEXED", "sum(bytes), 0) FROM (\n",
        "UPDATE groupings SET provisional = 0 WHERE provisional = 2",
    ]

    @Test func `no statement scans a large table`() async throws {
        let statements = try await CrashWorld.run { world in
            try await Self.doEverything(world)
            let written = try await world.crashes.change { $0.file.connection.preparedTexts }
            return written + (try await world.crashes.read { $0.connection.preparedTexts })
        }
        #expect(statements.count > 80)
        let plans = try StatementPlans { try CrashDB.schema.apply(to: $0) }
        let frequent = Set(statements).filter { sql in !Self.seldom.contains(where: sql.contains) }
        let scans = try plans.scans(frequent, small: Self.small, ofWork: Self.ofWork)
        #expect(scans.isEmpty, "\(scans)")
    }

    @Test(arguments: IssueQuery.Order.allCases) func `lists of issues use an index for order and person`(order: IssueQuery.Order) async throws {
        try await CrashWorld.run { world in
            let plans = try StatementPlans { try CrashDB.schema.apply(to: $0) }
            var query = IssueQuery(app: CrashWorld.app)
            (query.order, query.seenSince, query.seenBefore, query.release) = (order, world.clock.now - .days(1), world.clock.now, "1.0")
            for (people, tags) in [(nil, []), ([1, 2], []), (nil, [3, 4]), ([1, 2], [3])] as [([UInt64]?, [UInt64])] {
                let now = world.clock.now
                let sql = try await world.crashes.read { [query] in try $0.list(query, people: people, tags: tags, now: now).sql }
                let steps = try plans.steps(sql)
                #expect(!steps.contains { $0.hasPrefix("SCAN ") }, "\(steps)")
                #expect(people != nil || !tags.isEmpty || !steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
            }
        }
    }

    private static func keepSessionsAndFiles(_ world: CrashWorld) async throws {
        let (crashes, app, now) = (world.crashes, CrashWorld.app, world.clock.now)
        let sessions = CountedSessions(start: now, release: "1.0", environment: "e", sessions: 1, crashed: 0)
        _ = try await crashes.count([sessions], identity: [1], app: app)
        _ = try await crashes.read { try $0.countedSessions(app: app, between: [now - .days(1), now]) }
        var file = CrashAttachment(name: "f", kind: nil, contentType: nil, size: 1, bytes: [1])
        file.report = "1"
        _ = try await crashes.take([], attachments: [file], app: app)
        for file in try await crashes.attachments(of: [1, 2, 3]).values.joined() { _ = try await crashes.attachment(file.row, app: app) }
        try await crashes.change { _ = try $0.evictAttachments() }
    }

    /// Runs the pass of a new grouping rule to its end, whether or not the chores began one before the reports were there.
    private static func bindOlderGroups(_ crashes: CrashStore) async throws {
        try await crashes.change { context in
            try context.file.save(.notBegun, version: GroupingRule.current.version)
            while try context.bindOlderGroups() {}
            #expect(context.file.connection.preparedTexts.contains { $0.hasSuffix("WHERE provisional = 2") })
        }
    }

    /// Runs each query and change at least once, so that all statements are prepared.
    private static func doEverything(_ world: CrashWorld) async throws {
        let (crashes, app) = (world.crashes, CrashWorld.app)
        _ = try await world.store.events.createAppWithKeys(named: "a")
        for number in 0..<30 {
            try await world.take("\(number)", number % 3 == 0 ? "a" : "b", stack: "\(number % 2)", user: "u\(number % 4)")
        }
        let image = SymbolicationTests.image("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")
        for number in 0..<3 { try await world.take([SymbolicationTests.report(world, "s\(number)", image)], CrashWorld.group("raw")) }
        try await bindOlderGroups(crashes)
        try await world.store.updateEarliness(atMost: 10)
        let (a, b) = (try await world.issue("a").id, try await world.issue("b").id)
        for change in [IssueChange.close(release: nil), .mute(.forever), .open] { try await crashes.change(a, app: app, to: change) }
        try await crashes.note("n", by: nil, on: a, app: app)
        try await crashes.merge([b], into: a, app: app)
        let issue = try await crashes.issue(a, app: app)
        _ = try await crashes.split(try #require(issue.groupings.first { $0.isVariant }).id, from: a, app: app)
        _ = try await crashes.events(of: a, app: app, CrashQuery(limit: 10))
        _ = try await crashes.crash("1", app: app)
        _ = try await crashes.issue(a, app: app)
        let news = try await crashes.unpublishedTransitions(limit: 10)
        try await crashes.markPublished(through: news.last?.transition.id ?? 0, leftOut: news.map(\.transition.id))
        for issues in try await crashes.leftOutIssues(window: .minutes(0), worst: 3) { try await crashes.markSummarized(issues) }
        _ = try await crashes.missingSymbols(app: app, limit: 10)
        let symbols = SymbolicationTests.symbols("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")
        _ = try await crashes.bring([symbols], app: app)
        for _ in 0..<5 { try await crashes.change { _ in } }
        while let crash = try await crashes.claimForSymbols(until: world.clock.now) {
            try await crashes.giveBack(crash.row)
            try await crashes.symbolicated(crash.row, payload: [1], group: CrashWorld.group("named"))
        }
        _ = try await crashes.symbols(app: app, limit: 10)
        _ = try await crashes.symbolBytes(app: app)
        _ = try await crashes.symbolSums(app: app)
        _ = try await crashes.removeSymbols(of: symbols.debugID, app: app)
        _ = try await crashes.spread(app: app, since: world.clock.now - .hours(1), people: 1)
        _ = try await crashes.read { file in
            try file.eachFatalMark(app: app, from: world.clock.now - .days(1), to: world.clock.now) { _ in }
            return try file.pastCrashes(app: app, from: world.clock.now - .days(1), to: world.clock.now).count
        }
        try await crashes.change { _ = try $0.evict(ofIssue: 1) }
        try await keepSessionsAndFiles(world)
        var tagged = CrashQuery(limit: 10)
        (tagged.release, tagged.report.environment, tagged.report.tags) = ("1.0", "live", ["plan:pro"])
        _ = try await crashes.events(of: a, app: app, tagged)
        _ = try await world.store.erase(PersonID(.user, "u1"), of: app)
        _ = try await world.store.anonymise(PersonID(.user, "u2"), of: app)
        if let first = try await world.issues().first { try await crashes.removeIssue(first.id, app: app) }
        world.clock.advance(by: .days(91))
        _ = try await world.store.retain()
        world.clock.advance(by: .days(500))
        _ = try await world.store.retain()
        try await world.take("last", "a")
        try await world.store.deleteApp(app)
        for _ in 0..<20 { try await crashes.change { _ in } }
    }
}
