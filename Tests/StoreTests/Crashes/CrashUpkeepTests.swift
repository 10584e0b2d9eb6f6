// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
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

@Suite struct CrashUpkeepTests {
    private static let app = CrashWorld.app

    /// Waits until the writer has finished its background work.
    private static func settle(_ world: CrashWorld) async throws {
        for _ in 0..<300 { try await world.crashes.change { _ in } }
    }

    @Test func `eviction keeps the reports' limits per issue and app, and every count`() async throws {
        var bounds = CrashBounds()
        (bounds.payloadsOfApp, bounds.payloadsOfIssue) = (120, 50)
        let metrics = Metrics()
        try await CrashWorld.run(bounds, metrics: metrics) { world in
            for number in 0..<300 {
                if number % 50 == 0 { world.clock.advance(by: .hours(10)) }
                try await world.take("often-\(number)", "often")
                if number % 2 == 0 { try await world.take("b-\(number)", "middle") }
                if number % 60 == 0 { try await world.take("rare-\(number)", "rare") }
            }
            try await Self.settle(world)
            let issues = Dictionary(uniqueKeysWithValues: try await world.issues().map { ($0.title, $0) })
            #expect(issues.mapValues(\.count) == ["often": 300, "middle": 150, "rare": 5])
            #expect(issues["rare"]?.kept == 5)
            #expect(issues.values.allSatisfy { $0.kept <= 50 && $0.kept >= 5 })
            #expect(world.crashes.gauges.evicted.value == 455 - issues.values.reduce(0) { $0 + $1.kept })
            let first = try await world.crashes.crash("often-0", app: Self.app)
            #expect(first?.payload != nil)
            let gone = try await world.crashes.events(of: try #require(issues["often"]).id, app: Self.app, CrashQuery(limit: 1_000)).filter {
                !$0.isWhole
            }
            #expect(gone.count == 300 - (issues["often"]?.kept ?? 0))
            #expect(try await world.take(try #require(gone.first).id, "often").isDuplicate)
            try await world.expectWhole()
        }
    }

    @Test func `eviction keeps the limits of reports and bytes under a flood of issues`() async throws {
        var bounds = CrashBounds()
        (bounds.payloadsOfApp, bounds.bytesOfApp) = (100, 3_000)
        try await CrashWorld.run(bounds) { world in
            for number in 0..<250 { try await world.take("\(number)", "issue \(number)") }
            try await Self.settle(world)
            let kept = try await world.query("SELECT payloads, bytes FROM stored") { ($0.int(0), $0.int(1)) }[0]
            #expect(kept.0 <= 100 && kept.0 > 50 && kept.1 <= 3_000)
            #expect(try await world.issues { $0.limit = 1_000 }.count == 250)
            try await world.expectWhole()
        }
    }

    @Test func `an issue of many users is not repetitive when few of its reports remain`() async throws {
        try await CrashWorld.run { world in
            _ = try await world.store.events.createAppWithKeys(named: "a")
            _ = try await world.store.events.setApp(Self.app, [("retention_days", "2")])
            for number in 0..<30 { try await world.take("many-\(number)", "many", user: "u\(number)") }
            world.clock.advance(by: .days(3))
            try await world.take("left", "many", user: "u1")
            for number in 0..<10 { try await world.take("same-\(number)", "same", user: "u1") }
            #expect(try await world.store.retain().removedRows["crashes.db"] == 30)
            let many = try await world.issue("many")
            #expect(many.count == 31 && many.users == 1 && !many.signals.contains(.repetitive))
            #expect(try await world.issue("same").signals.contains(.repetitive))
        }
    }

