// SPDX-License-Identifier: Apache-2.0

import EventStore
package import Events
import Platform

extension QueryContext {
    package func funnel(_ query: FunnelQuery) throws -> RangedResult<FunnelResult> {
        let range = query.range.buckets
        let identity = try identity(from: range.from, to: range.to)
        // In strict order no other event may come between two steps, so all events must be read.
        var scan = EventScan(range, names: query.order == .strict ? nil : query.steps.map(\.event), field: query.breakdown)
        scan.tests = query.steps.map { EventTest(names: [$0.event], filters: $0.filters) }
        var attempts = FunnelAttempts()
        try eachPerson(scan, identity) { events, values in
            let way = events.map { FunnelWalk.Event(time: $0.time, steps: $0.passed) }
            let walk = FunnelWalk(way[...], steps: query.steps.count, window: query.window, order: query.order)
            guard let start = walk.start else { return }
            try attempts.add(walk.times, value: FunnelAttempts.value(of: events, at: start, values))
        }
        return RangedResult(ResultRange(query.range, source: .raw), attempts.result(query))
    }
}

/// The furthest attempt of each person, by the value with which it began.
private struct FunnelAttempts {
    private var values = ValueTable()
    /// The value's code of each attempt.
    private var codes: [UInt32] = []
    /// The end of each attempt in `times`.
    private var ends: [Int] = []
    private var times: [Int64] = []

    mutating func add(_ steps: [Int64], value: [UInt8]?) throws(Refusal) {
        codes.append(try values.code(of: value))
        times += steps
        ends.append(times.count)
    }

    /// Returns the value of the event that took the first step. Of events that are equal to it in time and steps, the least value counts, so
    /// the result does not depend on the order of arrival.
    static func value(of events: ArraySlice<PersonEvent>, at start: Int, _ values: ValueTable) -> [UInt8]? {
        let first = events[events.startIndex + start]
        let equal = events.filter { $0.time == first.time && $0.passed == first.passed }
        return equal.compactMap { values[$0.value] }.min { $0.lexicographicallyPrecedes($1) }
    }

    func result(_ query: FunnelQuery) -> FunnelResult {
        let (steps, median) = figures(query) { _ in true }
        return FunnelResult(steps: steps, medianSeconds: median, breakdown: query.breakdown.map { parts(query, by: $0) })
    }

    private func parts(_ query: FunnelQuery, by field: FieldPath) -> [FunnelResult.Part] {
        var people = [Int](repeating: 0, count: values.texts.count + 1)
        for code in codes { people[Int(code)] += 1 }
        let ranked = people.indices.filter { people[$0] > 0 }.map { (people: people[$0], code: UInt32($0), name: name(UInt32($0))) }
            .sorted { ($1.people, $0.name) < ($0.people, $1.name) }
        let shown = ranked.prefix(query.limit)
        var parts = shown.map { one in part(one.name.text, query, field) { $0 == one.code } }
        if ranked.count > shown.count {
            let codes = Set(shown.map(\.code))
            parts.append(part(BreakdownName.other, query, field) { !codes.contains($0) })
        }
        return parts
    }

    private func name(_ code: UInt32) -> ExactText { values[code].map { ExactText($0) } ?? .noValue }

    private func part(_ text: String, _ query: FunnelQuery, _ field: FieldPath, where isWanted: (UInt32) -> Bool) -> FunnelResult.Part {
        let (steps, median) = figures(query, where: isWanted)
        let (name, values) = field.named(text)
        return FunnelResult.Part(name: name, values: values, steps: steps, medianSeconds: median)
    }

    private func figures(_ query: FunnelQuery, where isWanted: (UInt32) -> Bool) -> (steps: [FunnelResult.Step], medianSeconds: Double?) {
        var people = [Int](repeating: 0, count: query.steps.count)
        var waits = [[Int64]](repeating: [], count: query.steps.count)
        var wholeWays: [Int64] = []
        var start = 0
        for (code, end) in zip(codes, ends) {
            defer { start = end }
            guard isWanted(code) else { continue }
            let way = times[start..<end]
            for step in 0..<way.count {
                people[step] += 1
                if step > 0 { waits[step].append(way[start + step] - way[start + step - 1]) }
            }
            if way.count == query.steps.count { wholeWays.append(way[end - 1] - way[start]) }
        }
        let steps = query.steps.indices.map { step in
            FunnelResult.Step(
                event: query.steps[step].event, people: people[step], first: people[0], previous: step == 0 ? people[0] : people[step - 1],
                medianSeconds: step == 0 ? nil : FunnelAttempts.median(waits[step]))
        }
        return (steps, FunnelAttempts.median(wholeWays))
    }

    private static func median(_ milliseconds: [Int64]) -> Double? {
        milliseconds.isEmpty ? nil : RankedNumbers(milliseconds).secondsAtQuantile(0.5)
    }
}
