// SPDX-License-Identifier: Apache-2.0

import EventStore
package import Events
package import Platform

/// A line of a series: the counts or amounts of one breakdown value, or of everything, by bucket.
package struct CountedLine {
    var name: String?
    var currency: String?
    var values: [SeriesResult.Value]
    var total: SeriesResult.Value

    init(name: String? = nil, counts: some Collection<Int64>, total: Int64) {
        self.name = name
        values = counts.map { .count($0) }
        self.total = .count(total)
    }

    init(name: String?, numbers: [Double?], total: Double?) {
        self.name = name
        values = numbers.map { $0.map { .number($0) } ?? .missing }
        self.total = total.map { .number($0) } ?? .missing
    }

    init(name: String? = nil, currency: String, amounts: [Int64]) {
        self.name = name
        self.currency = currency
        values = amounts.map { .money($0) }
        total = .money(amounts.reduce(0) { $0.addingClamped($1) })
    }

    /// Returns the lines with the largest totals and one for all others. Without a breakdown there is exactly one line, which may be empty.
    package static func ranked(_ lines: [ExactText: SparseLine], like query: SeriesQuery, _ buckets: TimeBuckets) -> [CountedLine] {
        func line(_ name: String?, _ line: SparseLine) -> CountedLine {
            CountedLine(name: name, counts: line.dense(buckets.count), total: line.total)
        }
        guard query.breakdown != nil else { return [line(nil, lines.values.first ?? SparseLine())] }
        let (first, others) = largest(lines.filter { $0.key != .others }, limit: query.limit)
        let rest = [lines[.others], others].compactMap(\.self)
        return first.map { line($0.key.text, $0.value) }
            + (rest.isEmpty ? [] : [line(BreakdownName.other, rest.reduce(into: SparseLine()) { $0.add($1) })])
    }

    /// Returns, for each currency, the lines with the largest totals and one for the others.
    static func ranked(_ lines: [MoneyLine: SparseLine], like query: SeriesQuery, _ buckets: TimeBuckets) -> [CountedLine] {
        Dictionary(grouping: lines, by: \.key.currency).sorted { $0.key < $1.key }.flatMap { currency, lines in
            func line(_ name: String?, _ line: SparseLine) -> CountedLine {
                CountedLine(name: name, currency: currency, amounts: line.dense(buckets.count))
            }
            let (first, others) = largest(Dictionary(uniqueKeysWithValues: lines.map { ($0.key.value, $0.value) }), limit: query.limit)
            return first.map { line(query.breakdown == nil ? nil : $0.key.text, $0.value) }
                + (others.map { [line(BreakdownName.other, $0)] } ?? [])
        }
    }

    /// Returns the lines with the largest totals, ties broken by name, and the sum of all others.
    private static func largest(
        _ lines: [ExactText: SparseLine], limit: Int
    ) -> (first: ArraySlice<(key: ExactText, value: SparseLine)>, others: SparseLine?) {
        // Totals are computed once: a comparison that looked them up would hash two texts.
        let ranked = lines.map { (line: $0, total: $0.value.total) }.sorted { ($1.total, $0.line.key) < ($0.total, $1.line.key) }.map(\.line)
        guard ranked.count > limit else { return (ranked[...], nil) }
        return (ranked.prefix(limit), ranked.dropFirst(limit).reduce(into: SparseLine()) { $0.add($1.value) })
    }
}

/// Counts by value and bucket. The key holds the value's code.
package struct ValueCounts: Sendable {
    private var values = ValueTable()
    private var counts: [UInt64: Int64] = [:]

    package init() {}

    /// Adds the events that happened in one of the buckets.
    ///
    /// - Parameter onlyWithValue: Whether events without a value are left out.
    mutating func add(_ batch: EventBatch, in buckets: TimeBuckets, onlyWithValue: Bool = false) {
        values.follow(batch)
        for row in batch.rows {
            guard let bucket = buckets.index(of: Timestamp(milliseconds: batch.times[row])) else { continue }
            let value = batch.codes.isEmpty ? 0 : batch.codes[row]
            if value == 0, onlyWithValue { continue }
            counts[UInt64(value) << 32 | UInt64(bucket), default: 0] += 1
        }
    }

    package mutating func add(_ value: [UInt8]?, at bucket: Int, count: Int64 = 1) throws(Refusal) {
        counts[UInt64(try values.code(of: value)) << 32 | UInt64(bucket), default: 0] += count
    }

    mutating func add(_ other: ValueCounts) throws(Refusal) {
        for (key, count) in other.counts { try add(other.value(of: key), at: Int(key & 0xffff_ffff), count: count) }
    }

    private func value(of key: UInt64) -> [UInt8]? { values[UInt32(key >> 32)] }

    /// Returns a line for each value. Without a breakdown there is one line, named "".
    package func named(_ breakdown: FieldPath?) -> [ExactText: SparseLine] {
        var lines: [ExactText: SparseLine] = [:]
        for (key, count) in counts {
            let name = breakdown == nil ? ExactText("") : value(of: key).map { ExactText($0) } ?? .noValue
            lines[name, default: SparseLine()].add(count, at: Int(key & 0xffff_ffff))
        }
        return lines
    }
}
