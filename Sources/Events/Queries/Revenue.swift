// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What was earned and given back, by currency.
package struct RevenueQuery: Sendable {
    package var range: QueryRange
    package var filters: [Filter]

    package static let fields: [QueryField] = [.from, .to, .tz, .interval, .filter]

    package init(_ parameters: QueryParameters) throws(Refusal) {
        range = try QueryRange(parameters, interval: try parameters.choice("interval", default: .day))
        filters = try parameters.filters()
    }
}

package struct RevenueAnswer: Codable, Sendable, Equatable {
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
        /// How many purchases and refunds carried money of this currency.
        package var purchaseCount: Int
        package var refundCount: Int
        /// Different people who bought something; nil where nobody can tell any more.
        package var buyers: Int?
        /// Net per person who was there at all, and per person who bought.
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

    /// Different people of the range, buyers or not; nil where events of it are gone, with which it went who was there.
    package var users: Int?
    package var currencies: [Currency]

    package init(users: Int?, currencies: [Currency]) {
        (self.users, self.currencies) = (users, currencies)
    }
}
