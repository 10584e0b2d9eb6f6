// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import CrashStore
@testable import EventStore

@Suite struct ReportFilterTests {
    private static func report(
        _ world: CrashWorld, _ id: String, environment: String? = "live", _ tags: [(String, String)], release: String = "1.0", user: String? = nil
    ) -> CrashReport {
        var report = world.report(id, user: user, installation: user ?? "phone", release: release)
        if let environment { report.context.append(CustomKey("environment", environment)) }
        report.customKeys = tags.map { CustomKey($0, $1) }
        return report
    }

    private static func titles(
        _ world: CrashWorld, environment: String? = nil, _ tags: String..., release: String? = nil, person: String? = nil
    ) async throws -> [String] {
        try await world.issues {
            ($0.report.environment, $0.report.tags, $0.release, $0.person) = (environment, tags, release, person)
        }.map(\.title).sorted()
    }

    private static func ids(
        _ world: CrashWorld, _ title: String, environment: String? = nil, _ tags: String..., release: String? = nil
    ) async throws -> [String] {
        var query = CrashQuery(limit: 100)
        (query.report.environment, query.report.tags, query.release) = (environment, tags, release)
        return try await world.crashes.events(of: try await world.issue(title).id, app: CrashWorld.app, query).map(\.id).sorted()
    }

    private static func fill(_ world: CrashWorld) async throws {
        let (a, b) = (CrashWorld.group("a"), CrashWorld.group("b"))
        try await world.take([report(world, "1", [("plan", "pro"), ("a:b", "c")])], a)
        try await world.take([report(world, "2", environment: "test", [("plan", "free")], release: "2.0", user: "ann")], a)
        try await world.take([report(world, "3", environment: nil, [("plan", "pro")], release: "2.0")], b)
        try await world.take([report(world, "4", environment: nil, [])], CrashWorld.group("none"))
        try await world.take([report(world, "5", [("plan", "pro")])], CrashWorld.group("theirs"), app: AppID(rawValue: 2))
    }

    @Test func `one stored report must match environment, tags and release`() async throws {
        try await CrashWorld.run { world in
            try await Self.fill(world)
            #expect(try await Self.titles(world, environment: "live") == ["a"])
            #expect(try await Self.titles(world, "plan:pro") == ["a", "b"])
            #expect(try await Self.titles(world, "a:b:c", "plan:pro") == ["a"])
            #expect(try await Self.titles(world, "plan:pro", release: "2.0") == ["b"])
            #expect(try await Self.titles(world, environment: "test", "plan:pro").isEmpty)
            for nothing in ["plan:PRO", "plan:", "live:", "plan:pro ", ":plan:pro"] {
                #expect(try await Self.titles(world, nothing).isEmpty, "\(nothing)")
            }
            #expect(try await Self.titles(world, environment: "plan:pro").isEmpty)
            #expect(try await Self.titles(world, environment: "").isEmpty)
            #expect(try await Self.ids(world, "a", environment: "test") == ["2"])
            #expect(try await Self.ids(world, "a", "plan:pro") == ["1"])
            #expect(try await Self.ids(world, "a", release: "2.0") == ["2"])
            #expect(try await Self.ids(world, "a", release: "3.0").isEmpty)
            #expect(try await Self.ids(world, "a", "plan:pro", release: "2.0").isEmpty)
            #expect(try await Self.ids(world, "a") == ["1", "2"])
            try await world.expectWhole()
        }
    }

    @Test func `a person is that of the report with the environment, tags and release`() async throws {
        try await CrashWorld.run { world in
            try await Self.fill(world)
            #expect(try await Self.titles(world, person: "ann") == ["a"])
            #expect(try await Self.titles(world, environment: "test", person: "ann") == ["a"])
            // Reports 1 and 2 are of one issue; only the other one is of this environment, plan and release.
            #expect(try await Self.titles(world, environment: "live", person: "ann").isEmpty)
            #expect(try await Self.titles(world, "plan:pro", person: "ann").isEmpty)
            #expect(try await Self.titles(world, release: "1.0", person: "ann").isEmpty)
            #expect(try await Self.titles(world, release: "2.0", person: "ann") == ["a"])
            #expect(try await Self.titles(world, environment: "test", "plan:free", release: "2.0", person: "ann") == ["a"])
            // An installation counts for reports without a user.
            #expect(try await Self.titles(world, environment: "live", person: "phone") == ["a"])
            #expect(try await Self.titles(world, release: "2.0", person: "phone") == ["b"])
            #expect(try await Self.titles(world, environment: "test", person: "phone").isEmpty)
        }
    }

    @Test func `a merged issue, and one that was split off, are found by their reports`() async throws {
        try await CrashWorld.run { world in
            try await Self.fill(world)
            let (a, b) = (try await world.issue("a").id, try await world.issue("b").id)
            try await world.crashes.merge([b], into: a, app: CrashWorld.app)
            #expect(try await Self.titles(world, "plan:pro", release: "2.0") == ["a"])
            #expect(try await Self.ids(world, "a", "plan:pro") == ["1", "3"])
            let grouping = try #require(try await world.crashes.crash("3", app: CrashWorld.app)?.crash.grouping)
            _ = try await world.crashes.split(grouping, from: a, app: CrashWorld.app)
            #expect(try await Self.titles(world, "plan:pro", release: "2.0") == ["b"])
        }
    }

    @Test func `tags leave with their documents`() async throws {
        try await CrashWorld.run { world in
            _ = try await world.store.events.createAppWithKeys(named: "a")
            try await Self.fill(world)
            _ = try await world.store.anonymise(PersonID(.user, "ann"), of: CrashWorld.app)
            #expect(try await Self.ids(world, "a", "plan:free").isEmpty)
            try await world.expectWhole()
            try await world.crashes.removeIssue(try await world.issue("a").id, app: CrashWorld.app)
            #expect(try await Self.titles(world, "plan:pro") == ["b"])
            world.clock.advance(by: .days(91))
            _ = try await world.store.retain()
            #expect(try await world.query("SELECT count(*) FROM report_tags t JOIN crashes c ON c.id = t.crash WHERE c.app = 1") { $0.int(0) } == [0])
            try await world.expectWhole()
        }
    }
}
