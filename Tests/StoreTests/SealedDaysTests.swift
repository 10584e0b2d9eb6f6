// SPDX-License-Identifier: Apache-2.0

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

@Suite struct SealedDaysTests {
    private static let app = AppID(rawValue: 1)
    private static let start = Day(year: 2026, month: 11, day: 1).start + .hours(9)
    private static let first = Day(of: start)

    private static func post(_ numbers: Range<Int>, to store: Stores, at now: Timestamp) async throws {
        var request = SubmissionBuilder(app: app, store: store, received: now)
        for number in numbers {
            request.add("event_\(number % 3)", id: "\(number)", user: "user \(number)", installation: "phone \(number)", session: "visit \(number)")
        }
        #expect(try await store.events.submit(request.submission()).accepted == numbers.count)
    }

    private static func people(_ store: Stores) async throws -> [String] {
        try await store.events.events(app: app, after: 0, from: nil, to: nil, limit: 1_000).events.map { event in
            [event.name, event.user, event.installation, event.session].map { $0 ?? "nobody" }.joined(separator: ", ")
        }
    }

    private static func file(_ store: Stores, _ day: Day = first) throws -> DayDB {
        try DayDB.open(reading: store.paths.file(of: day))
    }

    private static func logSize(_ store: Stores, _ day: Day = first) -> Int64 {
        Folder.size(of: store.paths.file(of: day) + "-wal")
    }

