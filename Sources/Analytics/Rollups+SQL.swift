// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// Sums of a metric by bucket and word, read from the roll-ups that intake keeps.
///
/// Each part of the range is read in the coarsest grain that lies within one bucket. Only units that an edge divides are read in the next
/// finer grain. One bucket from 10:30 to 24:00:
///
///     day     divided by 10:30
///     hours   11 … 23 within the bucket; 10 divided
///     minutes 10:30 … 10:59
///
/// A word is an event name, a screen or a currency. The history of deleted days has the grains day and quarter-hour only.
struct RollupSums: Sendable {
    struct Sum: Sendable {
        var count: Int64 = 0
        var amount: Int64 = 0

        static func += (sum: inout Sum, other: Sum) {
            sum.count += other.count
            sum.amount = sum.amount.addingClamped(other.amount)
        }

        static func + (one: Sum, other: Sum) -> Sum {
            var sum = one
            sum += other
            return sum
        }
    }

    let buckets: TimeBuckets
    /// The buckets of each word that are not zero. The word is "" if words are not distinguished.
    private(set) var lines: [ExactText: [Int: Sum]] = [:]

    init(_ buckets: TimeBuckets) {
        self.buckets = buckets
    }

    fileprivate mutating func add(_ word: ExactText, at bucket: Int, _ sum: Sum) {
        lines[word, default: [:]][bucket, default: Sum()] += sum
    }

    mutating func add(_ other: RollupSums) {
        for (word, line) in other.lines { add(word, line) }
    }

    /// Adds a line with one look-up of its word.
    fileprivate mutating func add(_ word: ExactText, _ line: [Int: Sum]) {
        lines[word, default: [:]].merge(line, uniquingKeysWith: +)
    }

    /// Drops buckets and words of which every event was withdrawn. A file may subtract events of another.
    fileprivate mutating func dropZeros() {
        guard lines.values.contains(where: { $0.values.contains { $0.count <= 0 } }) else { return }
        lines = lines.mapValues { $0.filter { $0.value.count != 0 } }.filter { !$0.value.isEmpty }
    }

    /// The sums over all words, by bucket.
    var all: [Sum] {
        var sums = [Sum](repeating: Sum(), count: buckets.count)
        for line in lines.values {
            for (bucket, sum) in line { sums[bucket] += sum }
        }
        return sums
    }

    var counts: [ExactText: SparseLine] {
        lines.mapValues { line in line.reduce(into: SparseLine()) { $0.add($1.value.count, at: $1.key) } }
    }
}

extension QueryContext {
    /// Returns the sums of a metric.
    ///
    /// - Parameters:
    ///   - words: The words to include; nil for all.
    ///   - byWord: Whether each word has a line of its own.
    func rollups(_ metric: RollupMetric, _ buckets: TimeBuckets, words: [String]? = nil, byWord: Bool = false) throws -> RollupSums {
        let parts = try rollupParts(metric, buckets, words: words, byWord: byWord)
        var sums = parts.days.reduce(into: parts.history) { $0.add($1.sums) }
        sums.dropZeros()
        return sums
    }

    /// Returns the sums of the history and those of each file that is not in the history yet.
    func rollupParts(
        _ metric: RollupMetric, _ buckets: TimeBuckets, words: [String]? = nil, byWord: Bool
    ) throws -> (history: RollupSums, days: [(day: Day, sums: RollupSums)]) {
        // One transaction, so that the history cannot grow between the two reads.
        try session.withMain { main in
            try main.execute("BEGIN")
            let parts = try session.each(of: session.days()) { file, day in
                // One transaction, as the parts of a withdrawal may be in different grains.
                try file.execute("BEGIN")
                return (
                    day: day, sums: try rollups(metric, buckets, words: words, byWord: byWord, in: file), sample: try file.sampleCount(of: app, day)
                )
            }
            let days = try parts.filter { try $0.sample.map(main.isInHistory) != true }.map { (day: $0.day, sums: $0.sums) }
            var history = RollupSums(buckets)
            try addHistory(to: &history, metric, words: words, byWord: byWord, main)
            return (history, days)
        }
    }

