// SPDX-License-Identifier: Apache-2.0

import EventStore
package import Events
import Platform

extension QueryContext {
    /// Counts crashes by bucket. Crashes are in another store, which this module does not import, so the caller passes the function.
    package typealias CrashCounter = (SeriesQuery, TimeBuckets) throws -> [CountedLine]

    package func series(_ query: SeriesQuery, crashes: CrashCounter) throws -> RangedResult<SeriesResult> {
        let (lines, source) = try counted(query, query.range.buckets, crashes)
        try requireKept(query.range.buckets)
        let series = lines.map { line in
            let (name, values) = query.breakdown.flatMap { field in line.name.map(field.named) } ?? (query.event ?? "", nil)
            return SeriesResult.Series(
                name: query.breakdown == nil ? query.event : name, values: values, currency: line.currency,
                points: zip(query.range.buckets.edges, line.values).map { SeriesResult.Point($0, $1) }, total: line.total)
        }
        return RangedResult(ResultRange(query.range, source: source), SeriesResult(series: series))
    }

    package func top(_ query: TopQuery, crashes: CrashCounter) throws -> RangedResult<TopResult> {
        let (lines, source) = try counted(query.series, query.range.buckets, crashes)
        try requireKept(query.range.buckets)
        let items = lines.map { TopResult.Item(name: $0.name ?? BreakdownName.none, currency: $0.currency, value: $0.total) }
        return RangedResult(ResultRange(query.range, source: source), TopResult(items: items))
    }

    /// Counts from roll-ups if they suffice, otherwise from events.
    private func counted(
        _ query: SeriesQuery, _ buckets: TimeBuckets, _ crashes: CrashCounter
    ) throws -> ([CountedLine], ResultRange.Source) {
        if let counted = try countedScreens(query, buckets) { return counted }
        if let lines = try countedFromRollups(query, buckets) { return (lines, .rollup) }
        switch query.metric {
        case .events, .screenViews, .purchases: return (try countedEvents(query, buckets), .raw)
        case .users: return (try countedUsers(query, buckets), .raw)
        case .sessions: return (try countedSessions(query, buckets), .raw)
        case .revenue, .quantity: return (try countedRevenue(query, buckets), .raw)
        case .number(let metric): return (try computedNumbers(query, metric, buckets), .raw)
        case .crashes: return (try crashes(query, buckets), .raw)
        }
    }

    // MARK: From roll-ups

    private func countedFromRollups(_ query: SeriesQuery, _ buckets: TimeBuckets) throws -> [CountedLine]? {
        guard !query.mayReadRows else { return nil }
        switch query.metric {
        case .events, .screenViews, .purchases:
            let sums = try rollups(.events, buckets, words: query.eventNames, byWord: query.breakdown != nil)
            return CountedLine.ranked(sums.counts, like: query, buckets)
        case .users:
            let counts = try peopleCounts(of: buckets, now: query.range.now).map(Int64.init)
            return [CountedLine(counts: counts.dropLast(), total: counts[counts.count - 1])]
        case .revenue:
            return try revenueLines(buckets).map { currency, earned in
                CountedLine(currency: currency, amounts: earned.map { $0.gross.subtractingClamped($0.refunds) })
            }
        case .sessions, .crashes, .quantity, .number: return nil
        }
    }

    /// Screens are counted by name. Views without a name are the difference to all views.
    private func countedScreens(_ query: SeriesQuery, _ buckets: TimeBuckets) throws -> ([CountedLine], ResultRange.Source)? {
        guard query.asksForScreens else { return nil }
        let screens = try screens(buckets)
        var lines = screens.lines
        var rest = try rollups(.events, buckets, words: [EventKind.screenView.name]).all.map(\.count)
        for line in lines.values { line.each { bucket, count in rest[bucket] -= count } }
        if rest.contains(where: { $0 > 0 }) { lines[.noValue] = SparseLine(rest) }
        return (CountedLine.ranked(lines, like: query, buckets), screens.source)
    }

    // MARK: From the events

