// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Revenue and refunds by currency.
package struct RevenueQuery: Sendable {
    package var range: QueryRange
    package var filters: [Filter]

    package static let fields: [QueryField] = [.from, .to, .tz, .interval, .filter]

    package init(_ parameters: QueryParameters) throws(Refusal) {
        range = try QueryRange(parameters, interval: try parameters.choice("interval", default: .day))
        filters = try parameters.filters()
    }
}

package struct RevenueResult: Codable, Sendable, Equatable {
    package struct Point: Codable, Sendable, Equatable {
        package var t: Moment
        package var gross: DecimalText
        package var refunds: DecimalText
        package var net: DecimalText

        package init(t: Moment, gross: Int64, refunds: Int64) {
            self.t = t
            (self.gross, self.refunds, net) = (DecimalText(gross), DecimalText(refunds), DecimalText(gross.subtractingClamped(refunds)))
        }
    }

    package struct Currency: Codable, Sendable, Equatable {
        package var currency: String
        package var gross: DecimalText
        package var refunds: DecimalText
        package var net: DecimalText
        /// The number of purchases with an amount in this currency; `refundCount` counts refunds.
        package var purchaseCount: Int
        package var refundCount: Int
        /// Distinct buyers; nil if their rows have been deleted.
        package var buyers: Int?
        /// Net revenue per user; `arppu` is per buyer.
        package var arpu: DecimalText?
        package var arppu: DecimalText?
        package var points: [Point]

        package init(currency: String, points: [Point], purchaseCount: Int, refundCount: Int, buyers: Int?, users: Int?) {
            (self.currency, self.points, self.purchaseCount, self.refundCount, self.buyers) = (currency, points, purchaseCount, refundCount, buyers)
            gross = DecimalText(points.reduce(0) { $0.addingClamped($1.gross.millionths) })
            refunds = DecimalText(points.reduce(0) { $0.addingClamped($1.refunds.millionths) })
            net = DecimalText(gross.millionths.subtractingClamped(refunds.millionths))
            let net = net.millionths
            arpu = users.map { DecimalText(net.share(among: $0)) }
            arppu = buyers.map { DecimalText(net.share(among: $0)) }
        }
    }

    /// Distinct users of the range, buyers or not; nil if rows of the range have been deleted.
    package var users: Int?
    package var currencies: [Currency]

    package init(users: Int?, currencies: [Currency]) {
        (self.users, self.currencies) = (users, currencies)
    }
}
