// SPDX-License-Identifier: Apache-2.0

package import Events
package import Platform

/// A line of a series: the counts or amounts of one breakdown value, or of everything, by bucket.
package struct CountedLine {
    var name: String?
    var currency: String?
    var values: [SeriesAnswer.Value]
    var total: SeriesAnswer.Value

    init(name: String? = nil, counts: some Collection<Int64>, total: Int64) {
        self.name = name
        values = counts.map { .count($0) }
        self.total = .count(total)
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
        let totals = lines.mapValues(\.total)
        let ranked = lines.sorted { (totals[$1.key] ?? 0, $0.key) < (totals[$0.key] ?? 0, $1.key) }
        guard ranked.count > limit else { return (ranked[...], nil) }
        return (ranked.prefix(limit), ranked.dropFirst(limit).reduce(into: SparseLine()) { $0.add($1.value) })
    }
}

/// Distinct texts and their numbers, so that rows hold a number instead of a text.
///
/// The table is bounded, because a parameter may have a different value in every event.
struct ValueTable: Sendable {
    private(set) var texts: [[UInt8]] = []
    private var numbers: [[UInt8]: UInt32] = [:]
    private static let limit = 500_000
    /// The limit of all texts together. One value may have 8 kB.
    private static let byteLimit = 64 << 20
    private var bytes = 0

    mutating func number(_ text: [UInt8]) throws(Refusal) -> UInt32 {
        if let known = numbers[text] { return known }
        guard texts.count < ValueTable.limit, bytes + text.count <= ValueTable.byteLimit else {
            throw Refusal(
                .invalid,
                "The field has too many different values in this range: more than \(ValueTable.limit), or more than \(ValueTable.byteLimit >> 20) MiB.",
                hint: "Ask for a shorter range, or narrow it down by a filter.",
                fields: [.init("breakdown", "too_many_values", "has too many values")])
        }
        let number = UInt32(texts.count)
        bytes += text.count
        texts.append(text)
        numbers[text] = number
        return number
    }
}

/// Counts by value and bucket. The key holds the value's number plus one, or 0 for no value.
package struct ValueCounts: Sendable {
    private var values = ValueTable()
    private var counts: [UInt64: Int64] = [:]

    package init() {}

    package mutating func add(_ value: [UInt8]?, at bucket: Int, count: Int64 = 1) throws(Refusal) {
        let number = try value.map { value throws(Refusal) in try UInt64(values.number(value)) + 1 } ?? 0
        counts[number << 32 | UInt64(bucket), default: 0] += count
    }

    mutating func add(_ other: ValueCounts) throws(Refusal) {
        for (key, count) in other.counts {
            try add(key >> 32 == 0 ? nil : other.values.texts[Int(key >> 32) - 1], at: Int(key & 0xffff_ffff), count: count)
        }
    }

    /// Returns a line for each value. Without a breakdown there is one line, named "".
    package func named(_ breakdown: FieldPath?) -> [ExactText: SparseLine] {
        var lines: [ExactText: SparseLine] = [:]
        for (key, count) in counts {
            let value = key >> 32 == 0 ? nil : ExactText(values.texts[Int(key >> 32) - 1])
            let name = breakdown == nil ? ExactText("") : value ?? .noValue
            lines[name, default: SparseLine()].add(count, at: Int(key & 0xffff_ffff))
        }
        return lines
    }
}
