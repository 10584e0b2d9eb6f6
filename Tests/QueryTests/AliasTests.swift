// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import Database
@testable import EventStore

/// An alias counts like an event with both IDs at its time.
@Suite struct AliasTests {
    /// A store in which the phone was used on two days, and ann used a laptop on the second.
    private struct World: Sendable {
        let store: Stores
        let clock: ManualClock
        static let app = AppID(rawValue: 1)

        func post(_ id: String, user: String? = nil, installation: String? = nil) async throws {
            var builder = SubmissionBuilder(store: store, received: clock.now)
            builder.add("a", id: id, user: user, installation: installation)
            _ = try await store.events.submit(builder.submission())
        }

        func alias(_ installation: String, _ user: String, at time: Timestamp) async throws {
            func key(_ domain: KeyedHash.Domain, _ text: String) -> UInt64 {
                store.events.hash(domain, app: World.app, Array(text.utf8).span)
            }
            let update = UserUpdate(
                index: 0, installation: installation, installationKey: key(.installation, installation), user: user, userKey: key(.user, user),
                properties: [], time: time, alias: true)
            try await store.events.submit(
                UserSubmission(app: World.app, received: clock.now, body: [], updates: [update], quarantined: [], corrections: []))
        }

        /// The daily users of the last days, and those of all together.
        func users(days: Int = 2) async throws -> [Int] {
            let parameters = QueryParameters([("from", "-\(days - 1)d")], settings: AppSettings(), now: clock.now)
            let query = try ActiveUsersQuery(parameters)
            let found = try await store.analytics.run(World.app, mayReadRows: true) { try $0.activeUsers(query) }.body
            return found.points.map(\.dau) + [found.total]
        }

        func aliases(in day: Day) throws -> Int {
            try Connection(store.paths.file(of: day), .read).statement("SELECT count(*) FROM aliases").first { $0.int(0) } ?? 0
        }
    }

    private static let start = Day(year: 2026, month: 11, day: 1).start + .hours(9)

    private static func run(in folder: TemporaryFolder = TemporaryFolder(), _ body: @Sendable (World) async throws -> Void) async throws {
        let clock = ManualClock(start)
        try await withStore(in: folder, clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            let world = World(store: store, clock: clock)
            try await world.post("1", installation: "phone")
            clock.advance(by: .days(1))
            try await world.post("2", installation: "phone")
            try await world.post("3", user: "ann", installation: "laptop")
            #expect(try await world.users() == [1, 2, 2])
            try await body(world)
        }
    }

    @Test func `only periods that contain its time change`() async throws {
        try await Self.run { world in
            try await world.alias("phone", "ann", at: world.clock.now)
            #expect(try await world.users() == [1, 1, 1])
            // The same alias again, and one of the day before.
            try await world.alias("phone", "ann", at: world.clock.now)
            #expect(try await world.users() == [1, 1, 1])
            try await world.alias("tablet", "bob", at: Self.start)
            #expect(try await world.users() == [2, 1, 2])
            #expect(try world.aliases(in: Day(of: world.clock.now)) == 2)
        }
    }

    @Test func `an erased person takes the alias along`() async throws {
        try await Self.run { world in
            try await world.alias("phone", "ann", at: world.clock.now)
            world.clock.advance(by: .days(1))
            // A day's file with nothing else of the person.
            try await world.alias("watch", "ann", at: world.clock.now)
            #expect(try await world.users(days: 3) == [1, 1, 1, 1])
            _ = try await world.store.erase(PersonID(.user, "ann"), of: World.app)
            for day in 1...2 { #expect(try world.aliases(in: Day(of: Self.start + .days(Int64(day)))) == 0) }
            let left = try await world.users(days: 3)
            #expect(left[2] == 0)
        }
    }

    @Test func `an anonymised person keeps the alias under new keys`() async throws {
        try await Self.run { world in
            try await world.alias("phone", "ann", at: world.clock.now)
            _ = try await world.store.anonymise(PersonID(.user, "ann"), of: World.app)
            #expect(try await world.users() == [1, 1, 1])
            #expect(try world.aliases(in: Day(of: world.clock.now)) == 1)
        }
    }

    @Test func `days whose rows are gone keep their figures`() async throws {
        try await Self.run { world in
            let day = Day(of: Self.start)
            let history = try #require(try await world.store.events.history(of: World.app, in: day))
            try await world.store.events.keep(history)
            _ = try await world.store.events.removeRows(of: World.app, from: day)
            try await world.alias("phone", "bob", at: Self.start)
            try await world.alias("tablet", "bob", at: Self.start)
            #expect(try await world.users() == [1, 2, 2])
            #expect(try world.aliases(in: Day(of: world.clock.now)) == 0)
        }
    }

    @Test func `files of earlier releases are read without a table of aliases`() async throws {
        try await Self.run { world in
            try await world.store.events.sealedDays.write(to: Day(of: Self.start)) {
                try $0.execute(
                    """
                    DROP TABLE aliases; DROP TABLE session_chunks; DROP TABLE sessions_through; DROP INDEX purchases_by_transaction;
                    DROP TABLE withdrawn; DROP TABLE transactions_by_app; PRAGMA user_version = 1
                    """)
            }
            // A minute is no quarter-hour, so that events and aliases are read.
            let parameters = QueryParameters(
                [("metric", "users"), ("interval", "minute"), ("from", "-25h")], settings: AppSettings(), now: world.clock.now)
            let query = try SeriesQuery(parameters)
            let found = try await world.store.analytics.run(World.app, mayReadRows: true) { try $0.series(query) { _, _ in [] } }
            #expect(found.body.series.first?.total == .count(1))
            try await world.store.events.finishDays()
            #expect(try world.aliases(in: Day(of: Self.start)) == 0)
        }
    }
}
