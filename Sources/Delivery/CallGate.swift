// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The calls of a function that are under way or wait for a place, and the breaker of its target.
///
///     concurrency 1, waiting 1:  enter 1 → begins      enter 2 → waits      enter 3 → full
///                                leave 1 → 2 begins
package struct CallGate: Sendable {
    package enum Entry: Sendable, Equatable {
        case begins
        case waits
        /// All places, also those for waiting, are taken.
        case full
        /// The target failed too often; calls are refused for a while.
        case broken(until: Timestamp)
    }

    /// Calls whose wait is over.
    package struct Released: Sendable, Equatable {
        package var begun: [Int64] = []
        /// Those that are refused, because the target failed too often.
        package var refused: [Int64] = []
        package var brokenUntil: Timestamp?

        package init(begun: [Int64] = [], refused: [Int64] = [], brokenUntil: Timestamp? = nil) {
            (self.begun, self.refused, self.brokenUntil) = (begun, refused, brokenUntil)
        }
    }

    private var underWay: Set<Int64> = []
    private var waiting = FIFOQueue<Int64>()
    /// Those in `waiting` that have not given up. The others are skipped.
    private var queued: Set<Int64> = []
    private var breaker: OriginBreaker
    private var concurrency: Int
    private var places: Int

    package init(concurrency: Int, waiting: Int, at now: Timestamp) {
        (self.concurrency, places) = (concurrency, waiting)
        breaker = OriginBreaker(at: now)
    }

    package var isIdle: Bool { underWay.isEmpty && waitingCount == 0 }
    package var underWayCount: Int { underWay.count }
    package var waitingCount: Int { queued.count }

    /// The time until which calls are refused, because the target failed too often; nil if it did not.
    package func brokenUntil(at now: Timestamp) -> Timestamp? {
        if case .wait(let until)? = breaker.blocked(inFlight: underWay.count, at: now) { until } else { nil }
    }

    /// Applies other limits. Calls that are under way or wait keep their places.
    package mutating func limit(concurrency: Int, waiting: Int) {
        (self.concurrency, places) = (concurrency, waiting)
    }

    package mutating func enter(_ call: Int64, at now: Timestamp) -> Entry {
        if let until = brokenUntil(at: now) { return .broken(until: until) }
        if waitingCount == 0, mayBegin(at: now) {
            begin(call)
            return .begins
        }
        guard waitingCount < places else { return .full }
        waiting.add(call)
        queued.insert(call)
        return .waits
    }

    /// Notes that a call has ended, and returns those whose wait is over.
    ///
    /// - Parameter report: The meaning of its end for the target; nil if it says nothing, since the caller left.
    package mutating func leave(_ call: Int64, _ report: OriginReport?, at now: Timestamp) -> Released {
        guard underWay.remove(call) != nil else { return Released() }
        if let report { breaker.ended(report, at: now) } else { breaker.withdrawn(at: now) }
        if let until = brokenUntil(at: now) {
            defer { queued = [] }
            return Released(refused: waiting.takeAll().filter(queued.contains), brokenUntil: until)
        }
        return Released(begun: advance(at: now))
    }

    /// Removes a call that waits and whose caller left or whose time is over. Returns whether it waited.
    package mutating func giveUp(_ call: Int64) -> Bool {
        queued.remove(call) != nil
    }

    /// Returns the calls that begin now, since places are free.
    private mutating func advance(at now: Timestamp) -> [Int64] {
        var begun: [Int64] = []
        while let next = waiting.next {
            if !queued.contains(next) {
                waiting.take()
                continue
            }
            guard mayBegin(at: now) else { break }
            waiting.take()
            queued.remove(next)
            begin(next)
            begun.append(next)
        }
        return begun
    }

    private func mayBegin(at now: Timestamp) -> Bool {
        underWay.count < concurrency && breaker.blocked(inFlight: underWay.count, at: now) == nil
    }

    private mutating func begin(_ call: Int64) {
        underWay.insert(call)
        breaker.admitted()
    }
}
