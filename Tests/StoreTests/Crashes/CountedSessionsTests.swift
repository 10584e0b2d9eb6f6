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
        let (from, to) = (world.clock.now - .days(400), world.clock.now + .days(1))
        return try await world.crashes.read { try $0.countedSessions(app: app, from: from, to: to) }
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
