// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The longest path of one user through a funnel.
///
///     steps A, B, C; events A 9:00, A 9:05, B 9:10, C 9:20; window 1 h  →  times [9:00, 9:10, 9:20]
package struct FunnelWalk: Sendable {
    package struct Event: Sendable {
        package var time: Int64
        /// A bit for each step that the event matches.
        package var steps: UInt32

        package init(time: Int64, steps: UInt32) {
            (self.time, self.steps) = (time, steps)
        }
    }

    /// The time of each step taken; empty if the user never took the first.
    package let times: [Int64]
    /// The place of the event that took the first step; nil if none did.
    package let start: Int?

    /// Finds the earliest start that leads furthest. Events are sorted by time, then by their bits, so the result does not depend on the
    /// order of arrival.
    package init(_ events: ArraySlice<Event>, steps: Int, window: Timestamp.Span, order: FunnelQuery.Order) {
        let events = Array(events)
        let next = order == .ordered ? FunnelWalk.next(events, steps) : []
        var best: [Int64] = []
        var first: Int?
        for start in events.indices where events[start].steps & 1 != 0 {
            let times = FunnelWalk.times(events, from: start, steps, window) { step, place in
                if order == .strict { return place + 1 }
                return Int(next[step * (events.count + 1) + place + 1])
            }
            if times.count > best.count { (best, first) = (times, start) }
            if best.count == steps { break }
        }
        times = best
        start = first
    }

    /// Returns the path from one start; `following` gives the positions at which the next step may be taken.
    private static func times(
        _ events: [Event], from start: Int, _ steps: Int, _ window: Timestamp.Span, following: (_ step: Int, _ place: Int) -> Int
    ) -> [Int64] {
        var times = [events[start].time]
        var place = start
        while times.count < steps {
            place = following(times.count, place)
            guard place < events.count, events[place].steps >> UInt32(times.count) & 1 == 1,
                events[place].time - events[start].time <= window.milliseconds
            else { break }
            times.append(events[place].time)
        }
        return times
    }

    /// Returns, for each step and position, the next event that matches the step. A start then costs no more than the number of steps.
    private static func next(_ events: [Event], _ steps: Int) -> [Int32] {
        let width = events.count + 1
        var next = [Int32](repeating: Int32(events.count), count: width * steps)
        for step in 0..<steps {
            for place in stride(from: events.count - 1, through: 0, by: -1) {
                let isStep = events[place].steps >> UInt32(step) & 1 == 1
                next[step * width + place] = isStep ? Int32(place) : next[step * width + place + 1]
            }
        }
        return next
    }
}