    @Test func `expired reports are removed, their counts stay, and their IDs are deduplicated for a week`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(CrashWorld.start))
        var bounds = CrashBounds()
        bounds.chunk = 3
        try await CrashWorld.run(in: folder, clock: clock, bounds) { world in
            _ = try await world.store.events.createAppWithKeys(named: "a")
            _ = try await world.store.events.setApp(Self.app, [("retention_days", "2")])
            for number in 0..<10 { try await world.take("old-\(number)", "a", user: "u\(number)") }
            clock.advance(by: .days(1))
            try await world.take("new", "a", user: "u1")
            clock.advance(by: .hours(25))
            #expect(try await world.store.retain().removedRows["crashes.db"] == 10)
            let issue = try await world.issue("a")
            #expect(issue.count == 11 && issue.users == 1 && issue.kept == 1)
            #expect(try await world.crashes.issue(issue.id, app: Self.app).days.map(\.count).filter { $0 > 0 } == [10, 1])
            #expect(try await world.crashes.crash("old-1", app: Self.app) == nil)
            let again = try await world.take("old-1", "a")
            #expect(again.isDuplicate)
            let past = try await world.crashes.read { try $0.pastCrashes(app: Self.app, from: CrashWorld.start - .hours(1), to: clock.now) }
            #expect(past.map(\.count) == [10] && past[0].release == "1.0" && past[0].kind == .fatal)
            // Series include them only if nothing but the release is queried.
            #expect(try await Self.crashes(world) == ["": .count(11)])
            #expect(try await Self.crashes(world, ("breakdown", "context.app_version")) == ["1.0": .count(11)])
            #expect(try await Self.crashes(world, ("filter", "context.app_version=2.0")) == ["": .count(0)])
            #expect(try await Self.crashes(world, ("breakdown", "context.os_version")) == ["17": .count(1)])
            try await world.expectWhole()
            clock.advance(by: .days(7))
            _ = try await world.store.retain()
            #expect(try await world.take("old-1", "a").isDuplicate == false)
            #expect(try await world.issues().count == 1)
            clock.advance(by: .days(401))
            _ = try await world.store.retain()
            #expect(try await world.issues().isEmpty)
            for table in ["crashes", "groupings", "issue_days", "issue_values", "newest_builds", "issue_people", "payloads", "turns", "once"] {
                #expect(try await world.query("SELECT 1 FROM \(table)") { _ in 1 }.isEmpty, "\(table)")
            }
        }
    }

    /// Returns a week's crashes by breakdown.
    private static func crashes(_ world: CrashWorld, _ parameters: (name: String, value: String)...) async throws -> [String: SeriesResult.Value] {
        let asked = QueryParameters([("metric", "crashes")] + parameters, settings: AppSettings(), now: world.clock.now)
        guard case .series(let answer) = try await world.store.result(of: Query(.series, asked), app: app) else { return [:] }
        return Dictionary(uniqueKeysWithValues: answer.body.series.map { ($0.name ?? "", $0.total) })
    }

    @Test func `a deleted app's rows are removed, and other apps' rows stay`() async throws {
        try await CrashWorld.run { world in
            let apps = [
                try await world.store.events.createAppWithKeys(named: "one").0.id, try await world.store.events.createAppWithKeys(named: "two").0.id,
            ]
            for app in apps {
                for number in 0..<5 { try await world.take("\(number)", "a", app: app) }
                let image = SymbolicationTests.image("11111111-1111-1111-1111-111111111111")
                try await world.take([SymbolicationTests.report(world, "s", image)], CrashWorld.group("s"), app: app)
                _ = try await world.crashes.bring([SymbolicationTests.symbols("22222222-2222-2222-2222-222222222222")], app: app)
            }
            try await world.store.deleteApp(apps[0])
            try await Self.settle(world)
            for table in ["crashes", "issues", "groupings", "words", "stored", "waiting", "wanted_symbols", "symbol_files", "once"] {
                #expect(try await world.query("SELECT 1 FROM \(table) WHERE app = \(apps[0].rawValue)") { _ in 1 }.isEmpty, "\(table)")
            }
            #expect(try await world.crashes.issues(IssueQuery(app: apps[1])).items.map(\.count).sorted() == [1, 5])
            #expect(try await world.query("SELECT count(*) FROM payloads") { $0.int(0) } == [6])
            try await world.expectWhole()
        }
    }

    @Test func `a backup has the crashes, and a folder without a crash file gets an empty one`() async throws {
        let (folder, backup, target) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        try await CrashWorld.run(in: folder) { world in
            try await world.take("1", "a")
            _ = try await world.store.backUp(to: backup.path)
            try await world.take("2", "a")
        }
        _ = try Backup.restore(backup.path, into: target.path)
        try await CrashWorld.run(in: target) { world async throws in
            #expect(try await world.issues().map(\.count) == [1])
            #expect(try await world.take("1", "a").isDuplicate)
        }
        try Connection(StorePaths(root: target.path).main, .write).execute("DELETE FROM meta WHERE key = 'files'")
        for name in try Folder.names(in: target.path) where name.hasPrefix("crashes.db") { try Folder.remove("\(target.path)/\(name)") }
        try await CrashWorld.run(in: target) { world async throws in #expect(try await world.take("1", "a").isDuplicate == false) }
    }

    @Test func `the spread of an issue counts crashes, users and sessions of a release`() async throws {
        try await CrashWorld.run { world in
            for number in 0..<30 {
                let report = world.report("\(number)", user: "u\(number % 12)", session: "s\(number % 20)", release: number < 25 ? "2.0" : "1.0")
                try await world.take([report], CrashWorld.group("a"))
            }
            try await world.take([world.report("n", kind: .nonfatal)], CrashWorld.group("b"))
            let id = try await world.issue("a").id
            let spread = try await world.crashes.spread(app: Self.app, since: world.clock.now - .minutes(30), people: 10)
            #expect(spread == [IssueSpread(issue: id, release: "2.0", crashes: 25, people: 12, sessions: 25)])
            #expect(try await world.crashes.spread(app: Self.app, since: world.clock.now + .minutes(1), people: 0).isEmpty)
        }
    }
}
