// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// A number of an event, with the value of the breakdown.
struct Measured {
    var time: Timestamp
    var number: Double
    var value: String?
}

/// An item of a sale. Refunded items have a negative quantity and amount.
struct ModelItem {
    var time: Timestamp
    var currency: String?
    var quantity: Int64
    var amount: Int64?
    var value: String?
}

extension Model {
    /// Sums whole numbers by bucket and in total.
    func sum(_ parts: [(time: Timestamp, number: Int64)], _ buckets: TimeBuckets) -> Line {
        var line = Line(values: [Double](repeating: 0, count: buckets.count), total: Double(parts.reduce(0) { $0 + $1.number }))
        for part in parts { line.add(Double(part.number), at: buckets.index(of: part.time)) }
        return line
    }

    // MARK: Items

    /// Returns the items with a known quantity.
    func items(_ sales: [LoggedEvent], _ query: SeriesQuery, _ value: (LoggedEvent) -> String?) -> [ModelItem] {
        sales.flatMap { sale in
            sale.items.compactMap { item in
                guard let quantity = item.quantity else { return nil }
                let sign: Int64 = sale.isRefund ? -1 : 1
                let named: String? = if case .item(let name)? = query.breakdown { item.fields[name] } else { value(sale) }
                return ModelItem(
                    time: sale.time, currency: sale.money?.currency, quantity: sign * quantity, amount: item.price.map { sign * $0 * quantity },
                    value: named)
            }
        }
    }

    func units(_ items: [ModelItem], _ buckets: TimeBuckets) -> Line { sum(items.map { ($0.time, $0.quantity) }, buckets) }

    func money(_ items: [ModelItem], _ buckets: TimeBuckets) -> Line { sum(items.map { ($0.time, $0.amount ?? 0) }, buckets) }

    // MARK: Figures

    /// Parses a plain decimal number, and rejects other spellings that parsers accept.
    func number(_ text: String?) -> Double? {
        text.flatMap { text in text.allSatisfy { "0123456789+-.eE".contains($0) } ? Double(text) : nil }
    }

    func figures(_ found: [Measured], _ function: NumberMetric.Function, _ buckets: TimeBuckets) -> Line {
        let byBucket = Dictionary(grouping: found) { buckets.index(of: $0.time) ?? 0 }
        let values = (0..<buckets.count).map { figure((byBucket[$0] ?? []).map(\.number), function) }
        return Line(values: values, total: figure(found.map(\.number), function), isOfNumbers: true)
    }

    private func figure(_ numbers: [Double], _ function: NumberMetric.Function) -> Double? {
        if function == .sum { return exactSum(numbers) }
        guard !numbers.isEmpty else { return nil }
        let sorted = numbers.sorted()
        func percentile(_ percent: Int) -> Double {
            sorted.first { limit in 100 * sorted.count { $0 <= limit } >= percent * sorted.count } ?? 0
        }
        switch function {
        case .sum, .avg: return exactSum(numbers) / Double(numbers.count)
        case .min: return sorted[0]
        case .max: return sorted[sorted.count - 1]
        case .p50: return percentile(50)
        case .p90: return percentile(90)
        case .p95: return percentile(95)
        case .p99: return percentile(99)
        }
    }

    /// Sums whole multiples of 2⁻⁸⁰, which all numbers of a log are.
    private func exactSum(_ numbers: [Double]) -> Double {
        let unit = 0x1p80
        let sum = numbers.reduce(Int128(0)) { $0 + Int128($1 * unit) }
        return Double(sum) / unit
    }
}
