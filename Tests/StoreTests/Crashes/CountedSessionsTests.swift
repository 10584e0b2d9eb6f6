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

@Suite struct CountedSessionsTests {
    private static let app = CrashWorld.app

    private static func sessions(_ world: CrashWorld, _ count: Int, crashed: Int = 0, release: String? = "1.0", ago: Int64 = 0) -> CountedSessions {
        CountedSessions(start: world.clock.now - .minutes(ago), release: release, environment: "production", sessions: count, crashed: crashed)
    }

    private static func stored(_ world: CrashWorld) async throws -> [CountedSessions] {
        let last = (world.clock.now + .days(1)).milliseconds.flooredQuotient(by: QuarterHour.milliseconds)
        let edges = (0...400 * 96).map { Timestamp(milliseconds: (last - 400 * 96 + $0) * QuarterHour.milliseconds) }
        return try await world.crashes.read { try $0.countedSessions(app: app, between: edges) }
    }

    @Test func `counts are summed between edges, by release and environment`() async throws {
        try await CrashWorld.run { world in
            let start = Timestamp(milliseconds: world.clock.now.milliseconds.flooredQuotient(by: 3_600_000) * 3_600_000 - 7_200_000)
            func one(_ minutes: Int64, _ count: Int, release: String? = "1.0", environment: String = "live") -> CountedSessions {
                CountedSessions(start: start + .minutes(minutes), release: release, environment: environment, sessions: count, crashed: 1)
            }
            let all = [
                one(0, 1), one(15, 2), one(59, 4), one(60, 8), one(30, 16, release: "2.0"), one(30, 32, environment: "test"),
                one(45, 64, release: nil),
                one(-1, 128), one(120, 256),
            ]
            #expect(try await world.crashes.count(all, identity: nil, app: Self.app))
            func sums(_ minutes: [Int64]) async throws -> [[String]] {
                let edges = minutes.map { start + .minutes($0) }
                return try await world.crashes.read { try $0.countedSessions(app: Self.app, between: edges) }.map {
                    ["\(($0.start - start).milliseconds / 60_000)", $0.release ?? "-", $0.environment ?? "-", "\($0.sessions)", "\($0.crashed)"]
                }.sorted { $0.joined() < $1.joined() }
            }
            let hours = try await sums([0, 60, 120])
            #expect(
                hours == [
                    ["0", "-", "live", "64", "1"], ["0", "1.0", "live", "7", "3"], ["0", "1.0", "test", "32", "1"], ["0", "2.0", "live", "16", "1"],
                    ["60", "1.0", "live", "8", "1"],
                ])
            // Quarter-hours belong to the bucket in which they start; a bucket may have none.
            let parts = try await sums([1, 2, 16, 61]).map { [$0[0], $0[3]] }
            #expect(parts == [["16", "64"], ["16", "12"], ["16", "32"], ["16", "16"], ["2", "2"]])
            for none: [Int64] in [[0], []] {
                let found = try await sums(none)
                #expect(found.isEmpty)
            }
        }
    }

    @Test func `a request counts once if it has an identity`() async throws {
        try await CrashWorld.run { world in
            let one = [Self.sessions(world, 3, crashed: 1)]
            #expect(try await world.crashes.count(one, identity: [1, 2], app: Self.app))
            #expect(try await !world.crashes.count(one, identity: [1, 2], app: Self.app))
            #expect(try await world.crashes.count(one, identity: [1, 3], app: Self.app))
            #expect(try await world.crashes.count(one, identity: [1, 2], app: AppID(rawValue: 9)))
            for _ in 0..<2 { #expect(try await world.crashes.count(one, identity: nil, app: Self.app)) }
            let stored = try await Self.stored(world)
            #expect(stored.map(\.sessions) == [12] && stored[0].crashed == 4 && stored[0].release == "1.0" && stored[0].environment == "production")
        }
    }

    @Test func `a count has a limit, so that sums of all do not overflow`() async throws {
        try await CrashWorld.run { world in
            let one = [Self.sessions(world, .max, crashed: .max)]
            for _ in 0..<3 { #expect(try await world.crashes.count(one, identity: nil, app: Self.app)) }
            let stored = try await Self.stored(world)
            #expect(stored.map(\.sessions) == [CountedSessions.most] && stored[0].crashed == CountedSessions.most)
        }
    }

    @Test func `a quarter-hour counts a limited number of releases apart`() async throws {
        try await CrashWorld.run { world in
            let all = (0..<2 * CountedSessions.rowsOfQuarter).map { Self.sessions(world, 1, release: "1.\($0)") }
            for _ in 0..<2 { #expect(try await world.crashes.count(all, identity: nil, app: Self.app)) }
            let stored = try await Self.stored(world)
            #expect(stored.count == CountedSessions.rowsOfQuarter + 1 && stored.allSatisfy { $0.release == nil || $0.sessions == 2 })
            #expect(stored.first { $0.release == nil }?.sessions == 2 * CountedSessions.rowsOfQuarter)
        }
    }

    @Test func `counts are kept by quarter-hour and release, until data retention ends or the app is deleted`() async throws {
        try await CrashWorld.run { world in
            _ = try await world.store.events.createAppWithKeys(named: "a")
            let all = [
                Self.sessions(world, 1), Self.sessions(world, 2, ago: 16), Self.sessions(world, 4, release: nil),
                Self.sessions(world, 8, release: "2.0"),
            ]
            #expect(try await world.crashes.count(all, identity: nil, app: Self.app))
            #expect(try await Self.stored(world).map(\.sessions).sorted() == [1, 2, 4, 8])
            world.clock.advance(by: .days(60))
            #expect(try await world.crashes.count([Self.sessions(world, 16)], identity: nil, app: Self.app))
            world.clock.advance(by: .days(31))
            _ = try await world.store.retain()
            #expect(try await Self.stored(world).map(\.sessions) == [16])
            try await world.store.deleteApp(Self.app)
            for _ in 0..<20 { try await world.crashes.change { _ in } }
            #expect(try await world.query("SELECT app FROM counted_sessions") { $0.integer(0) }.isEmpty)
        }
    }
}
