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

/// Figures from presence in memory equal those read from the files, whatever changed since the files were read.
@Suite struct PresenceMemoryTests {
    /// A store with one app, and its clock.
    private struct World: Sendable {
        let store: Stores
        let clock: ManualClock
        static let app = AppID(rawValue: 1)

        func post(_ id: String, user: String? = nil, installation: String? = nil, at time: Timestamp? = nil) async throws {
            var builder = SubmissionBuilder(store: store, received: clock.now)
            builder.add("a", id: id, time: time, user: user, installation: installation)
            _ = try await store.events.submit(builder.submission())
        }

        /// Reports a user's property, which also says that the user was there.
        func tell(_ user: String, at time: Timestamp) async throws {
            let key = store.events.hash(.user, app: World.app, Array(user.utf8).span)
            let update = UserUpdate(
                index: 0, installation: nil, installationKey: 0, user: user, userKey: key, properties: [], time: time, alias: false)
            try await store.events.submit(
                UserSubmission(app: World.app, received: clock.now, body: [], updates: [update], quarantined: [], corrections: []))
        }

        /// Compares, and returns the people of a range.
        func people(_ range: [(String, String)] = [("from", "-3d")]) async throws -> Int {
            let parameters = QueryParameters(range, settings: AppSettings(), now: clock.now)
            let (lifecycle, retention) = (try LifecycleQuery(parameters), try RetentionQuery(parameters))
            let users = try ActiveUsersQuery(parameters)
            let (store, app) = (store, World.app)
            let fromFiles = try await store.readers.read { session in
                let context = store.analytics.context(session, app)
                return (try context.lifecycle(lifecycle).body, try context.retention(retention).body)
            }
            let fromMemory = try await store.analytics.run(app, mayReadRows: true) { context in
                #expect(try context.lifecycle(lifecycle).body == fromFiles.0)
                #expect(try context.retention(retention).body == fromFiles.1)
                return try context.activeUsers(users)
            }
            return fromMemory.body.total
        }
    }

    private static let start = Day(year: 2026, month: 11, day: 1).start + .hours(9)

    private static func run(presenceBytes: Int = 1 << 20, _ body: @Sendable (World) async throws -> Void) async throws {
        var options = StoreOptions()
        options.presenceBytes = presenceBytes
        let clock = ManualClock(start)
        try await withStore(options: options, clock: clock.clock) { store in
            _ = try await store.events.createAppWithKeys(named: "shop")
            try await body(World(store: store, clock: clock))
        }
    }

    /// Three days: ann on all, bob on the first two, the phone on the second and the third.
    private static func fill(_ world: World) async throws {
        for day in 0..<3 {
            if day > 0 { world.clock.advance(by: .days(1)) }
            try await world.post("ann \(day)", user: "ann", installation: "laptop")
            if day < 2 { try await world.post("bob \(day)", user: "bob", installation: "tablet") }
            if day > 0 { try await world.post("phone \(day)", installation: "phone") }
        }
    }

    @Test func `events, late ones and new days are added to what is in memory`() async throws {
        try await Self.run { world in
            #expect(try await world.people() == 0)
            try await Self.fill(world)
            #expect(try await world.people() == 3)
            #expect(world.store.analytics.memory.presence.bytes > 0)
            try await world.post("late", user: "cyd", installation: "phone", at: Self.start)
            #expect(try await world.people() == 3)
            world.clock.advance(by: .days(1))
            try await world.post("next", user: "dee")
            #expect(try await world.people() == 4)
        }
    }

    @Test func `an earlier first sighting changes who is new`() async throws {
        try await Self.run { world in
            try await Self.fill(world)
            _ = try await world.people()
            try await world.tell("bob", at: Self.start - .days(90))
            _ = try await world.people()
            try await world.post("old", user: "ann", at: Self.start - .days(80))
            _ = try await world.people()
        }
    }

    @Test func `erased and anonymised people leave the memory`() async throws {
        try await Self.run { world in
            try await Self.fill(world)
            #expect(try await world.people() == 3)
            _ = try await world.store.erase(PersonID(.user, "bob"), of: World.app)
            #expect(try await world.people() == 2)
            _ = try await world.store.anonymise(PersonID(.installation, "phone"), of: World.app)
            #expect(try await world.people() == 2)
        }
    }

    @Test func `rows and files that data retention removes leave the memory`() async throws {
        try await Self.run { world in
            try await Self.fill(world)
            #expect(try await world.people() == 3)
            let days = try world.store.events.sealedDays.days()
            _ = try await world.store.events.removeRows(of: World.app, from: days[1])
            _ = try await world.people()
            try await world.store.events.drop(days[0])
            _ = try await world.people()
            _ = try await world.store.events.removeRows(of: World.app, fromToday: Day(of: world.clock.now))
            #expect(try await world.people() == 0)
        }
    }

