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

@Suite struct CrashStoringTests {
    private static let uuid = "0190a5d4-7e4a-7c3e-9d2b-5f0c7a1b2c3d"

    @Test func `reports of a group form one issue per kind`() async throws {
        try await CrashWorld.run { world in
            let a = try await world.take([world.report("1"), world.report("2", user: "ann"), world.report("3")], CrashWorld.group("a"))
            let other = try await world.take([world.report("4", kind: .anr)], CrashWorld.group("a"))
            #expect(Set(a.map(\.issue)).count == 1 && a[0].issue != other[0].issue && a.map(\.index) == [0, 1, 2])
            let issue = try await world.issues().first { $0.id == a[0].issue }
            #expect(issue?.count == 3 && issue?.users == 2 && issue?.kind == .fatal && issue?.reason == "for a" && issue?.culprit == "a()")
            #expect(issue?.firstRelease == "1.0" && issue?.state == .open && issue?.signals == [.fresh])
            try await world.expectWhole()
        }
    }

    @Test func `a crash ID counts once within a request, across requests and restarts, and in any UUID spelling`() async throws {
        let folder = TemporaryFolder()
        try await CrashWorld.run(in: folder) { world in
            let verdicts = try await world.take([world.report("x"), world.report(Self.uuid), world.report("x")], CrashWorld.group("a"))
            #expect(verdicts.map(\.isDuplicate) == [false, false, true] && verdicts[2].issue == verdicts[0].issue)
        }
        try await CrashWorld.run(in: folder) { world in
            let first = try await world.issue("a").id
            let verdicts = try await world.take([world.report("x"), world.report(Self.uuid.uppercased())], CrashWorld.group("b"))
            #expect(verdicts.map(\.isDuplicate) == [true, true] && verdicts.allSatisfy { $0.issue == first })
            #expect(try await world.take("x", "a", app: AppID(rawValue: 2)).isDuplicate == false)
            #expect(try await world.issues().map(\.count) == [2])
            try await world.expectWhole()
        }
    }