    @Test func `a sealed day has indexes and an empty WAL and returns the same events`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store in
            try await Self.post(0..<200, to: store, at: clock.now)
            try await store.events.finishDays()
            #expect(try Self.file(store).missingIndexes() == DayIndex.allCases)
            let before = try await Self.people(store)
            #expect(before.last == "event_1, user 199, phone 199, visit 199")
            clock.advance(by: .days(1))
            try await store.events.turn()
            try await store.events.finishDays()
            #expect(try Self.file(store).missingIndexes().isEmpty)
            #expect(Self.logSize(store) == 0)
            #expect(try await Self.people(store) == before)
            let plan = try Self.file(store).statement("EXPLAIN QUERY PLAN SELECT id FROM ids WHERE key = 1").all { $0.text(3) }
            #expect(plan.joined().contains("ids_by_key"))
        }
    }

    @Test func `a change that a full disk has no room for leaves the log of a sealed day empty`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store in
            try await Self.post(0..<10, to: store, at: clock.now)
            clock.advance(by: .days(1))
            try await store.events.turn()
            var failure: (any Error)?
            do {
                try await store.events.sealedDays.write(to: Self.first) { file in
                    // A file that must not grow has the error of a full disk. The change has more pages than the cache, so that some are in the log.
                    let pages = try file.statement("PRAGMA page_count").first { $0.integer(0) } ?? 0
                    try file.execute("PRAGMA max_page_count = \(pages + 1_500)")
                    let text = String(repeating: "x", count: 1_000_000)
                    for key in 1...20 {
                        let insert = try file.statement("INSERT INTO words (app, kind, key, text) VALUES (1, 9, ?, ?)")
                        try insert.run(.integer(Int64(-key)), .text(text))
                    }
                }
            } catch { failure = error }
            #expect(failure.map { Refusal.isFullDisk($0) } == true)
            #expect(Self.logSize(store) == 0)
        }
    }

    @Test func `presence left by a kill is folded after the day switch`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        // A store that closes does not fold, so the folder is as after a kill.
        try await withStore(in: folder, clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            try await Self.post(0..<50, to: store, at: clock.now)
        }
        clock.advance(by: .days(1))
        try await withStore(in: folder, clock: clock.clock) { store in
            #expect(try Self.file(store).statement("SELECT count(*) FROM presence").first { $0.int(0) } == 50)
            for _ in 0..<2 {
                try await store.events.finishDays()
                let counts = try Self.file(store).statement("SELECT (SELECT count(*) FROM presence), (SELECT count(*) FROM actives)").first {
                    [$0.int(0), $0.int(1)]
                }
                #expect(counts == [0, 50])
                let people = try Connection(store.paths.main, .read).statement("SELECT count(*), min(first_seen) FROM people").first {
                    [$0.integer(0), $0.integer(1)]
                }
                #expect(people == [100, Self.start.milliseconds])
            }
        }
    }

    @Test func `the open day and removed days cannot be written`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store async throws in
            await #expect(throws: Refusal.self) { try await store.events.sealedDays.write(to: Self.first) { _ in } }
            await #expect(throws: Refusal.self) { try await store.events.sealedDays.remove(Self.first) }
            clock.advance(by: .days(1))
            try await store.events.turn()
            #expect(try await store.events.sealedDays.write(to: Self.first) { _ in true } == true)
            try await store.events.sealedDays.remove(Self.first)
            #expect(try await store.events.sealedDays.write(to: Self.first) { _ in true } == nil)
            #expect(try Folder.names(in: store.paths.events).allSatisfy { $0.hasPrefix("2026-11-02") })
        }
    }

    /// Starts work that occupies the thread of sealed days until it is interrupted. Returns once it runs.
    private static func longWork(_ store: Stores) async throws -> Task<Void?, any Error> {
        let (began, bell) = AsyncStream<Void>.makeStream()
        let work = Task {
            try await store.events.sealedDays.write(to: first) { file in
                try file.execute("CREATE TABLE half (n INTEGER)")
                bell.yield()
                try file.statement(
                    "INSERT INTO half WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT i FROM n WHERE i < 0"
                )
                .run()
            }
        }
        for await _ in began { break }
        return work
    }

    @Test func `commits continue during work on a sealed day, and closing the store interrupts it`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        let work = try await withStore(in: folder, clock: clock.clock) { store in
            try await Self.post(0..<10, to: store, at: clock.now)
            clock.advance(by: .days(1))
            try await store.events.turn()
            let work = try await Self.longWork(store)
            try await Self.post(10..<20, to: store, at: clock.now)
            // A query during the write.
            #expect(try await Self.people(store).count == 20)
            return work
        }
        let error = await #expect(throws: SQLiteError.self) { try await work.value }
        #expect(error?.code == .interrupted)
        try await withStore(in: folder, clock: clock.clock) { store in
            #expect(try Self.file(store).statement("SELECT count(*) FROM sqlite_schema WHERE name = 'half'").first { $0.int(0) } == 0)
            try await store.events.finishDays()
            #expect(try Self.file(store).missingIndexes().isEmpty)
            #expect(try await Self.people(store).count == 20)
        }
    }

    @Test func `a reader of a sealed day keeps its snapshot, and the WAL is emptied later`() async throws {
        let clock = ManualClock(Self.start)
        try await withStore(clock: clock.clock) { store in
            try await Self.post(0..<100, to: store, at: clock.now)
            clock.advance(by: .days(1))
            try await store.events.turn()
            do {
                let reader = try Self.file(store)
                try reader.execute("BEGIN")
                #expect(try reader.missingIndexes().count == 2)
                try await store.events.finishDays()
                #expect(try reader.missingIndexes().count == 2)
                #expect(try Self.file(store).missingIndexes().isEmpty)
                #expect(Self.logSize(store) > 0)
            }
            try await store.events.finishDays()
            #expect(Self.logSize(store) == 0)
        }
    }

    @Test func `event numbers are not reused after their rows are removed`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Self.start)
        for round in 0..<3 {
            try await withStore(in: folder, clock: clock.clock) { store in
                let last = Int64(round * 10)
                #expect(store.events.gauges.now.lastSeq == last)
                try await Self.post(round * 10..<round * 10 + 10, to: store, at: clock.now)
                clock.advance(by: .days(1))
                try await store.events.turn()
                try await store.events.sealedDays.remove(Day(of: clock.now - .days(1)))
            }
            clock.advance(by: .days(1))
        }
    }
}
