// SPDX-License-Identifier: Apache-2.0

import Events
import HTTPServer
import Platform

/// Query strings. They are accepted within limits, or rejected with the name of the invalid parameter.
enum Questions {
    static func run(_ bytes: [UInt8]) {
        guard let choice = bytes.first, let text = String(validating: bytes.dropFirst(), as: UTF8.self) else { return }
        paths(text)
        fields(text)
        metrics(text)
        guard let pairs = PercentDecoding.pairs(of: text) else { return }
        require(pairs.count <= text.utf8.count, "more parameters than bytes")
        let names = QueryName.allCases
        ask(names[Int(choice) % names.count], pairs)
    }

    /// Checks that the decoded text is not longer than the original.
    private static func paths(_ text: String) {
        guard let segments = PercentDecoding.segments(of: "/" + text) else { return }
        require(segments.count == text.utf8.count { $0 == UInt8(ascii: "/") } + 1, "the number of path segments differs")
        require(segments.reduce(0) { $0 + $1.utf8.count } <= text.utf8.count, "longer than it was")
    }

    private static func ask(_ name: QueryName, _ pairs: [(name: String, value: String)]) {
        do throws(Refusal) {
            check(try Query(name, QueryParameters(pairs, settings: AppSettings(), now: Given.received)))
        } catch {
            require(error.code == .invalid && !error.fields.isEmpty, "refused without a name")
        }
    }

    private static func check(_ query: Query) {
        accepted()
        switch query {
        case .series(let query):
            check(query.range)
            require((1...100).contains(query.limit) && query.filters.count <= Filter.limit, "a series exceeds its limits")
            require((query.breakdown?.fields.count ?? 0) <= FieldPath.combined, "too many fields of a breakdown")
            require(QueryMetric(query.metric.text) == query.metric, "a metric that changed: \(query.metric.text)")
        case .top(let query):
            check(query.range)
            require(query.range.buckets.count == 1 && query.series.range.buckets == query.range.buckets, "a ranking with several buckets")
        case .activeUsers(let query): check(query.range, atMost: ActiveUsersQuery.daysLimit)
        case .retention(let query):
            check(query.range, atMost: 400)
            require((try? query.range.extended(by: query.periods)) != nil, "periods that cannot be counted")
        case .funnel(let query):
            check(query.range)
            require((2...FunnelQuery.stepsLimit).contains(query.steps.count) && query.window > .seconds(0), "a funnel exceeds its limits")
            require((query.breakdown?.fields.count ?? 0) <= FieldPath.combined, "too many fields of a breakdown")
        case .revenue(let query): check(query.range)
        case .sessions(let query): check(query.range)
        case .lifecycle(let query):
            check(query.range, atMost: 400)
            require((try? query.range.withBucketBefore()) != nil, "a range has no bucket before it")
        case .realtime(let query): check(query.range, atMost: 31)
        case .crashFree(let query):
            check(query.range)
            require((1...100).contains(query.limit) && query.filters.count <= Filter.limit, "releases past their limits")
        }
    }

    private static func check(_ range: QueryRange, atMost limit: Int = TimeBuckets.limit) {
        let edges = range.buckets.edges
        require((1...limit).contains(range.buckets.count), "\(range.buckets.count) buckets")
        require(zip(edges, edges.dropFirst()).allSatisfy { $0 < $1 }, "buckets that do not rise")
        require(range.buckets.index(of: range.from) == 0 && range.buckets.index(of: range.to) == nil, "a range differs from its buckets")
    }

    /// Checks that a metric prints as its text, and that joined values come apart as they were.
    private static func metrics(_ text: String) {
        if let metric = QueryMetric(text) { require(metric.text.utf8.elementsEqual(text.utf8), "a metric that changed: \(metric.text)") }
        let parts: [[UInt8]] = text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map(Array.init)
        guard parts.count > 1, let joined = JoinedValues.text(parts) else { return }
        let values = JoinedValues.values(String(decoding: joined, as: UTF8.self), count: parts.count)
        require(zip(values, parts).allSatisfy { Array($0.utf8) == $1 }, "joined values that changed")
        require(parts.compactMap(NumberMetric.number).allSatisfy { abs($0) <= NumberMetric.limit }, "a number beyond the limit")
    }

    private static func escaped(_ value: String) -> String {
        String(decoding: value.utf8.flatMap { "|\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }, as: UTF8.self)
    }

    /// Checks that an accepted value prints as text that reads as the same.
    private static func fields(_ text: String) {
        if let path = try? FieldPath(text, parameter: "field") {
            require(Array(path.text.utf8) == Array(text.utf8), "a field that changed: \(path.text)")
        }
        guard let filter = try? Filter(text) else { return }
        let printed = filter.path.text + filter.comparison.rawValue + filter.values.map(escaped).joined(separator: "|")
        require((try? Filter(printed)) == filter, "a filter that changed: \(printed)")
        for value in filter.values { _ = filter.holds(Array(value.utf8)) }
        require(filter.holds(nil) == (filter.comparison == .notEqual), "a missing field that matches")
        let steps = [FunnelQuery.Step.text(["a;b", text]), "c"].map { (name: "steps", value: $0) }
        guard case .funnel(let funnel) = try? Query(.funnel, QueryParameters(steps, settings: AppSettings(), now: Given.received)) else {
            return require(false, "a step rejects an accepted filter")
        }
        require(funnel.steps[0].event == "a;b" && funnel.steps[0].filters.map(\.values) == [filter.values], "a step that changed")
    }
}
