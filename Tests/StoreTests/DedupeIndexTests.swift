// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// Options with few keys in memory, so that few events make runs.
private let options = {
    var options = EventStoreOptions()
    options.recentKeys = 40
    return options
}()

@Suite struct DedupeIndexTests {
    private static let start = Day(year: 2026, month: 11, day: 1).start + .hours(1)

    private static func submit(_ ids: some Sequence<Int>, to store: Stores, at now: Timestamp) async throws -> Int {
        var request = SubmissionBuilder(store: store, received: now)
        for id in ids { request.add("a", id: "event \(id)") }
        return try await store.events.submit(request.submission()).accepted
    }

    @Test func `keys in memory, in today's runs and in older runs count once`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        var random = SeededGenerator(5)
        var known: Set<Int> = []
        for _ in 0..<4 {
            let batches = (0..<12).map { _ in (0..<30).map { _ in Int.random(in: 0..<900, using: &random) } }
            let before = known
            known = try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { store async throws -> Set<Int> in
                var known = before
                for batch in batches {
                    let new = Set(batch).subtracting(known).count
                    #expect(try await Self.submit(batch, to: store, at: clock.now) == new)
                    known.formUnion(batch)
                    clock.advance(by: .hours(3))
                }
                return known
            }
        }
        let all = known
        try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { store async throws in
            #expect(try await Self.submit(all, to: store, at: clock.now) == 0)
            #expect(try await Self.submit(1_000..<1_200, to: store, at: clock.now) == 200)
        }
    }

    @Test func `merged runs are deleted`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { store async throws in
            for batch in 0..<20 { #expect(try await Self.submit(batch * 50..<batch * 50 + 50, to: store, at: clock.now) == 50) }
            let hasOnlyTheLarger = try await eventually {
                _ = try await Self.submit([.random(in: 1_000...1 << 40)], to: store, at: clock.now)
                let paths = try StorePaths(root: folder.path).runs(of: Day(of: Self.start), .ids)
                let rows = paths.compactMap { try? KeyRun($0)?.rows }
                let covered = rows.filter { run in rows.contains { $0 != run && $0.contains(run.lowerBound) } }
                return covered.isEmpty && rows.contains { $0.count > 1 }
            }
            #expect(hasOnlyTheLarger)
        }
    }

    @Test func `unfinished runs and runs of removed days are deleted at the start`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { _ in }
        let strays = ["2026-11-01.ids.1-9.run.draft", "2026-10-02.ids.1-9.run"].map { "\(folder.path)/events/\($0)" }
        for stray in strays { try File(stray, .create).write([1, 2, 3]) }
        // Strays are removed before anything that may need their disk space.
        let main = try Connection(folder.path + "/main.db", .write)
        try main.execute("CREATE TRIGGER no BEFORE INSERT ON meta WHEN new.key = 'last_seq' BEGIN SELECT RAISE(ABORT, 'no'); END")
        clock.advance(by: .days(1))
        await #expect(throws: (any Error).self) {
            try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { _ in }
        }
        for stray in strays { #expect(!Folder.exists(stray)) }
    }

    @Test func `missing runs are rebuilt with bounded memory`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { store async throws in
            for batch in 0..<40 {
                #expect(try await Self.submit(batch * 50..<batch * 50 + 50, to: store, at: clock.now) == 50)
                if batch == 20 { clock.advance(by: .days(1)) }
            }
        }
        let paths = StorePaths(root: folder.path)
        let (yesterday, today) = (Day(of: Self.start), Day(of: clock.now))
        for name in try Folder.names(in: paths.events) where name.hasSuffix(".run") { try Folder.remove(paths.events + "/" + name) }
        for _ in 0..<2 {
            let seen = try DedupeHistory(paths, today: today, idsSince: yesterday, options).ids
            #expect(seen.sealed.runs.map(\.count).reduce(0, +) > 2_000 - options.recentKeys * 4)
            #expect(seen.sealed.runs.count < 6)
            #expect(Set(try paths.runs(of: yesterday, .ids) + paths.runs(of: today, .ids)) == Set(seen.sealed.runs.map(\.path)))
        }
        try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { store async throws in
            #expect(try await Self.submit(0..<2_010, to: store, at: clock.now) == 10)
        }
    }

    @Test func `runs of a sealed day are merged when the current merge ends`() async throws {
        let folder = TemporaryFolder()
        let paths = StorePaths(root: folder.path)
        try Folder.make(paths.events)
        let (yesterday, today) = (Day(of: Self.start), Day(of: Self.start + .days(1)))
        _ = try DayFile(today, at: paths.file(of: today))
        var options = options
        options.filterMemory = 64
        var history = try DedupeHistory(paths, today: today, idsSince: today, options)
        for row in 1...3 as ClosedRange<Int64> {
            let path = paths.run(of: yesterday, .ids, rows: row...row)
            try KeyRun.write((1...100).map { UInt64($0 * 10 + Int(row)) }, rows: row...row, to: path)
            history.ids.add(try #require(try KeyRun(path)), of: yesterday)
        }
        let sealer = Sealer(TroubleLog(Log(), clock: ManualClock(Self.start).clock))
        history.ids.load([5])
        history.lastLogged = 1
        history.seal(atLeast: 1, of: today, paths, with: sealer)
        let settled = Mutex(history)
        let isOne = try await eventually {
            settled.withLock { history in
                _ = history.settle(paths, with: sealer)
                return history.ids.sealed.runs.count == 2
            }
        }
        #expect(isOne)
        for key in [5, 11, 1_003] as [UInt64] { #expect(try settled.withLock { try $0.ids.contains(key) }) }
    }

    /// The kinds of damage to a run.
    enum Damage: CaseIterable {
        case missing, empty, cutShort, otherBeginning, longer, unreadable

        func befall(_ path: String) throws {
            let bytes = try File(path, .read).read(at: 0, count: Int(Folder.size(of: path)))
            try Folder.remove(path)
            switch self {
            case .missing: return
            case .empty: try File(path, .create).write([])
            case .cutShort: try File(path, .create).write(Array(bytes.dropLast(8)))
            case .otherBeginning: try File(path, .create).write([bytes[0] ^ 1] + bytes.dropFirst())
            case .longer: try File(path, .create).write(bytes + [0])
            case .unreadable: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `a damaged or missing run is rebuilt from the day's file`(damage: Damage) async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { store async throws in
            for day in 0..<3 {
                #expect(try await Self.submit(day * 100..<day * 100 + 100, to: store, at: clock.now) == 100)
                clock.advance(by: .days(1))
            }
            #expect(try await Self.submit(900..<901, to: store, at: clock.now) == 1)
        }
        let events = folder.path + "/events"
        let runs = try Folder.names(in: events).filter { $0.hasSuffix(".run") }
        #expect(runs.count >= 3)
        for run in runs { try damage.befall(events + "/" + run) }
        try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { store async throws in
            #expect(try await Self.submit(0..<300, to: store, at: clock.now) == 0)
            #expect(try await Self.submit(300..<400, to: store, at: clock.now) == 100)
        }
    }

    @Test(arguments: Damage.allCases)
    func `a lost run is rebuilt although a later one exists`(damage: Damage) async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { store async throws in
            // The second run is too small to be merged with the first.
            #expect(try await Self.submit(0..<100, to: store, at: clock.now) == 100)
            #expect(try await Self.submit(100..<145, to: store, at: clock.now) == 45)
            clock.advance(by: .days(1))
            #expect(try await Self.submit(900..<901, to: store, at: clock.now) == 1)
        }
        let events = folder.path + "/events"
        #expect(try Folder.names(in: events).filter { $0.hasSuffix(".run") } == ["2026-11-01.ids.1-1.run", "2026-11-01.ids.2-2.run"])
        try damage.befall(events + "/2026-11-01.ids.1-1.run")
        for _ in 0..<2 {
            try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { store async throws in
                #expect(try await Self.submit(0..<145, to: store, at: clock.now) == 0)
            }
        }
    }

    @Test func `IDs received during an untrusted clock leap count once for the whole window`() async throws {
        let (clock, steady) = (ManualClock(Self.start), ManualClock(Self.start))
        let wall = WallClock(now: { clock.now }, steady: { steady.now - Timestamp(milliseconds: 0) })
        let folder = TemporaryFolder()
        try await withStore(in: folder, clock: wall) { store async throws in
            #expect(try await Self.submit(0..<1, to: store, at: clock.now) == 1)
        }
        clock.advance(by: .days(10))
        try await withStore(in: folder, clock: wall) { store async throws in
            #expect(try await Self.submit(10..<20, to: store, at: clock.now) == 10)
            steady.advance(by: .hours(1))
            clock.advance(by: .hours(1))
            #expect(try await Self.submit(10..<21, to: store, at: clock.now) == 1)
        }
        #expect(try StorePaths(root: folder.path).days().map(\.text) == ["2026-11-01", "2026-11-11"])
        for _ in 0..<2 {
            try await withStore(in: folder, clock: wall) { store async throws in
                #expect(try await Self.submit(10..<21, to: store, at: clock.now) == 0)
            }
            clock.advance(by: .days(7))
        }
    }

    @Test func `a draft left by a kill is ignored`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { store async throws in
            #expect(try await Self.submit(0..<100, to: store, at: clock.now) == 100)
        }
        try File(folder.path + "/events/2026-11-01.ids.9.run.draft", .create).write([1, 2, 3])
        try await withStore(in: folder, options: StoreOptions(events: options), clock: clock.clock) { store async throws in
            #expect(try await Self.submit(0..<101, to: store, at: clock.now) == 1)
        }
    }
}
