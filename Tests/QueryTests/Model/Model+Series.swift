// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

extension Model {
    func series(_ query: SeriesQuery) -> SeriesResult {
        let edges = query.range.buckets.edges.dropLast()
        return SeriesResult(
            series: lines(query, query.range.buckets).map { line in
                let (name, values) = named(line.name ?? "", query.breakdown)
                return .init(
                    name: query.breakdown == nil ? query.event : name, values: values, currency: line.currency,
                    points: zip(edges, line.values).map { SeriesResult.Point($0, line.value($1)) }, total: line.value(line.total))
            })
    }

    func top(_ query: TopQuery) -> TopResult {
        TopResult(
            items: lines(query.series, query.range.buckets).map { .init(name: $0.name ?? "", currency: $0.currency, value: $0.value($0.total)) })
    }

    /// The name and values of a line of several fields.
    func named(_ name: String, _ field: FieldPath?) -> (name: String, values: [String]?) {
        guard case .several(let fields) = field else { return (name, nil) }
        if name == "(other)" { return (name, fields.map { _ in name }) }
        let values = name.split(separator: "\u{0}", omittingEmptySubsequences: false).map(String.init)
        return (values.joined(separator: " · "), values)
    }

    private func lines(_ query: SeriesQuery, _ buckets: TimeBuckets) -> [Line] {
        let owners = owners(buckets)
        let all = query.metric == .crashes ? crashes.filter { buckets.index(of: $0.time) != nil } : events(from: buckets.from, to: buckets.to)
        let found = all.filter { passes($0, names: names(query), query.filters, owners) }
        let value = { (event: LoggedEvent) in query.breakdown.flatMap { self.value($0, of: event, owners) } }
        switch query.metric {
        case .events, .screenViews, .purchases, .crashes:
            return ranked(found, like: query, by: value) { counted($0.map(\.time), buckets) }
        case .users:
            let isPlain = query.event == nil && query.filters.isEmpty && query.breakdown == nil
            let there = isPlain ? presence(from: buckets.from, to: buckets.to) : found
            return ranked(there.filter { owners.person(of: $0) != nil }, like: query, by: value) { people($0, buckets) }
        case .sessions:
            let sessions = sessions(buckets, query.sessionTimeout, names: names(query), query.filters, query.breakdown)
            return ranked(sessions, like: query, by: \.value) { counted($0.map(\.first), buckets) }
        case .quantity: return ranked(items(found, query, value), like: query, by: \.value) { units($0, buckets) }
        case .revenue where query.breakdown?.isOfItems == true:
            let sold = items(found.filter { $0.money != nil }, query, value).filter { $0.amount != nil }
            return Dictionary(grouping: sold) { $0.currency ?? "" }.sorted { $0.key < $1.key }.flatMap { currency, sold in
                ranked(sold, like: query, by: \.value) { money($0, buckets) }.map { $0.of(currency) }
            }
        case .number(let metric):
            let numbers = found.compactMap { event in
                number(self.value(.param(metric.parameter), of: event, owners)).map { Measured(time: event.time, number: $0, value: value(event)) }
            }
            return ranked(numbers, like: query, by: \.value) { figures($0, metric.function, buckets) }
        case .revenue:
            let currencies = Dictionary(grouping: found.filter { $0.money != nil }) { $0.currency ?? "" }
            return currencies.sorted { $0.key < $1.key }.flatMap { currency, sales in
                ranked(sales, like: query, by: value) { earned($0, buckets) }.map { $0.of(currency) }
            }
        }
    }

    private func names(_ query: SeriesQuery) -> [String]? {
        let known: [String]? =
            switch query.metric {
            case .events, .users, .sessions, .crashes, .number: nil
            case .screenViews: ["screen_view"]
            case .purchases: ["purchase", "in_app_purchase"]
            case .revenue, .quantity: ["purchase", "in_app_purchase", "refund"]
            }
        // An event that the metric does not cover matches nothing.
        return query.event.map { event in known.map { $0.contains(event) ? [event] : [] } ?? [event] } ?? known
    }

    // MARK: Measures

    private func counted(_ times: [Timestamp], _ buckets: TimeBuckets) -> Line {
        var line = Line(values: [Double](repeating: 0, count: buckets.count), total: Double(times.count))
        for time in times { line.add(1, at: buckets.index(of: time)) }
        return line
    }

    /// Counts people per bucket and in total. Each count resolves owners within its own period.
    private func people(_ found: [LoggedEvent], _ buckets: TimeBuckets) -> Line {
        let owners = owners(buckets)
        var line = Line(values: [Double](repeating: 0, count: buckets.count), total: Double(Set(found.compactMap(owners.person)).count))
        for (bucket, found) in Dictionary(grouping: found, by: { buckets.index(of: $0.time) ?? 0 }) {
            let owners = self.owners(from: buckets.edges[bucket], to: buckets.edges[bucket + 1])
            line.values[bucket] = Double(Set(found.compactMap(owners.person)).count)
        }
        return line
    }

    private func earned(_ sales: [LoggedEvent], _ buckets: TimeBuckets) -> Line {
        sum(sales.map { ($0.time, $0.isRefund ? -$0.amount : $0.amount) }, buckets)
    }

    /// Returns a line per value, ordered by total, and one for all other values together.
    private func ranked<Item>(
        _ items: [Item], like query: SeriesQuery, by value: (Item) -> String?, _ measure: ([Item]) -> Line
    ) -> [Line] {
        guard query.breakdown != nil else { return [measure(items)] }
        let groups = grouped(items) { value($0) ?? "(none)" }.map { (items: $0.items, line: measure($0.items).named($0.name)) }
        let ranked = groups.sorted { a, b in
            let (total, other) = (a.line.total ?? 0, b.line.total ?? 0)
            return total != other ? total > other : isBefore(a.line.name, b.line.name)
        }
        let others = ranked.dropFirst(query.limit).flatMap(\.items)
        return ranked.prefix(query.limit).map(\.line) + (others.isEmpty ? [] : [measure(others).named("(other)")])
    }
}

/// Groups items by names that are compared byte by byte.
func grouped<Item>(_ items: [Item], by name: (Item) -> String) -> [(name: String, items: [Item])] {
    Dictionary(grouping: items) { Array(name($0).utf8) }.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
}

/// Compares names by bytes.
func isBefore(_ a: String?, _ b: String?) -> Bool {
    (a ?? "").utf8.lexicographicallyPrecedes((b ?? "").utf8)
}

struct Line {
    var name: String?
    var currency: String?
    /// Counts and millionths are whole numbers.
    var values: [Double?]
    var total: Double?
    var isOfNumbers = false

    func value(_ number: Double?) -> SeriesResult.Value {
        guard let number else { return .missing }
        if isOfNumbers { return .number(number) }
        return currency == nil ? .count(Int64(number)) : .money(Int64(number))
    }

    mutating func add(_ number: Double, at bucket: Int?) {
        if let bucket { values[bucket] = (values[bucket] ?? 0) + number }
    }

    func named(_ name: String) -> Line {
        var line = self
        line.name = name
        return line
    }

    func of(_ currency: String) -> Line {
        var line = self
        line.currency = currency
        return line
    }
}
