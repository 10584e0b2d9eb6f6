// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

extension Model {
    func funnel(_ query: FunnelQuery) -> FunnelResult {
        let range = query.range.buckets
        let owners = owners(range)
        let there = events(from: range.from, to: range.to).filter { owners.person(of: $0) != nil }
        let ways = Dictionary(grouping: there) { owners.person(of: $0) }.values.map { furthest(on: $0, query, owners) }
        let people = query.steps.indices.map { step in ways.count { $0.count > step } }
        let steps = query.steps.enumerated().map { place, step in
            let waits = ways.filter { $0.count > place && place > 0 }.map { $0[place] - $0[place - 1] }
            var answer = FunnelResult.Step(
                event: step.event, people: people[place], first: people[0], previous: people[max(0, place - 1)], medianSeconds: median(waits))
            answer.share = share(people[place], of: people[0])
            answer.stepShare = share(people[place], of: people[max(0, place - 1)])
            return answer
        }
        let whole = ways.filter { $0.count == query.steps.count }.compactMap { way in way.last.map { $0 - way[0] } }
        return FunnelResult(steps: steps, medianSeconds: median(whole))
    }

    private func median(_ waits: [Int64]) -> Double? { seconds(waits, 0.5) }

    /// Returns the times of the steps that the longest way through the funnel completes. Of equally long ways the earliest counts.
    private func furthest(on events: [LoggedEvent], _ query: FunnelQuery, _ owners: Owners) -> [Int64] {
        let walk = events.map { event in
            (
                time: event.time.milliseconds,
                steps: query.steps.map { passes(event, names: [$0.event], $0.filters, owners) }
            )
        }.sorted { ($0.time, bits($0.steps)) < ($1.time, bits($1.steps)) }
        var best: [Int64] = []
        for start in walk.indices where walk[start].steps[0] {
            var way = [walk[start].time]
            for event in walk[(start + 1)...] where way.count < query.steps.count {
                let isNext = event.steps[way.count] && event.time - way[0] <= query.window.milliseconds
                if isNext { way.append(event.time) } else if query.order == .strict { break }
            }
            if way.count > best.count { best = way }
        }
        return best
    }

    /// Orders events with the same time by the steps that they match.
    private func bits(_ steps: [Bool]) -> Int {
        steps.enumerated().reduce(0) { $0 + ($1.element ? 1 << $1.offset : 0) }
    }
}
