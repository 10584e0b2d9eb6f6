// SPDX-License-Identifier: Apache-2.0

package import Events
import Platform

extension QueryContext {
    package func funnel(_ query: FunnelQuery) throws -> RangedResult<FunnelResult> {
        let range = query.range.buckets
        let identity = try identity(from: range.from, to: range.to)
        // In strict order no other event may come between two steps, so all events must be read.
        var scan = EventScan(range, names: query.order == .strict ? nil : query.steps.map(\.event))
        scan.tests = query.steps.map { EventTest(names: [$0.event], filters: $0.filters) }
        var people = [Int](repeating: 0, count: query.steps.count)
        var waits = [[Int64]](repeating: [], count: query.steps.count)
        var wholeWays: [Int64] = []
        try eachPerson(scan, identity) { events, _ in
            let way = events.map { FunnelWalk.Event(time: $0.time, steps: $0.passed) }
            let times = FunnelWalk(way[...], steps: query.steps.count, window: query.window, order: query.order).times
            for step in times.indices {
                people[step] += 1
                if step > 0 { waits[step].append(times[step] - times[step - 1]) }
            }
            if times.count == query.steps.count { wholeWays.append(times[times.count - 1] - times[0]) }
        }
        let steps = query.steps.indices.map { step in
            FunnelResult.Step(
                event: query.steps[step].event, people: people[step], first: people[0], previous: step == 0 ? people[0] : people[step - 1],
                medianSeconds: step == 0 ? nil : median(waits[step]))
        }
        return RangedResult(ResultRange(query.range, source: .raw), FunnelResult(steps: steps, medianSeconds: median(wholeWays)))
    }

    private func median(_ milliseconds: [Int64]) -> Double? {
        milliseconds.isEmpty ? nil : milliseconds.sorted().secondsAtQuantile(0.5)
    }
}
