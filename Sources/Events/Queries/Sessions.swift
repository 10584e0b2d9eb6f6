// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Sessions: number, length and events per session.
package struct SessionsQuery: Sendable {
    package var range: QueryRange
    package var filters: [Filter]
    package var timeout: Timestamp.Span

    package static let fields: [QueryField] = [
        .from, .to, .tz, .interval, QueryField("filter", .filters, "Only sessions with an event that matches this condition."),
    ]

    package init(_ parameters: QueryParameters) throws(Refusal) {
        range = try QueryRange(parameters, interval: try parameters.choice("interval", default: .day))
        filters = try parameters.filters()
        timeout = .seconds(Int64(parameters.settings.sessionTimeoutSeconds))
    }
}

package struct SessionsResult: Codable, Sendable, Equatable {
    package struct Figures: Codable, Sendable, Equatable {
        package var sessions: Int
        /// Distinct users with sessions.
        package var users: Int
        package var medianSeconds: Double
        package var p90Seconds: Double
        /// Sessions longer than 10 s, with at least two screen views, or with a purchase.
        package var engaged: Int
        package var engagedShare: Double
        package var perUser: Double

        /// Creates the figures from session lengths in milliseconds, in any order.
        package init(lengths: [Int64], users: Int, engaged: Int) {
            let quantiles = RankedNumbers(lengths).secondsAtQuantiles([0.5, 0.9])
            sessions = lengths.count
            self.users = users
            self.engaged = engaged
            (medianSeconds, p90Seconds) = (quantiles[0], quantiles[1])
            engagedShare = sessions == 0 ? 0 : rounded(Double(engaged) / Double(sessions))
            perUser = users == 0 ? 0 : rounded(Double(sessions) / Double(users))
        }
    }

    package typealias Point = DatedFigures<Figures>

    package var points: [Point]
    package var total: Figures

    package init(points: [Point], total: Figures) {
        (self.points, self.total) = (points, total)
    }
}
