// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

extension Model {
    func revenue(_ query: RevenueQuery) -> RevenueResult {
        let buckets = query.range.buckets
        let owners = owners(buckets)
        let users = people(from: buckets.from, to: buckets.to)
        let sales = events(from: buckets.from, to: buckets.to).filter { $0.money != nil && passes($0, names: nil, query.filters, owners) }
        let currencies = Dictionary(grouping: sales) { $0.currency ?? "" }.sorted { $0.key < $1.key }.map { currency, sales in
            let points = (0..<buckets.count).map { bucket in
                let here = sales.filter { buckets.index(of: $0.time) == bucket }
                return RevenueResult.Point(t: Moment(buckets.edges[bucket]), gross: sum(here) { !$0.isRefund }, refunds: sum(here, where: \.isRefund))
            }
            let buyers = Set(sales.filter { !$0.isRefund }.compactMap(owners.person)).count
            var answer = RevenueResult.Currency(
                currency: currency, points: points, purchaseCount: sales.count { !$0.isRefund }, refundCount: sales.count(where: \.isRefund),
                buyers: buyers,
                users: users)
            let (gross, refunds) = (sum(sales) { !$0.isRefund }, sum(sales, where: \.isRefund))
            (answer.gross, answer.refunds, answer.net) = (DecimalText(gross), DecimalText(refunds), DecimalText(gross - refunds))
            (answer.arpu, answer.arppu) = (DecimalText(part(gross - refunds, users)), DecimalText(part(gross - refunds, buyers)))
            return answer
        }
        return RevenueResult(users: users, currencies: currencies)
    }

    private func sum(_ sales: [LoggedEvent], where isWanted: (LoggedEvent) -> Bool) -> Int64 {
        sales.filter(isWanted).reduce(0) { $0 + $1.amount }
    }

    /// Rounds half away from zero. Such small amounts are exact in binary.
    private func part(_ amount: Int64, _ people: Int) -> Int64 {
        people == 0 ? 0 : Int64((Double(amount) / Double(people)).rounded(.toNearestOrAwayFromZero))
    }

    // MARK: Now

    func realtime(_ query: RealtimeQuery, byQuarters: Bool) -> RealtimeResult {
        let buckets = query.range.buckets
        let now = events(from: buckets.from, to: buckets.to)
        let quarter: Int64 = byQuarters ? 900_000 : 1
        let since = Timestamp(milliseconds: buckets.from.milliseconds / quarter * quarter)
        let until = Timestamp(milliseconds: (buckets.to.milliseconds + quarter - 1) / quarter * quarter)
        let points = (0..<buckets.count).map { bucket in
            SeriesResult.Point(buckets.edges[bucket], .count(Int64(now.count { buckets.index(of: $0.time) == bucket })))
        }
        return RealtimeResult(
            events: Int64(now.count), users: people(from: since, to: until), usersSince: Moment(since), points: points,
            topEvents: top(now.map(\.name), query.limit), topScreens: top(now.compactMap(\.screen), query.limit))
    }

    private func top(_ names: [String], _ limit: Int) -> [RealtimeResult.Item] {
        let counts = grouped(names) { $0 }.map { RealtimeResult.Item(name: $0.name, count: Int64($0.items.count)) }
        return Array(counts.sorted { $0.count != $1.count ? $0.count > $1.count : isBefore($0.name, $1.name) }.prefix(limit))
    }
}