    private func countedEvents(_ query: SeriesQuery, _ buckets: TimeBuckets) throws -> [CountedLine] {
        var scan = EventScan(buckets, names: query.eventNames, filters: query.filters, field: query.breakdown)
        scan.columns = .time
        let all = try self.scan(scan, into: ValueCounts()) {
            $0.add($1, in: buckets)
        } joining: {
            try $0.add($1)
        }
        return CountedLine.ranked(all.named(query.breakdown), like: query, buckets)
    }

    private func countedUsers(_ query: SeriesQuery, _ buckets: TimeBuckets) throws -> [CountedLine] {
        var scan = EventScan(buckets, names: query.eventNames, filters: query.filters, field: query.breakdown)
        let isPlain = query.eventNames == nil && query.filters.isEmpty && query.breakdown == nil
        scan.includesWithdrawn = isPlain
        var sightings = try self.scan(scan, into: Sightings()) {
            try $0.add($1, in: buckets)
        } joining: {
            try $0.add($1)
        }
        if isPlain {
            try eachAlias(in: buckets) { _, user, _, bucket in try sightings.add(user, in: bucket) }
        }
        let each = sightings.hasAnonymous ? try identities(in: buckets) : []
        let whole = sightings.hasAnonymous ? try identity(from: buckets.from, to: buckets.to) : Identity()
        return sightings.lines(like: query, buckets.count, each: each, whole: whole)
    }

    private func countedSessions(_ query: SeriesQuery, _ buckets: TimeBuckets) throws -> [CountedLine] {
        let scan = SessionScan(
            buckets, timeout: query.sessionTimeout, names: query.eventNames, filters: query.filters, field: query.breakdown)
        let (found, values) = try foldSessions(scan, into: SessionCounts(buckets: buckets.count))
        var lines: [ExactText: SparseLine] = [:]
        for (value, line) in found.lines {
            let name = query.breakdown == nil ? ExactText("") : values[value].map { ExactText($0) } ?? .noValue
            lines[name, default: SparseLine()].add(line)
        }
        return CountedLine.ranked(lines, like: query, buckets)
    }

    private func countedRevenue(_ query: SeriesQuery, _ buckets: TimeBuckets) throws -> [CountedLine] {
        if query.metric == .quantity || query.breakdown?.isOfItems == true { return try countedItems(query, buckets) }
        var lines: [MoneyLine: SparseLine] = [:]
        for sale in try sales(buckets, names: query.eventNames, filters: query.filters, field: query.breakdown) {
            let line = MoneyLine(currency: sale.currency, value: query.breakdown == nil ? ExactText("") : sale.value ?? .noValue)
            lines[line, default: SparseLine()].add(sale.isRefund ? -sale.amount : sale.amount, at: sale.bucket)
        }
        return CountedLine.ranked(lines, like: query, buckets)
    }
}

/// The number of sessions by the code of their value and bucket.
private struct SessionCounts: SessionSums {
    private var numbers: CellNumbers
    private var counts: [Int64] = []

    init(buckets: Int) {
        numbers = CellNumbers(buckets: buckets)
    }

    mutating func expectNumbers() {}

    mutating func add(_ session: FoundSession) { add(1, session.value, session.bucket) }

    private mutating func add(_ count: Int64, _ value: UInt32, _ bucket: Int) {
        let number = numbers.number(value, bucket)
        if number == counts.count { counts.append(0) }
        counts[number] += count
    }

    mutating func join(_ other: Self) {
        for (cell, count) in zip(other.numbers.cells, other.counts) { add(count, cell.value, cell.bucket) }
    }

    /// The counts by code.
    var lines: [UInt32: SparseLine] {
        var lines: [UInt32: SparseLine] = [:]
        for (cell, count) in zip(numbers.cells, counts) { lines[cell.value, default: SparseLine()].add(count, at: cell.bucket) }
        return lines
    }
}

/// The key of a line of amounts.
struct MoneyLine: Hashable {
    var currency: String
    /// The breakdown value; "" without a breakdown.
    var value: ExactText
}
