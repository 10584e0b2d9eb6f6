import Events
import Platform

/// One line of a series: a value of the breakdown or all of it, bucket by bucket.
struct CountedLine {
    var name: String?
    var currency: String?
    var values: [SeriesAnswer.Value]
    var total: SeriesAnswer.Value

    init(name: String? = nil, counts: some Sequence<Int64>, total: Int64) {
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

    /// The lines with the largest totals, and one for all others together; without a breakdown the only one, though it were empty.
    static func ranked(_ lines: [ExactText: [Int64]], like query: SeriesQuery, _ buckets: TimeBuckets) -> [CountedLine] {
        guard query.breakdown != nil else {
            let counts = lines.values.first ?? [Int64](repeating: 0, count: buckets.count)
            return [CountedLine(counts: counts, total: counts.reduce(0, +))]
        }
        var other = lines[.others]
        let named = lines.filter { $0.key != .others }
            .map { CountedLine(name: $0.key.text, counts: $0.value, total: $0.value.reduce(0, +)) }.sorted(by: CountedLine.comesBefore)
        for line in named.dropFirst(query.limit) {
            let counts = line.values.map(\.number)
            other = other.map { zip($0, counts).map { $0 + $1 } } ?? counts
        }
        let rest = other.map { [CountedLine(name: BreakdownName.other, counts: $0, total: $0.reduce(0, +))] } ?? []
        return named.prefix(query.limit) + rest
    }

    /// Of each currency the lines with the largest totals, and one for its others together.
    static func ranked(_ lines: [MoneyLine: [Int64]], limit: Int) -> [CountedLine] {
        Dictionary(grouping: lines, by: \.key.currency).sorted { $0.key < $1.key }.flatMap { currency, lines in
            let sorted = lines.map { CountedLine(name: $0.key.value?.text, currency: currency, amounts: $0.value) }
                .sorted(by: CountedLine.comesBefore)
            let others = sorted.dropFirst(limit).map { $0.values.map(\.number) }
            guard var sums = others.first else { return sorted }
            for other in others.dropFirst() { sums = zip(sums, other).map { $0.addingClamped($1) } }
            return sorted.prefix(limit) + [CountedLine(name: BreakdownName.other, currency: currency, amounts: sums)]
        }
    }

    private static func comesBefore(_ a: CountedLine, _ b: CountedLine) -> Bool {
        (b.total.number, ExactText(a.name ?? "")) < (a.total.number, ExactText(b.name ?? ""))
    }
}

extension SeriesAnswer.Value {
    var number: Int64 {
        switch self {
        case .count(let number), .money(let number): number
        }
    }
}

/// Different texts by number, so that rows need not carry them; bounded, for a parameter may be another one in every event.
struct ValueTable: Sendable {
    private(set) var texts: [[UInt8]] = []
    private var numbers: [[UInt8]: UInt32] = [:]
    private static let limit = 500_000
    /// A value may have 8 kB.
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

/// Counts by value and bucket; the value's number plus one, 0 for none.
struct ValueCounts: Sendable {
    private let buckets: Int
    private var values = ValueTable()
    private var counts: [UInt64: Int64] = [:]

    init(_ buckets: Int) {
        self.buckets = buckets
    }

    mutating func add(_ value: [UInt8]?, at bucket: Int, count: Int64 = 1) throws(Refusal) {
        let number = try value.map { value throws(Refusal) in try UInt64(values.number(value)) + 1 } ?? 0
        counts[number << 32 | UInt64(bucket), default: 0] += count
    }

    mutating func add(_ other: ValueCounts) throws(Refusal) {
        for (key, count) in other.counts {
            try add(key >> 32 == 0 ? nil : other.values.texts[Int(key >> 32) - 1], at: Int(key & 0xffff_ffff), count: count)
        }
    }

    /// A line for each value; of "" where there is no breakdown.
    func named(_ breakdown: FieldPath?) -> [ExactText: [Int64]] {
        var lines: [ExactText: [Int64]] = [:]
        for (key, count) in counts {
            let value = key >> 32 == 0 ? nil : ExactText(values.texts[Int(key >> 32) - 1])
            let name = breakdown == nil ? ExactText("") : value ?? .noValue
            lines[name, default: [Int64](repeating: 0, count: buckets)][Int(key & 0xffff_ffff)] += count
        }
        return lines
    }
}
