// SPDX-License-Identifier: Apache-2.0

import EventStore
package import Events
import Platform
import SQLite

/// A purchase or refund with an amount.
struct Sale: Sendable {
    var bucket: Int
    var currency: String
    var isRefund: Bool
    var amount: Int64
    var user: UInt64
    var installation: UInt64
    /// The value of the scan's field.
    var value: ExactText?
}

/// The purchases and refunds of one bucket.
struct Earned: Sendable {
    var gross: Int64 = 0
    var refunds: Int64 = 0
    var purchaseCount: Int64 = 0
    var refundCount: Int64 = 0
}

extension QueryContext {
    package func revenue(_ query: RevenueQuery) throws -> RangedResult<RevenueResult> {
        let buckets = query.range.buckets
        let buyersByBucket = try buyers(buckets, filters: query.filters)
        let lines = query.filters.isEmpty ? try revenueLines(buckets) : buyersByBucket.lines
        try requireKept(buckets)
        // Amounts are in the counters, but the buyers of deleted days are unknown.
        let knowsPeople = try !query.filters.isEmpty || daysGone(from: buckets.from, to: buckets.to).isEmpty
        let currencies = lines.map { currency, earned in
            RevenueResult.Currency(
                currency: currency,
                points: zip(buckets.edges, earned).map { .init(t: Moment($0), gross: $1.gross, refunds: $1.refunds) },
                purchaseCount: Int(earned.reduce(0) { $0 + $1.purchaseCount }), refundCount: Int(earned.reduce(0) { $0 + $1.refundCount }),
                buyers: knowsPeople ? buyersByBucket.buyers[currency] ?? 0 : nil, users: knowsPeople ? buyersByBucket.users : nil)
        }
        return RangedResult(
            ResultRange(query.range, source: .raw), RevenueResult(users: knowsPeople ? buyersByBucket.users : nil, currencies: currencies))
    }

    /// Returns amounts by currency and bucket, from the counters kept at intake.
    func revenueLines(_ buckets: TimeBuckets) throws -> [(currency: String, earned: [Earned])] {
        var lines: [ExactText: [Earned]] = [:]
        for (currency, sums) in try rollups(.purchases, buckets, byWord: true).lines {
            var line = lines[currency] ?? [Earned](repeating: Earned(), count: buckets.count)
            for (bucket, sum) in sums { (line[bucket].gross, line[bucket].purchaseCount) = (sum.amount, sum.count) }
            lines[currency] = line
        }
        for (currency, sums) in try rollups(.refunds, buckets, byWord: true).lines {
            var line = lines[currency] ?? [Earned](repeating: Earned(), count: buckets.count)
            for (bucket, sum) in sums { (line[bucket].refunds, line[bucket].refundCount) = (sum.amount, sum.count) }
            lines[currency] = line
        }
        return lines.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
    }

    private struct Buyers {
        var users = 0
        var buyers: [String: Int] = [:]
        var lines: [(currency: String, earned: [Earned])] = []
    }

    /// Returns the buyers, the number of active people, and the amounts of the sales that match the filters.
    private func buyers(_ buckets: TimeBuckets, filters: [Filter]) throws -> Buyers {
        let identity = try identity(from: buckets.from, to: buckets.to)
        var found = Buyers()
        var people: [String: Set<UInt64>] = [:]
        var lines: [String: [Earned]] = [:]
        for sale in try sales(buckets, names: nil, filters: filters, field: nil) {
            var line = lines[sale.currency] ?? [Earned](repeating: Earned(), count: buckets.count)
            line[sale.bucket].add(sale)
            lines[sale.currency] = line
            let person = identity.person(user: sale.user, installation: sale.installation)
            if !sale.isRefund && person != 0 { people[sale.currency, default: []].insert(person) }
        }
        found.users = try peopleCount(buckets)
        found.buyers = people.mapValues(\.count)
        found.lines = lines.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return found
    }

    /// Returns the number of different people of a range.
    private func peopleCount(_ buckets: TimeBuckets) throws -> Int {
        try there(TimeBuckets(edges: [buckets.from, buckets.to])).total
    }

    /// Returns the purchases and refunds of a range that have an amount.
    func sales(_ buckets: TimeBuckets, names: [String]?, filters: [Filter], field: FieldPath?) throws -> [Sale] {
        let names = names ?? QueryMetric.revenue.eventNames
        var scan = EventScan(buckets, names: names, filters: filters, field: field)
        scan.columns.insert(.purchase)
        scan.onlySales = true
        return try self.scan(scan, into: [Sale]()) { sales, batch in
            for row in batch.rows {
                guard let purchase = batch.purchases[row], let bucket = buckets.index(of: Timestamp(milliseconds: batch.times[row])) else { continue }
                sales.append(
                    Sale(
                        bucket: bucket, currency: Currency.text(purchase.currency), isRefund: purchase.isRefund, amount: purchase.amount,
                        user: batch.users[row], installation: batch.installations[row],
                        value: batch.codes.isEmpty ? nil : batch.values[batch.codes[row]].map { ExactText($0) }))
            }
        }.flatMap(\.self)
    }
}

extension Earned {
    fileprivate mutating func add(_ sale: Sale) {
        if sale.isRefund {
            refunds = refunds.addingClamped(sale.amount)
            refundCount += 1
        } else {
            gross = gross.addingClamped(sale.amount)
            purchaseCount += 1
        }
    }
}
