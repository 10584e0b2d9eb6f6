// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import Database
@testable import EventStore

/// Revenue with purchases of clients and of servers, compared with a plain list: over midnights, late, with erasures and restarts.
///
/// `SIGNALBOX_QUERY_LOGS=5000` tests more seeds, and `SIGNALBOX_QUERY_SEED=42` that one.
@Suite struct WithdrawalTests {
    @Test(arguments: RandomRuns.seeds(few: 4, logsPerSeed: 10))
    func `revenue is that of the purchases that count`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        let (folder, clock) = (TemporaryFolder(), ManualClock(SalesWorld.start))
        var list = SalesList()
        for start in 0..<Int.random(in: 1...3, using: &random) {
            let (steps, before) = (SalesStep.some(&random), list)
            list = try await withStore(in: folder, options: options, clock: clock.clock) { store in
                if start == 0 { _ = try await store.events.createAppWithKeys(named: "shop") }
                var list = before
                let world = SalesWorld(store: store, clock: clock)
                for step in steps { try await world.take(step, &list) }
                for difference in try await world.differences(from: list) { Issue.record("SIGNALBOX_QUERY_SEED=\(seed): \(difference)") }
                return list
            }
        }
    }

    @Test func `the file of an earlier day does not change`() async throws {
        let clock = ManualClock(SalesWorld.start)
        try await withStore(clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            let world = SalesWorld(store: store, clock: clock)
            var list = SalesList()
            try await world.take(.sales([Sale(user: "ann", transaction: "t", amount: 5)]), &list)
            clock.advance(by: .days(1))
            try await store.events.turn()
            try await store.events.finishDays()
            let file = store.paths.file(of: Day(of: SalesWorld.start))
            let bytes = try Data(contentsOf: URL(filePath: file))
            try await world.take(.sales([Sale(user: "shop", transaction: "t", amount: 9, isTrusted: true)]), &list)
            #expect(try await world.differences(from: list) == [])
            #expect(list.counting.map(\.amount) == [9])
            #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
        }
    }

    @Test func `a trusted purchase withdraws what version 0-1 stored, whose transactions count once per app`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(SalesWorld.start))
        let first = Sale(user: "ann", transaction: "t", amount: 5)
        try await withStore(in: folder, clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            var list = SalesList()
            try await SalesWorld(store: store, clock: clock).take(.sales([first]), &list)
            try SalesWorld.age(store, "t")
        }
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/events") where file.hasSuffix(".run") {
            try FileManager.default.removeItem(atPath: folder.path + "/events/" + file)
        }
        let bobs = Sale(user: "bob", transaction: "t", amount: 5)
        let trusted = Sale(user: "shop", transaction: "t", amount: 9, isTrusted: true)
        try await withStore(in: folder, clock: clock.clock) { store async throws in
            #expect(try await SalesWorld(store: store, clock: clock).submit([bobs]).accepted == 0)
        }
        clock.advance(by: .days(1))
        try await withStore(in: folder, clock: clock.clock) { store async throws in
            let world = SalesWorld(store: store, clock: clock)
            #expect(try await world.submit([bobs]).accepted == 0)
            #expect(try await world.submit([trusted]).accepted == 1)
            #expect(try await world.submit([bobs]).accepted == 0)
            for filter in [nil, "name!=a"] { #expect(try await world.revenue(filter: filter) == ["EUR": 9]) }
            #expect(try await world.flagged() == ["sale 1"])
        }
    }

    @Test func `a purchase that an erasure is about to subtract is not withdrawn`() async throws {
        let clock = ManualClock(SalesWorld.start)
        try await withStore(clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            let world = SalesWorld(store: store, clock: clock)
            _ = try await world.submit([Sale(user: "ann", transaction: "t", amount: 5)])
            clock.advance(by: .days(1))
            try await store.events.turn()
            let removal = try await store.removal(of: PersonID(.user, "ann"), from: SalesWorld.app, .erasure)
            let number = store.events.withdrawals.beginRemoving(removal, through: 1)
            // The erasure has read the list of withdrawn rows when the trusted purchase arrives.
            let (day, withdrawals) = (Day(of: SalesWorld.start), store.events.withdrawals)
            let (list, hash) = (try withdrawals.rows(of: day), store.events.hash)
            _ = try await world.submit([Sale(user: "shop", transaction: "t", amount: 9, isTrusted: true)])
            try await store.events.sealedDays.write(to: day) { file in
                _ = try file.remove(file.rowsToRemove(removal, after: 0, through: 1, sessionTimeout: .minutes(30)), removal, hash, withdrawn: list)
            }
            withdrawals.endRemoving(number)
            #expect(try await world.revenue(filter: nil) == ["EUR": 9])
        }
    }

    @Test func `erasures leave the counts of withdrawn purchases of earlier days`() async throws {
        let clock = ManualClock(SalesWorld.start)
        try await withStore(clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            let world = SalesWorld(store: store, clock: clock)
            var list = SalesList()
            try await world.take(.sales([Sale(user: "ann", transaction: "t", amount: 2)]), &list)
            clock.advance(by: .days(1))
            try await store.events.turn()
            // With Ann's, which the second day's file subtracts, its counts of that minute are 1. The first erasure leaves 0.
            let late = ["bob", "cyd"].map { Sale(user: $0, transaction: nil, amount: 2, age: .days(1)) }
            try await world.take(.sales(late + [Sale(user: "shop", transaction: "t", amount: 9, isTrusted: true)]), &list)
            for user in ["bob", "cyd"] {
                _ = try await store.erase(PersonID(.user, user), of: SalesWorld.app)
                list.erase(user)
                #expect(try await world.differences(from: list) == [])
            }
        }
    }

    @Test func `the counts of withdrawn purchases outlive the rows`() async throws {
        let clock = ManualClock(SalesWorld.start)
        try await withStore(clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop", settings: [("retention_days", "3")])
            let world = SalesWorld(store: store, clock: clock)
            var list = SalesList()
            try await world.take(.sales([Sale(user: "ann", transaction: "t", amount: 5), Sale(user: "bob", transaction: nil, amount: 2)]), &list)
            clock.advance(by: .days(1))
            try await world.take(.sales([Sale(user: "shop", transaction: "t", amount: 9, isTrusted: true)]), &list)
            clock.advance(by: .days(2))
            // The first day's file is deleted, then the second's.
            for day in 0..<2 {
                clock.advance(by: .days(1))
                try await store.events.turn()
                #expect(try await store.retain().removedDays == [Day(of: SalesWorld.start + .days(Int64(day)))])
                #expect(try await world.revenue(filter: nil) == ["EUR": 11])
            }
        }
    }
}
