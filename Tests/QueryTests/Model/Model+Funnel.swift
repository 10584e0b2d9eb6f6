// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

extension Model {
    func funnel(_ query: FunnelQuery) -> FunnelResult {
        let range = query.range.buckets
        let owners = owners(range)
        let there = events(from: range.from, to: range.to).filter { owners.person(of: $0) != nil }
        let attempts = Dictionary(grouping: there) { owners.person(of: $0) }.values.map { furthest(on: $0, query, owners) }
        let (steps, median) = figures(attempts.map(\.times), query)
        return FunnelResult(steps: steps, medianSeconds: median, breakdown: query.breakdown.map { parts(attempts, query, by: $0) })
    }

    private func parts(_ attempts: [Attempt], _ query: FunnelQuery, by field: FieldPath) -> [FunnelResult.Part] {
        let groups = grouped(attempts.filter { !$0.times.isEmpty }) { $0.value ?? "(none)" }
            .sorted { $0.items.count != $1.items.count ? $0.items.count > $1.items.count : isBefore($0.name, $1.name) }
        let others = groups.dropFirst(query.limit).flatMap(\.items)
        return (groups.prefix(query.limit) + (others.isEmpty ? [] : [(name: "(other)", items: others)])).map { group in
            let (steps, median) = figures(group.items.map(\.times), query)
            let (name, values) = named(group.name, field)
            return FunnelResult.Part(name: name, values: values, steps: steps, medianSeconds: median)
        }
    }

    private func figures(_ ways: [[Int64]], _ query: FunnelQuery) -> (steps: [FunnelResult.Step], medianSeconds: Double?) {
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
        return (steps, median(whole))
    }

    private func median(_ waits: [Int64]) -> Double? { seconds(waits, 0.5) }

    private struct Attempt {
        var times: [Int64] = []
        /// The value of the event that took the first step; the least of those with its time and steps.
        var value: String?
    }

    /// Returns the times of the steps that the longest way through the funnel completes. Of equally long ways the earliest counts.
    private func furthest(on events: [LoggedEvent], _ query: FunnelQuery, _ owners: Owners) -> Attempt {
        let walk = events.map { event in
            (
                time: event.time.milliseconds,
                steps: query.steps.map { passes(event, names: [$0.event], $0.filters, owners) },
                value: query.breakdown.flatMap { value($0, of: event, owners) }
            )
        }.sorted { ($0.time, bits($0.steps)) < ($1.time, bits($1.steps)) }
        var best = Attempt()
        for start in walk.indices where walk[start].steps[0] {
            var way = [walk[start].time]
            for event in walk[(start + 1)...] where way.count < query.steps.count {
                let isNext = event.steps[way.count] && event.time - way[0] <= query.window.milliseconds
                if isNext { way.append(event.time) } else if query.order == .strict { break }
            }
            guard way.count > best.times.count else { continue }
            let equal = walk.filter { $0.time == walk[start].time && $0.steps == walk[start].steps }
            let values = equal.compactMap(\.value).filter { $0 != "(none)" }
            best = Attempt(times: way, value: values.min { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
        return best
    }

    /// Orders events with the same time by the steps that they match.
    private func bits(_ steps: [Bool]) -> Int {
        steps.enumerated().reduce(0) { $0 + ($1.element ? 1 << $1.offset : 0) }
    }
}
