// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// The numbers of one breakdown value in one bucket, reduced to what a function needs.
protocol NumberCell: Sendable {
    init()
    /// Adds a number. Returns how much the memory grew, in units of some 32 bytes.
    mutating func add(_ number: Double) -> Int
    mutating func add(_ other: Self) -> Int
    /// Returns the figure; nil if it does not exist without numbers.
    func figure(_ function: NumberMetric.Function) -> Double?
}

/// Sum, mean and extremes.
struct NumberSum: NumberCell {
    private var sum = ExactSum()
    private var count = 0
    private var least = Double.infinity
    private var greatest = -Double.infinity

    mutating func add(_ number: Double) -> Int {
        sum.add(number)
        count += 1
        (least, greatest) = (min(least, number), max(greatest, number))
        return 0
    }

    mutating func add(_ other: NumberSum) -> Int {
        sum.add(other.sum)
        count += other.count
        (least, greatest) = (min(least, other.least), max(greatest, other.greatest))
        return 0
    }

    func figure(_ function: NumberMetric.Function) -> Double? {
        if function == .sum { return sum.rounded }
        guard count > 0 else { return nil }
        switch function {
        case .avg: return sum.rounded / Double(count)
        case .min: return least
        default: return greatest
        }
    }
}

/// Each different number with its count, for percentiles.
struct NumberCounts: NumberCell {
    private var counts: [Double: Int] = [:]

    mutating func add(_ number: Double) -> Int { add(number, 1) }

    mutating func add(_ other: NumberCounts) -> Int {
        other.counts.reduce(0) { $0 + add($1.key, $1.value) }
    }

    private mutating func add(_ number: Double, _ more: Int) -> Int {
        let before = counts.count
        counts[number, default: 0] += more
        return counts.count - before
    }

    /// Returns the percentile by nearest rank: of n numbers in order the one at the rank ⌈n · percent ÷ 100⌉.
    func figure(_ function: NumberMetric.Function) -> Double? {
        let count = counts.values.reduce(0, +)
        let rank = (count * (function.percent ?? 50) + 99) / 100
        var seen = 0
        for (number, count) in counts.sorted(by: { $0.key < $1.key }) {
            seen += count
            if seen >= rank { return number }
        }
        return nil
    }
}

/// Numbers by breakdown value and bucket.
struct NumberCells<Cell: NumberCell>: Sendable {
    private var values = ValueTable()
    /// The key holds the value's code and the bucket.
    private var cells: [UInt64: Cell] = [:]
    private var size = 0
    /// The limit of all cells together, some 128 MiB. A cell counts as eight numbers.
    private static var limit: Int { 4_000_000 }

    mutating func add(_ batch: EventBatch, in buckets: TimeBuckets) throws(Refusal) {
        values.follow(batch)
        for row in batch.rows {
            guard let number = batch.numbers[row], let bucket = buckets.index(of: Timestamp(milliseconds: batch.times[row])) else { continue }
            let value = batch.codes.isEmpty ? 0 : batch.codes[row]
            try change(UInt64(value) << 32 | UInt64(bucket)) { $0.add(number) }
        }
    }

    mutating func add(_ other: NumberCells) throws(Refusal) {
        for (key, cell) in other.cells {
            let value = try values.code(of: other.values[UInt32(key >> 32)])
            try change(UInt64(value) << 32 | key & 0xffff_ffff) { $0.add(cell) }
        }
    }

    private mutating func change(_ key: UInt64, _ body: (inout Cell) -> Int) throws(Refusal) {
        let before = cells.count
        size += body(&cells[key, default: Cell()])
        size += 8 * (cells.count - before)
        guard size <= NumberCells.limit else { throw .tooManyCells }
    }

    /// Returns the lines with the largest totals and one for all others. Without a breakdown there is exactly one line.
    func lines(like query: SeriesQuery, _ buckets: Int, _ function: NumberMetric.Function) -> [CountedLine] {
        var lines: [UInt32: [Int: Cell]] = [:]
        for (key, cell) in cells { lines[UInt32(key >> 32), default: [:]][Int(key & 0xffff_ffff)] = cell }
        func line(_ name: String?, _ cells: [Int: Cell]) -> CountedLine {
            let numbers = (0..<buckets).map { (cells[$0] ?? Cell()).figure(function) }
            return CountedLine(name: name, numbers: numbers, total: NumberCells.total(cells).figure(function))
        }
        guard query.breakdown != nil else { return [line(nil, lines[0] ?? [:])] }
        let ranked = lines.map { (name: name($0.key), cells: $0.value, total: NumberCells.total($0.value).figure(function) ?? 0) }
            .sorted { ($1.total, $0.name) < ($0.total, $1.name) }
        let shown = ranked.prefix(query.limit).map { line($0.name.text, $0.cells) }
        if ranked.count <= query.limit { return shown }
        var others: [Int: Cell] = [:]
        for (bucket, cell) in ranked.dropFirst(query.limit).flatMap(\.cells) { _ = others[bucket, default: Cell()].add(cell) }
        return shown + [line(BreakdownName.other, others)]
    }

    private static func total(_ cells: [Int: Cell]) -> Cell {
        cells.values.reduce(into: Cell()) { _ = $0.add($1) }
    }

    private func name(_ code: UInt32) -> ExactText { values[code].map { ExactText($0) } ?? .noValue }
}

extension QueryContext {
    /// Computes a figure over the numbers of a parameter. Events without a number do not count.
    func computedNumbers(_ query: SeriesQuery, _ metric: NumberMetric, _ buckets: TimeBuckets) throws -> [CountedLine] {
        metric.function.percent == nil
            ? try computed(query, metric, buckets, by: NumberSum.self) : try computed(query, metric, buckets, by: NumberCounts.self)
    }

    private func computed<Cell: NumberCell>(
        _ query: SeriesQuery, _ metric: NumberMetric, _ buckets: TimeBuckets, by _: Cell.Type
    ) throws -> [CountedLine] {
        var scan = EventScan(buckets, names: query.eventNames, filters: query.filters, field: query.breakdown)
        scan.columns = .time
        scan.number = metric.parameter
        return try self.scan(scan, into: NumberCells<Cell>()) {
            try $0.add($1, in: buckets)
        } joining: {
            try $0.add($1)
        }.lines(like: query, buckets.count, metric.function)
    }
}

extension Refusal {
    /// The rejection of queries with too many different numbers, buckets and values.
    static var tooManyCells: Refusal {
        Refusal(
            .invalid, "The query has too many combinations of buckets, values and different numbers.",
            hint: "Use a shorter range, a coarser interval or a filter.", fields: [.init("from", "too_much", "too long for this query")])
    }
}
