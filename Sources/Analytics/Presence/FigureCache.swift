// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform
import Synchronization

/// The presence, the sessions and the figures that queries keep in memory.
final class PeopleMemory: Sendable {
    let presence: PresenceCache
    let sessions: SessionCache
    let figures: FigureCache
    private static let unusedFor = Duration.seconds(300)

    init(_ events: EventStore, presenceBytes: Int, sessionBytes: Int) {
        presence = PresenceCache(events.presence, events.erasures, limit: presenceBytes)
        sessions = SessionCache(events.sessions, events.erasures, limit: sessionBytes)
        figures = FigureCache(events.erasures)
    }

    /// Frees what nobody asked for in the last minutes.
    func forgetUnused() {
        presence.forgetUnused(for: PeopleMemory.unusedFor)
        sessions.forgetUnused(for: PeopleMemory.unusedFor)
        figures.forgetUnused()
    }
}

/// Figures of many people, which are counted at most once a second.
///
/// Equal queries of several dashboards cost one count: the others wait for it or get the same numbers for a second. Figures of few people
/// are counted for each query, because that is cheap:
///
///     10:00:00.0   DAU of 200,000 people    counted
///     10:00:00.4   the same                 the same numbers, without the events of the last 0.4 s
///     10:00:01.1   the same                 counted
///     10:00:00.0   DAU of 1,000 people      counted
///     10:00:00.4   the same                 counted
///
/// An erasure empties the cache.
final class FigureCache: Sendable {
    enum Kind: Hashable, Sendable {
        case people
        case lifecycle
        case retention(periods: Int)
    }

    struct Key: Hashable, Sendable {
        var app: AppID
        var kind: Kind
        var edges: [Timestamp]
    }

    private struct Numbers: Sendable {
        var numbers: [Int]
        var counted: ContinuousClock.Instant
        var erasures: Int
    }

    /// The figures of one query. Equal queries take turns.
    private final class Figures: Sendable {
        let last = Mutex<Numbers?>(nil)
    }

    /// The number of people from which figures are reused.
    private static let manyPeople = 50_000
    private static let reusedFor = Duration.seconds(1)
    private static let limit = 256
    /// The limit of numbers of one query. Larger results are not reused.
    private static let numbersLimit = 10_000
    private let removals: ErasureCount
    private let now: @Sendable () -> ContinuousClock.Instant
    private let known = Mutex<[Key: Figures]>([:])

    init(_ removals: ErasureCount, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.removals = removals
        self.now = now
    }

    /// Returns the figures of a query.
    ///
    /// - Parameter count: Counts them, and says of how many people.
    func numbers(_ key: Key, count: () throws -> ([Int], size: Int)) throws -> [Int] {
        let figures = known.withLock { known -> Figures in
            if let figures = known[key] { return figures }
            if known.count >= FigureCache.limit { known = [:] }
            let figures = Figures()
            known[key] = figures
            return figures
        }
        return try figures.last.withLock { last in
            let erasures = removals.now
            if let last, last.erasures == erasures, now() - last.counted < FigureCache.reusedFor { return last.numbers }
            last = nil
            let start = now()
            let (numbers, size) = try count()
            if size >= FigureCache.manyPeople, numbers.count <= FigureCache.numbersLimit {
                last = Numbers(numbers: numbers, counted: start, erasures: erasures)
            }
            return numbers
        }
    }

    /// Empties the cache.
    func forgetUnused() {
        known.withLock { $0 = [:] }
    }
}

extension QueryContext {
    func figures(_ kind: FigureCache.Kind, _ edges: [Timestamp], count: () throws -> ([Int], size: Int)) throws -> [Int] {
        guard let memory else { return try count().0 }
        return try memory.figures.numbers(.init(app: app, kind: kind, edges: edges), count: count)
    }

    func figures(_ kind: FigureCache.Kind, _ buckets: TimeBuckets, count: () throws -> ([Int], size: Int)) throws -> [Int] {
        try figures(kind, buckets.edges, count: count)
    }
}
