// SPDX-License-Identifier: Apache-2.0

import Events

/// A figure that is a sum over people: each adds to some numbers by the buckets of their presence and the one they were first seen in.
enum PersonFigure: Hashable, Sendable {
    /// New, returning, resurrecting and dormant people: the numbers of all buckets for each, in that order.
    case lifecycle
    /// The people first seen in each of the first buckets, then how many of them were present in each period after it.
    case cohorts(Int, periods: Int)

    /// The number of sums in a range.
    func count(buckets: Int) -> Int {
        switch self {
        case .lifecycle: 4 * buckets
        case .cohorts(let cohorts, let periods): cohorts * (1 + periods)
        }
    }

    /// Adds a person to the sums.
    ///
    /// - Parameter first: The bucket in which the person was first seen; nil outside of the range.
    /// - Parameter times: −1 takes the person out again.
    /// - Parameter each: Calls a closure with each bucket of the person's presence, in ascending order.
    @inline(__always)
    func add(first: Int?, times: Int = 1, to sums: inout [Int], buckets: Int, each: ((Int) -> Void) -> Void) {
        switch self {
        case .lifecycle: PersonFigure.addLifecycle(first, times, &sums, buckets, each)
        case .cohorts(let cohorts, let periods):
            guard let first, first < cohorts else { return }
            sums[first] += times
            each { bucket in
                if bucket >= first, bucket < first + periods { sums[cohorts + first * periods + bucket - first] += times }
            }
        }
    }

    @inline(__always)
    private static func addLifecycle(_ first: Int?, _ times: Int, _ sums: inout [Int], _ buckets: Int, _ each: ((Int) -> Void) -> Void) {
        var last = -2
        each { bucket in
            let kind = bucket == first ? 0 : last == bucket - 1 ? 1 : 2
            sums[kind * buckets + bucket] += times
            if last >= 0, last < bucket - 1 { sums[3 * buckets + last + 1] += times }
            last = bucket
        }
        if last >= 0, last + 1 < buckets { sums[3 * buckets + last + 1] += times }
    }
}

/// The sums of a figure, and over how many people.
struct PeopleSums: Sendable {
    var sums: [Int]
    var people: Int
}

extension PeopleInTime {
    /// Returns the sums of a figure over all people.
    func sums(of figure: PersonFigure) -> PeopleSums {
        let lines = lines
        var (sums, people) = ([Int](repeating: 0, count: figure.count(buckets: lines.buckets)), 0)
        for line in 0..<lines.count where !lines.isEmpty(at: line) {
            people += 1
            figure.add(first: firstBucket(of: line), to: &sums, buckets: lines.buckets) { lines.each(at: line, $0) }
        }
        return PeopleSums(sums: sums, people: people)
    }
}

extension QueryContext {
    /// Returns the sums of a figure over the people of a range, from memory if it has them.
    func sums(of figure: PersonFigure, _ buckets: TimeBuckets) throws -> PeopleSums {
        if buckets.isOfQuarters, let known = try memory?.presence.sums(self, of: figure, buckets) { return known }
        return try peopleInTime(buckets).sums(of: figure)
    }
}
