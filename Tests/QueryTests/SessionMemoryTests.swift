// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import EventStore

/// Sessions kept in memory equal those read from the files, whatever changed since the files were read.
///
/// That the files give the right sessions is the matter of `DifferentialTests`.
@Suite struct SessionMemoryTests {
    private static let start = Day(year: 2026, month: 3, day: 3).start + .hours(9)

    private static func run(
        seed: UInt64 = 1, sessionBytes: Int = 16 << 20, parts: Int = 40, _ body: @Sendable (SessionWorld) async throws -> Void
    ) async throws {
        var options = StoreOptions()
        options.sessionBytes = sessionBytes
        options.events.sessions.parts = parts
        let clock = ManualClock(start)
        try await withStore(options: options, clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            try await body(SessionWorld(store, clock, seed: seed))
        }
    }

    @Test(arguments: RandomRuns.seeds(few: 2, logsPerSeed: 50))
    func `news, late events, new days, aliases and reports correct what is in memory`(seed: UInt64) async throws {
        try await Self.run(seed: seed) { world in
            try await world.compare()
            for step in 0..<24 {
                try await world.post([1, 3, 20, 60][step % 4])
                if step % 5 == 2 { try await world.alias("i\(1 + step % 4)", "u\(1 + step % 3)", at: world.clock.now - .hours(Int64(step))) }
                if step % 6 == 1 { try await world.crash("c\(step)") }
                // Some news are taken together.
                if step % 3 != 1 { try await world.compare() }
                world.clock.advance(by: step % 7 == 6 ? .hours(20) : .minutes(7))
            }
            try await world.store.events.finishDays()
            #expect(try await world.compare() > 50)
        }
    }

    @Test func `parts that were in memory and parts of files are kept alike`() async throws {
        try await Self.run(parts: 1_000_000) { world in
            try await world.post(200)
            try await world.compare()
            try await world.post(10)
            try await world.compare()
        }
    }

    @Test func `a range that begins within a session asks the presence of people`() async throws {
        try await Self.run { world in
            // The shortest range begins 95 minutes ago.
            for _ in 0..<(RandomRuns.logs == nil ? 14 : 30) {
                try await world.post(8, late: 1)
                try await world.compare()
                world.clock.advance(by: .minutes(11))
            }
        }
    }

    @Test func `erased and anonymised people leave the memory`() async throws {
        try await Self.run { world in
            try await world.post(120)
            let all = try await world.compare()
            _ = try await world.store.erase(PersonID(.installation, "i1"), of: SessionWorld.app)
            #expect(try await world.compare() < all)
            _ = try await world.store.anonymise(PersonID(.user, "u1"), of: SessionWorld.app)
            try await world.compare()
            try await world.post(20)
            try await world.compare()
        }
    }

    @Test func `rows and files that data retention removes leave the memory`() async throws {
        try await Self.run { world in
            for _ in 0..<3 {
                try await world.post(60, late: 1)
                world.clock.advance(by: .days(1))
            }
            try await world.post(10, late: 1)
            try await world.store.events.finishDays()
            #expect(try await world.compare() > 0)
            let days = try world.store.events.sealedDays.days()
            _ = try await world.store.events.removeRows(of: SessionWorld.app, from: days[1])
            try await world.compare()
            try await world.store.events.drop(days[0])
            try await world.compare()
            _ = try await world.store.events.removeRows(of: SessionWorld.app, fromToday: Day(of: world.clock.now))
            try await world.compare()
        }
    }

    @Test func `another session timeout cuts the sessions anew`() async throws {
        try await Self.run { world in
            try await world.post(150)
            let all = try await world.compare()
            for seconds in [7_200, 60] {
                _ = try await world.store.events.setApp(SessionWorld.app, [("session_timeout_seconds", "\(seconds)")])
                try await world.post(5)
                #expect(try await world.compare() != all)
            }
        }
    }

    @Test func `sessions beyond the limit are counted from the files`() async throws {
        try await Self.run(sessionBytes: 10_000) { world in
            try await world.post(60)
            for _ in 0..<2 { #expect(try await world.compare(areKept: false) > 0) }
        }
    }

    @Test func `an app that nobody asks about leaves the memory`() async throws {
        try await Self.run { world in
            try await world.post(60)
            try await world.compare()
            world.store.analytics.memory.sessions.forgetUnused(for: .seconds(-1))
            #expect(world.store.analytics.memory.sessions.bytes == 0)
            try await world.post(60)
            try await world.compare()
        }
    }
}
