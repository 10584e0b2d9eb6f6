// SPDX-License-Identifier: Apache-2.0

import Platform

/// A heap of the origins that may have due deliveries, ordered by a lower bound of their earliest due time.
///
/// A bound may be too early, for instance after deliveries were cancelled. The claim then finds nothing and adds the origin with its real
/// time:
///
///     add(a, due: 10:00), add(b, due: 10:05)
///     add(a, due: 10:30)     no change, since a claim at 10:00 looks it up anyway
///     take(by: 10:00) → a    the caller reads its deliveries and adds it with the next due time
///     next → 10:05
package final class DueOrigins {
    private struct Entry: Sendable {
        var due: Int64
        var origin: Int64
    }

    /// The next due time of which the sender was last informed. It is notified only of earlier ones.
    package var announced = Int64.max
    private var earliest: [Int64: Int64] = [:]
    /// The heap. An entry that no longer has its origin's earliest time is skipped.
    private var heap: [Entry] = []

    package init() {}

    /// The earliest due time of all origins, or nil.
    package var next: Int64? {
        dropStale()
        return heap.first?.due
    }

    /// Adds an origin. Returns whether its due time is earlier than known.
    @discardableResult
    package func add(_ origin: Int64, due: Int64) -> Bool {
        if let known = earliest[origin], known <= due { return false }
        earliest[origin] = due
        push(Entry(due: due, origin: origin))
        return true
    }

    /// Removes and returns the origin due longest. The caller looks it up and adds it again.
    package func take(by now: Int64) -> Int64? {
        dropStale()
        guard let first = heap.first, first.due <= now else { return nil }
        earliest[first.origin] = nil
        pop()
        assert(heap.first.map { $0.due >= first.due } ?? true, "the heap of due origins is out of order")
        return first.origin
    }

    /// Claims from the origins that are due, those due longest first, until a request has as many deliveries as it may. Origins without
    /// capacity in the request are left out, so a slow origin does not block the others.
    ///
    /// - Parameter claim: Claims some deliveries of an origin. Returns them with the time at which the next one is due; nil for none.
    package func claim(
        _ request: ClaimRequest, _ claim: (_ origin: Int64, _ limit: Int) throws -> (deliveries: [ClaimedDelivery], nextDue: Int64?)
    ) rethrows -> ClaimedDeliveries {
        let now = request.now.milliseconds
        var claimed: [ClaimedDelivery] = []
        var (leftOut, remaining): ([Int64], [(origin: Int64, due: Int64)]) = ([], [])
        while claimed.count < request.limit, let origin = take(by: now) {
            let capacity = min(request.capacity[origin] ?? request.limitPerOrigin, request.limit - claimed.count)
            if capacity <= 0 {
                leftOut.append(origin)
                continue
            }
            let (deliveries, nextDue) = try claim(origin, capacity)
            claimed += deliveries
            if let nextDue { remaining.append((origin, nextDue)) }
        }
        for (origin, due) in remaining { add(origin, due: due) }
        let next = next
        announced = next ?? .max
        // Origins left out do not count for `nextDue`. The sender knows itself when it has capacity for them.
        for origin in leftOut { add(origin, due: now) }
        return ClaimedDeliveries(claimed, nextDue: next.map { Timestamp(milliseconds: $0) })
    }

    private func dropStale() {
        while let first = heap.first, earliest[first.origin] != first.due { pop() }
    }

    private func push(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, case let parent = (child - 1) / 2, heap[child].due < heap[parent].due {
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private func pop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while case let left = 2 * parent + 1, left < heap.count {
            let least = left + 1 < heap.count && heap[left + 1].due < heap[left].due ? left + 1 : left
            if heap[parent].due <= heap[least].due { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