    @Test func `a report is stored with all its fields`() async throws {
        try await CrashWorld.run { world in
            world.clock.advance(by: .seconds(30))
            let report = world.report(Self.uuid, kind: .nonfatal, at: CrashWorld.start, user: "ann", session: "s", release: "app@2.1+7")
            try await world.take([report], CrashWorld.group("a"), payload: #"{"whole":true}"#)
            let found = try #require(try await world.crashes.crash(Self.uuid, app: CrashWorld.app))
            #expect(found.payload == Array(#"{"whole":true}"#.utf8))
            let crash = found.crash
            #expect(crash.id == Self.uuid && crash.time == CrashWorld.start && crash.received == world.clock.now && crash.release == "2.1")
            #expect(crash.system == "17" && crash.device == "iPhone" && crash.platform == nil && crash.isWhole && crash.kind == .nonfatal)
            let keys = [(KeyedHash.Domain.user, "ann"), (.installation, "phone"), (.session, "s")]
                .map { world.store.events.hash($0, app: CrashWorld.app, Array($1.utf8).span) }
            #expect([crash.user, crash.installation, crash.session] == keys)
            #expect(try await world.crashes.crash(Self.uuid, app: AppID(rawValue: 2)) == nil)
        }
    }

    @Test func `first and last seen follow the crash time, not the order of arrival`() async throws {
        try await CrashWorld.run { world in
            let now = world.clock.now
            for (id, age, release) in [("b", 5, "2.0"), ("a", 9, "1.0"), ("c", 7, "1.5")] {
                try await world.take([world.report(id, at: now - .hours(Int64(age)), release: release)], CrashWorld.group("x"))
            }
            let issue = try await world.issue("x")
            #expect(issue.firstSeen == now - .hours(9) && issue.firstRelease == "1.0")
            #expect(issue.lastSeen == now - .hours(5) && issue.lastRelease == "2.0")
            try await world.expectWhole()
        }
    }

    @Test func `an issue lists its days, releases, systems, devices and variants`() async throws {
        try await CrashWorld.run { world in
            let day = Timestamp.Span.days(1)
            for number in 0..<6 {
                let report = world.report(
                    "\(number)", at: world.clock.now - (number < 2 ? day : .seconds(1)), release: number < 4 ? "1.0" : "2.0",
                    os: number == 0 ? nil : "17", device: number < 5 ? "A" : "B")
                try await world.take([report], CrashWorld.group("x", stack: number < 4 ? "left" : "right"))
            }
            let issue = try await world.crashes.issue(try await world.issue("x").id, app: CrashWorld.app)
            let today = Day(of: world.clock.now)
            #expect(issue.days.count == 90 && issue.days.last?.day == today)
            #expect(issue.days.suffix(2).map(\.count) == [2, 4] && issue.days.dropLast(2).allSatisfy { $0.count == 0 })
            #expect(issue.releases == [.init(name: "1.0", count: 4), .init(name: "2.0", count: 2)])
            #expect(issue.systems == [.init(name: "17", count: 5)])
            #expect(issue.devices == [.init(name: "A", count: 5), .init(name: "B", count: 1)])
            #expect(issue.groupings.map(\.count) == [4, 2, 0] && issue.groupings.map(\.isVariant) == [true, true, false])
            #expect(issue.history.map(\.kind) == [.appeared])
            await #expect(throws: Refusal.self) { try await world.crashes.issue(issue.summary.id, app: AppID(rawValue: 2)) }
            try await world.expectWhole()
        }
    }

    @Test func `variants and values beyond their limits are counted together`() async throws {
        var bounds = CrashBounds()
        (bounds.variants, bounds.words) = (3, 2)
        try await CrashWorld.run(bounds) { world in
            for number in 0..<10 { try await world.take("\(number)", "x", stack: "\(number)", release: "\(number)") }
            let issue = try await world.crashes.issue(try await world.issue("x").id, app: CrashWorld.app)
            #expect(issue.summary.count == 10 && issue.groupings.map(\.count) == [7, 1, 1, 1])
            #expect(issue.releases == [.init(name: nil, count: 8), .init(name: "0", count: 1), .init(name: "1", count: 1)])
            try await world.expectWhole()
        }
    }

    @Test func `acknowledged crashes survive a kill`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(CrashWorld.start))
        let killed = TemporaryFolder()
        try await CrashWorld.run(in: folder, clock: clock) { world in
            for number in 0..<20 { try await world.take("\(number)", number % 2 == 0 ? "a" : "b") }
            // A copy of the files now, before a checkpoint.
            let stores = ["main", "messages", "crashes", "audit", "accounts", "documents", "files", "functions"]
            for name in stores.flatMap({ ["\($0).db", "\($0).db-wal"] }) {
                let file = try File("\(folder.path)/\(name)", .read)
                try File("\(killed.path)/\(name)", .create).write(try file.read(at: 0, count: try file.size))
            }
        }
        try await CrashWorld.run(in: killed, clock: clock) { world in
            #expect(try await world.issues().map(\.count) == [10, 10])
            try await world.expectWhole()
        }
    }

    @Test func `a failed change leaves nothing, and others of its commit are stored`() async throws {
        struct Broken: Error {}
        let (folder, clock) = (TemporaryFolder(), ManualClock(CrashWorld.start))
        _ = try await CrashWorld.run(in: folder, clock: clock) { world in try await world.take("1", "a") }
        let hash = try KeyedHash(seed: MainDB.open(in: StorePaths(root: folder.path)).hashSeed())
        func change(_ id: String, _ name: String, fails: Bool = false) -> Change<CrashFileContext> {
            let report = CrashReport(id: id, kind: .fatal, level: .fatal, time: clock.now, type: "Boom")
            let submission = CrashSubmission(index: 0, report: report, group: CrashWorld.group(name), payload: [])
            let crash = NewCrash(submission, app: CrashWorld.app, hash, CrashBounds())
            return Change(joins: !fails) { context in
                _ = try context.take(crash)
                if fails { throw Broken() }
            } done: {
                #expect(($0 is Broken) == fails)
            }
        }
        // A writer without an engine, which ends as if it were killed.
        let file = try CrashDB.open(writing: StorePaths(root: folder.path).crashes)
        let writer = try CrashWriter(
            file, CrashBounds(), DirectoryCache(), .ofTest(folder.path, clock.clock), CrashGauges(Metrics()))
        let news = try #require(
            writer.process([
                change("2", "b"), change("3", "a"), change("4", "c", fails: true), change("5", "a"), change("6", "b", fails: true),
            ]))
        #expect(news.hasTransitions && !news.hasSymbolWork)
        try await CrashWorld.run(in: folder, clock: clock) { world in
            #expect(Dictionary(uniqueKeysWithValues: try await world.issues().map { ($0.title, $0.count) }) == ["a": 3, "b": 1])
            let verdicts = try await world.take(["4", "5", "6"].map { world.report($0) }, CrashWorld.group("d"))
            #expect(verdicts.map(\.isDuplicate) == [false, true, false])
            try await world.expectWhole()
        }
    }
}
