// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Synchronization
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import Database
@testable import EventStore

/// Queries that run while trusted purchases withdraw those of clients. Each transaction counts once, whichever purchase is seen.
///
/// `SIGNALBOX_QUERY_SEED=42` tests that seed.
@Suite struct WithdrawalSnapshotTests {
    private static let euros: Int64 = 7

    /// Whether all trusted purchases have arrived.
    private final class Load: Sendable {
        let isOver = Atomic(false)
    }

    private static func firstDay() -> Day { Day(of: SalesWorld.start) }

    /// Returns the amounts in EUR of the purchases in one day's file.
    private static func amounts(_ context: QueryContext, of day: Day) throws -> [Int64] {
        let range = TimeBuckets(edges: [SalesWorld.start - .days(9), SalesWorld.start + .days(9)])
        var scan = EventScan(range)
        scan.days = [day]
        scan.columns = [.purchase]
        return try context.scan(scan, into: [Int64]()) { found, batch in
            found += batch.purchases.compactMap { $0.map { $0.amount / 1_000_000 } }
        }.flatMap(\.self)
    }

    @Test(arguments: [false, true]) func `a query reads both files as they were when it began`(readsTodayFirst: Bool) async throws {
        let clock = ManualClock(SalesWorld.start)
        try await withStore(clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            let world = SalesWorld(store: store, clock: clock)
            _ = try await world.submit([Sale(user: "ann", transaction: "t", amount: 5)])
            clock.advance(by: .days(1))
            try await store.events.turn()
            _ = try await world.submit([Sale(id: "other", user: "bob", transaction: "u", amount: 2)])
            let today = Day(of: clock.now)
            let days = readsTodayFirst ? [today, Self.firstDay()] : [Self.firstDay(), today]

            let running = try await store.readers.read(seconds: 600) { store.analytics.context($0, SalesWorld.app) }
            let before = try Self.amounts(running, of: days[0])
            let trusted = Sale(user: "shop", transaction: "t", amount: 9, isTrusted: true)
            #expect(try await world.submit([trusted, Sale(user: "shop", transaction: "u", amount: 4, isTrusted: true)]).accepted == 2)
            #expect(try (before + Self.amounts(running, of: days[1])).sorted() == [2, 5])

            let next = try await store.readers.read(seconds: 600) { store.analytics.context($0, SalesWorld.app) }
            #expect(try days.flatMap { try Self.amounts(next, of: $0) }.sorted() == [4, 9])
        }
    }

    @Test func `withdrawals outlive the trusted purchase that an erasure removes`() async throws {
        let clock = ManualClock(SalesWorld.start)
        try await withStore(clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            let world = SalesWorld(store: store, clock: clock)
            _ = try await world.submit([Sale(user: "ann", transaction: "t", amount: 5)])
            clock.advance(by: .days(1))
            _ = try await world.submit([Sale(user: "shop", transaction: "t", amount: 9, isTrusted: true)])
            _ = try await store.erase(PersonID(.user, "shop"), of: SalesWorld.app)
            for filter in [nil, "name!=a"] { #expect(try await world.revenue(filter: filter) == [:]) }
        }
    }

    /// Four days have purchases of clients. Trusted ones replace them in random portions, while queries and exports run.
    @Test(arguments: RandomRuns.seeds(few: 2, logsPerSeed: 100))
    func `each transaction counts once in every query under load`(seed: UInt64) async throws {
        let clock = ManualClock(SalesWorld.start)
        try await withStore(clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            let (world, names) = (SalesWorld(store: store, clock: clock), (0..<80).map { "t\($0)" })
            for day in 0..<4 {
                if day > 0 { clock.advance(by: .days(1)) }
                let sales = names.enumerated().filter { $0.offset % 4 == day }.map { place, name in
                    Sale(id: "client \(place)", user: "u\(place)", transaction: name, amount: Self.euros)
                }
                #expect(try await world.submit(sales).accepted == 20)
            }
            clock.advance(by: .seconds(431))
            let (total, load) = (Int64(names.count) * Self.euros, Load())
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { load.isOver.store(true, ordering: .relaxed) }
                    try await Self.replace(names, world, seed)
                }
                // An end within the day divides it: its hours and minutes are read after the days, whose counts are subtracted.
                for (filter, end) in [(nil, nil), (nil, clock.now + .seconds(1)), ("name!=a", nil)] as [(String?, Timestamp?)] {
                    group.addTask {
                        repeat {
                            let found = try await world.revenue(filter: filter, to: end)
                            #expect(found == ["EUR": total], "SIGNALBOX_QUERY_SEED=\(seed), filter \(filter ?? "none"), \(end ?? clock.now)")
                        } while !load.isOver.load(ordering: .relaxed)
                    }
                }
                group.addTask {
                    repeat {
                        let count = try await Self.exported(store).count { !$0.flags.contains(.withdrawn) }
                        #expect(count == names.count, "SIGNALBOX_QUERY_SEED=\(seed), export")
                    } while !load.isOver.load(ordering: .relaxed)
                }
                try await group.waitForAll()
            }
            #expect(try await world.flagged().count == names.count)
        }
    }

    /// Sends a trusted purchase for each transaction.
    private static func replace(_ names: [String], _ world: SalesWorld, _ seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        var rest = names.shuffled(using: &random)
        while !rest.isEmpty {
            let portion = rest.prefix(Int.random(in: 1...3, using: &random))
            rest.removeFirst(portion.count)
            let sales = portion.map { Sale(id: "trusted \($0)", user: "shop", transaction: $0, amount: euros, isTrusted: true) }
            #expect(try await world.submit(sales).accepted == sales.count)
        }
    }

    /// Returns all events, in small pages of one snapshot.
    private static func exported(_ store: Stores) async throws -> [StoredEvent] {
        let snapshot = store.events.snapshot
        var (found, after) = ([StoredEvent](), Int64?(0))
        while let seq = after {
            let page = try await store.events.events(app: SalesWorld.app, after: seq, from: nil, to: nil, limit: 9, in: snapshot)
            found += page.events
            after = page.next
        }
        return found
    }
}
