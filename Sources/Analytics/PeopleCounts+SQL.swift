// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
package import Events
package import Platform
import SQLite
import Synchronization

/// A cache of the number of different people in periods.
///
/// Counting people reads presence rows, so each period is counted once. A count is valid while its stamp is equal, which is the number of
/// events and aliases on the UTC days that the period touches. Counts of past periods are also written to the main file, where they outlive the rows
/// they were counted from:
///
///     period of March, counted on 1 April   1,200 people, stamp 90,000
///     the same query again                  stamp 90,000: from the cache
///     a late event of March arrives         stamp 90,001: counted again
///     data retention deletes 1 March        the stamp is the same, because the history keeps the number of events
///     another late event of March           fewer are counted; the larger, kept number is returned
///
/// An erasure empties the cache.
final class PeopleCounts: Sendable {
    struct Period: Hashable, Sendable {
        var app: AppID
        var from: Timestamp
        var to: Timestamp
    }

    struct Count: Equatable, Sendable {
        var people: Int
        var stamp: Int64
    }

    private struct State: Sendable {
        var counts: [Period: Count] = [:]
        var unsaved: [Period: Count] = [:]
        /// The number of erasures before these counts.
        var erasures = 0

        /// Clears the cache after an erasure.
        mutating func settle(at now: Int) {
            if erasures != now { self = State(erasures: now) }
        }
    }

    private static let limit = 20_000
    private let state = Mutex(State())
    private let removals: ErasureCount

    init(_ removals: ErasureCount) {
        self.removals = removals
    }

    var erasures: Int { removals.now }

    func known(_ period: Period) -> Count? {
        state.withLock { state in
            state.settle(at: removals.now)
            return state.counts[period]
        }
    }

    /// Stores counts, unless there was an erasure since `erasures` was read.
    func keep(_ counts: [Period: Count], now: Timestamp, since erasures: Int) {
        state.withLock { state in
            state.settle(at: removals.now)
            guard state.erasures == erasures else { return }
            if state.counts.count + counts.count > PeopleCounts.limit { state.counts = [:] }
            state.counts.merge(counts) { $1 }
            state.unsaved.merge(counts.filter { $0.key.to <= now }) { $1 }
            if state.unsaved.count > PeopleCounts.limit { state.unsaved = [:] }
        }
    }

    func takeUnsaved() -> [Period: Count] {
        state.withLock { state in
            state.settle(at: removals.now)
            defer { state.unsaved = [:] }
            return state.unsaved
        }
    }
}

extension QueryContext {
    /// Returns the number of different people of each bucket, and of all buckets together as the last element.
    package func peopleCounts(of buckets: TimeBuckets, now: Timestamp) throws -> [Int] {
        let whole = TimeBuckets(edges: [buckets.from, buckets.to])
        let each = (0..<buckets.count).map { TimeBuckets(edges: Array(buckets.edges[$0...$0 + 1])) }
        return try peopleCounts(each + [whole], within: buckets, now: now)
    }

    /// Returns the number of different people of periods whose edges are edges of buckets.
    func peopleCounts(_ periods: [TimeBuckets], within buckets: TimeBuckets, now: Timestamp) throws -> [Int] {
        try figures(.people, periods.flatMap(\.edges)) {
            var size = 0
            let counts = try validCounts(periods, now: now) { periods in
                let table = try there(buckets)
                size = table.count
                return table.counts(of: periods.map { buckets.places(from: $0.from, to: $0.to) })
            }
            return (counts, size)
        }
    }

    /// Returns counts that are valid now.
    ///
    /// - Parameter count: Counts the periods whose cached count is missing or no longer valid.
    private func validCounts(_ periods: [TimeBuckets], now: Timestamp, count: ([PeopleCounts.Period]) throws -> [Int]) throws -> [Int] {
        let erasures = kept.erasures
        guard let first = periods.map(\.from).min(), let last = periods.map(\.to).max() else { return [] }
        let stamps = try Stamps(self, from: first, to: last)
        let wanted = periods.map { PeopleCounts.Period(app: app, from: $0.from, to: $0.to) }
        let known = try knownCounts(wanted)
        var counts = known.map { $0?.people ?? 0 }
        let stale = wanted.indices.filter { known[$0]?.stamp != stamps[wanted[$0]] }
        if stale.isEmpty { return counts }
        let gone = try daysGone(from: first, to: last)
        var fresh: [PeopleCounts.Period: PeopleCounts.Count] = [:]
        for (place, people) in zip(stale, try count(stale.map { wanted[$0] })) {
            let period = wanted[place]
            // Deleted rows cannot be counted again, so the kept number is closer to the truth.
            let hasGone = gone.contains { $0 + .days(1) > period.from && $0 < period.to }
            counts[place] = hasGone ? max(people, counts[place]) : people
            fresh[period] = PeopleCounts.Count(people: counts[place], stamp: stamps[period])
        }
        kept.keep(fresh, now: now, since: erasures)
        return counts
    }