    @Test func `presence beyond the limit is counted from the files`() async throws {
        try await Self.run(presenceBytes: 10_000) { world in
            try await Self.fill(world)
            for _ in 0..<2 { #expect(try await world.people() == 3) }
            #expect(world.store.analytics.memory.presence.bytes == 0)
        }
    }

    private static let names = ["ann", "bob", "cyd", "dee", nil]
    private static let ranges = [[("from", "-3d")], [("from", "-3d"), ("tz", "Asia/Kathmandu")], [("from", "-20d")]]

    /// Installations that name nobody, one user or several at once, late events, new days and erasures, each between two queries.
    @Test(arguments: RandomRuns.seeds(few: 2, logsPerSeed: 50))
    func `random events in steps give the same figures`(seed: UInt64) async throws {
        try await Self.run { world in
            var random = SeededGenerator(seed)
            for step in 0..<40 {
                for event in 0..<Int.random(in: 1...5, using: &random) {
                    let isLate = Int.random(in: 0..<6, using: &random) == 0
                    let passed = Timestamp.Span(milliseconds: Int64.random(in: 0...(isLate ? 5 * 86_400_000 : 1_800_000), using: &random))
                    // Few quarter-hours, so that many are shared.
                    let (user, device) = (Self.names.randomElement(using: &random) ?? nil, Int.random(in: 0...6, using: &random))
                    if user == nil && device == 0 { continue }
                    try await world.post("\(step) \(event)", user: user, installation: device > 0 ? "i\(device)" : nil, at: world.clock.now - passed)
                }
                if Int.random(in: 0..<25, using: &random) == 0 {
                    _ = try await world.store.erase(PersonID(.user, Self.names[step % 4] ?? ""), of: World.app)
                }
                for range in Self.ranges { _ = try await world.people(range) }
                world.clock.advance(by: .init(milliseconds: Int64.random(in: 0...28_800_000, using: &random)))
            }
        }
    }

    // MARK: Parts

    @Test func `the feed forgets the app with the most rows`() {
        let feed = PresenceFeed(limit: 5)
        let (small, large) = (AppID(rawValue: 1), AppID(rawValue: 2))
        let (first, second) = (feed.open(small), feed.open(large))
        func commit(_ app: AppID, _ users: ClosedRange<UInt64>) {
            feed.committed(
                users.map {
                    .init(entry: .init(app: app.rawValue, day: 20_000, installation: 0, user: $0), bits: .init(quarter: 95))
                }, in: Day(number: 20_001))
        }
        commit(small, 1...2)
        commit(large, 1...3)
        #expect(feed.take(large, of: second)?.sightings.map(\.quarter) == Array(repeating: 20_000 * 96 + 95, count: 3))
        commit(large, 1...4)
        #expect(feed.take(large, of: second) == nil)
        #expect(feed.take(small, of: first)?.sightings.map(\.user) == [1, 2])
        #expect(feed.take(small, of: first)?.sightings.isEmpty == true)
        #expect(feed.open(small) != first)
        #expect(feed.take(small, of: first) == nil)
    }

    @Test func `figures of many people are counted once a second`() throws {
        let removals = ErasureCount()
        let time = Turns()
        let cache = FigureCache(removals) { time.now }
        let key = FigureCache.Key(app: World.app, kind: .people, edges: [])
        var counted = 0
        func ask(_ people: Int) throws -> [Int] {
            try cache.numbers(key) {
                counted += 1
                return ([counted], people)
            }
        }
        #expect(try [ask(1_000), ask(1_000)] == [[1], [2]])
        #expect(try [ask(50_000), ask(50_000)] == [[3], [3]])
        time.advance(.seconds(1))
        #expect(try [ask(50_000), ask(50_000)] == [[4], [4]])
        removals.rise()
        #expect(try ask(50_000) == [5])
    }

    @Test func `few periods are counted as many are`() throws {
        var random = SeededGenerator(8)
        for buckets in [1, 30, 64, 65, 130] {
            var table = PresenceTable(buckets: buckets)
            for _ in 0..<100 {
                let (installation, user) = (UInt64.random(in: 1...30, using: &random), UInt64.random(in: 0...20, using: &random))
                try table.mark(installation: installation, user: user, bucket: Int.random(in: 0..<buckets, using: &random), at: 0)
            }
            let census = Census(table)
            for _ in 0..<10 {
                let first = Int.random(in: 0..<buckets, using: &random)
                let period = first..<Int.random(in: first + 1...buckets, using: &random)
                #expect(table.counts(of: [period])[0] == census.counts(window: period.count)[period.upperBound - 1])
                #expect(table.counts(of: Array(repeating: period, count: 9)) == Array(repeating: table.counts(of: [period])[0], count: 9))
            }
        }
    }

    @Test func `windows of many buckets are counted as in plain loops`() {
        var random = SeededGenerator(7)
        for buckets in [1, 30, 63, 64, 65, 128, 200] {
            for window in [1, 2, 7, 30, 64, 100] {
                var (counts, words, expected) = (LineCounts(buckets: buckets), LineCounts(buckets: buckets), [Int](repeating: 0, count: buckets))
                for _ in 0..<20 {
                    var lines = Lines(buckets: buckets, count: 1)
                    let marked = Set((0..<3).map { _ in Int.random(in: 0..<buckets, using: &random) })
                    for bucket in marked { lines.mark(at: 0, bucket) }
                    var line = LineWords(width: lines.width)
                    line.load(lines, at: 0)
                    line.smear(window)
                    counts.add(line)
                    if lines.width == 1 { words.add(LineWords.smeared(lines.words[0], window)) }
                    for bucket in 0..<buckets where marked.contains(where: { $0 <= bucket && bucket < $0 + window }) { expected[bucket] += 1 }
                }
                #expect(counts.counts == expected, "\(buckets) buckets, window \(window)")
                if buckets <= 64 { #expect(words.counts == expected, "\(buckets) buckets, window \(window), one word") }
            }
        }
    }
}

/// A clock that a test turns.
private final class Turns: Sendable {
    private let time = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock { $0 } }

    func advance(_ passed: Duration) { time.withLock { $0 += passed } }
}