    private func rollups(_ metric: RollupMetric, _ buckets: TimeBuckets, words: [String]?, byWord: Bool, in file: DayDB) throws -> RollupSums {
        var sums = RollupSums(buckets)
        var only = ""
        if let words {
            let numbers = try words.compactMap { try file.wordNumber(metric, key: key(metric.domain, $0), text: $0) }
            if numbers.isEmpty { return sums }
            only = "AND word IN (\(numbers.map(String.init).joined(separator: ", ")))"
        }
        let sql = """
            SELECT bucket, \(byWord ? "word" : "0"), sum(count), \(AmountSum.columns("amount")) FROM rollups
            WHERE app = ?1 AND metric = \(metric.rawValue) AND grain = ?2 AND bucket >= ?3 AND bucket < ?4 \(only) GROUP BY 1, 2
            """
        let statement = try words == nil ? file.statement(sql) : file.uncached(sql)
        try sums.tile(.day, finer: [.hour, .minute], from: buckets.from, to: buckets.to) { grain, from, to, row in
            try statement.each([.integer(app.rawValue), .integer(grain.rawValue), .integer(from), .integer(to)]) { found in
                let word = ExactText(byWord ? String(found.integer(1)) : "")
                try row(found.integer(0), word, .init(count: found.integer(2), amount: AmountSum.read(found, at: 3)))
            }
        }
        return byWord ? try sums.renamed { try file.wordText(metric, number: Int64($0.text) ?? 0) } : sums
    }

    private func addHistory(to sums: inout RollupSums, _ metric: RollupMetric, words: [String]?, byWord: Bool, _ main: MainDB) throws {
        let marks = words.map { Array(repeating: "?", count: $0.count).joined(separator: ", ") }
        let sql = """
            SELECT bucket, \(byWord ? "word" : "''"), sum(count), \(AmountSum.columns("amount"))
            FROM history WHERE app = ? AND metric = ? AND grain = ? AND bucket >= ? AND bucket < ? \(marks.map { "AND word IN (\($0))" } ?? "") GROUP BY 1, 2
            """
        try sums.tile(.day, finer: [.quarter], from: sums.buckets.from, to: sums.buckets.to) { grain, from, to, row in
            let values: [Value] = [.integer(app.rawValue), .integer(metric.rawValue), .integer(grain.rawValue), .integer(from), .integer(to)]
            try main.statement(sql).each(values + (words ?? []).map { .text($0) }) { found in
                let word = ExactText(metric.text(inHistory: found.text(1)))
                try row(found.integer(0), word, .init(count: found.integer(2), amount: AmountSum.read(found, at: 3)))
            }
        }
    }
}

extension RollupSums {
    fileprivate typealias AddSum = (Int64, ExactText, Sum) throws -> Void
    fileprivate typealias Fetch = (Grain, Int64, Int64, AddSum) throws -> Void

    fileprivate mutating func tile(_ grain: Grain, finer: [Grain], from: Timestamp, to: Timestamp, _ fetch: Fetch) throws {
        let unit = grain.milliseconds
        let first = from.milliseconds.flooredQuotient(by: unit)
        let last = (to.milliseconds - 1).flooredQuotient(by: unit)
        var torn: Set<Int64> = []
        var found: [(bucket: Int, word: ExactText, sum: Sum)] = []
        try fetch(grain, first, last + 1) { number, word, sum in
            let start = number * unit
            let bucket = buckets.index(of: Timestamp(milliseconds: start))
            if let bucket, bucket == buckets.index(of: Timestamp(milliseconds: start + unit - 1)) {
                found.append((bucket, word, sum))
            } else {
                torn.insert(start)
            }
        }
        for (bucket, word, sum) in found { add(word, at: bucket, sum) }
        guard let next = finer.first else { return }
        for start in torn {
            let from = max(from, Timestamp(milliseconds: start))
            let to = min(to, Timestamp(milliseconds: start + unit))
            try tile(next, finer: Array(finer.dropFirst()), from: from, to: to, fetch)
        }
    }

    /// Returns the sums with renamed words. Words that get the same name are added up.
    fileprivate func renamed(_ name: (ExactText) throws -> String) rethrows -> RollupSums {
        var sums = RollupSums(buckets)
        for (word, line) in lines {
            sums.add(ExactText(try name(word)), line)
        }
        return sums
    }
}