    /// Returns the UTC days whose rows were deleted and whose counts are only in the history.
    func daysGone(from: Timestamp, to: Timestamp) throws -> [Timestamp] {
        let sql = "SELECT DISTINCT bucket FROM history WHERE app = ? AND metric = ? AND grain = ? AND bucket BETWEEN ? AND ?"
        var days: [Timestamp] = []
        try session.withMain { main in
            let (first, last) = (Day(of: from), Day(of: to - .init(milliseconds: 1)))
            try main.statement(sql).each([
                .integer(app.rawValue), .integer(RollupMetric.events.rawValue), .integer(Grain.day.rawValue), .integer(Int64(first.number)),
                .integer(Int64(last.number)),
            ]) { days.append(Timestamp(milliseconds: $0.integer(0) * Day.milliseconds)) }
        }
        return days
    }

    private func knownCounts(_ periods: [PeopleCounts.Period]) throws -> [PeopleCounts.Count?] {
        var known = periods.map { kept.known($0) }
        if known.allSatisfy({ $0 != nil }) { return known }
        try session.withMain { main in
            let sql = "SELECT people, stamp FROM people_counts WHERE app = ? AND start = ? AND end = ?"
            for (place, period) in periods.enumerated() where known[place] == nil {
                known[place] = try main.statement(sql).first(
                    .integer(app.rawValue), .integer(period.from.milliseconds), .integer(period.to.milliseconds)
                ) { PeopleCounts.Count(people: $0.int(0), stamp: $0.integer(1)) }
            }
        }
        return known
    }
}

/// The stamps of periods: the number of events, withdrawn ones included, and aliases on the UTC days they touch. Any change of the people
/// changes it.
private struct Stamps {
    private let first: Int64
    /// The number of events before each day.
    private var sums: [Int64] = [0]

    init(_ context: QueryContext, from: Timestamp, to: Timestamp) throws {
        let (first, last) = (Int64(Day(of: from).number), Int64(Day(of: to - .init(milliseconds: 1)).number))
        self.first = first
        let edges = (first...last + 1).map { Timestamp(milliseconds: $0 * Day.milliseconds) }
        let days = TimeBuckets(edges: edges)
        let counts = try [RollupMetric.events, .aliases, .withdrawn].map { try context.rollups($0, days).all.map(\.count) }
        for day in 0..<days.count { sums.append(counts.reduce(sums[sums.count - 1]) { $0 + $1[day] }) }
    }

    subscript(period: PeopleCounts.Period) -> Int64 {
        let (from, to) = (Int64(Day(of: period.from).number), Int64(Day(of: period.to - .init(milliseconds: 1)).number))
        return sums[Int(to + 1 - first)] - sums[Int(from - first)]
    }
}

extension TimeBuckets {
    /// Returns the places of the buckets between two edges.
    fileprivate func places(from: Timestamp, to: Timestamp) -> Range<Int> {
        let first = edges.firstIndex { $0 >= from } ?? 0
        return first..<max(first, edges.firstIndex { $0 >= to } ?? count)
    }
}

extension Analytics {
    /// Writes the new counts of past periods to the main file.
    package func savePeopleCounts() async throws {
        let erasures = people.erasures
        let unsaved = people.takeUnsaved()
        if unsaved.isEmpty { return }
        do {
            try await write(unsaved, since: erasures)
        } catch {
            people.keep(unsaved, now: events.clock.now(), since: erasures)
            throw error
        }
    }

    private func write(_ counts: [PeopleCounts.Period: PeopleCounts.Count], since erasures: Int) async throws {
        let people = people
        try await events.change { context in
            guard people.erasures == erasures else { return }
            let insert = try context.main.statement("INSERT OR REPLACE INTO people_counts (app, start, end, people, stamp) VALUES (?, ?, ?, ?, ?)")
            for (period, count) in counts {
                try insert.run(
                    .integer(period.app.rawValue), .integer(period.from.milliseconds), .integer(period.to.milliseconds), .integer(count.people),
                    .integer(count.stamp))
            }
        }
    }
}
