// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Cohort retention: how many users who started in a period returned in later ones.
package struct RetentionQuery: Sendable {
    /// The rule that assigns users to cohorts.
    package enum Cohort: String, CaseIterable, Sendable {
        /// Each user once, in the period of their first starting event.
        case firstTime = "first_time"
        /// Each user in every period in which they had the starting event.
        case recurring
    }

    /// The starting event; nil for the user's first activity.
    package var start: String?
    /// The returning event; nil for any event.
    package var returning: String?
    package var cohort: Cohort
    package var periods: Int
    /// The periods whose cohorts are shown.
    package var range: QueryRange
    package var filters: [Filter]

    package static let fields: [QueryField] = [
        QueryField("start", .text, default: "first_open", "The starting event; first_open for the user's first activity."),
        QueryField("return", .text, default: "any", "The returning event, or any."),
        QueryField(
            "cohort", .choice(Cohort.allCases.map(\.rawValue)), default: "first_time",
            "Whether a user belongs only to the period of the first start, or to each period with a start."),
        QueryField("interval", .choice(["day", "week", "month"]), default: "day", "The length of a period."),
        QueryField("periods", .number(1...60), default: "8", "The number of periods, including the first."), .from, .to, .tz,
        QueryField("filter", .filters, "A condition on the starting and returning events; for first_open, on an event of its period."),
    ]

    package init(_ parameters: QueryParameters) throws(Refusal) {
        let start = try parameters.eventName("start") ?? "first_open"
        self.start = start == "first_open" ? nil : start
        let returning = try parameters.eventName("return") ?? "any"
        self.returning = returning == "any" ? nil : returning
        cohort = try parameters.choice("cohort", default: .firstTime)
        periods = try parameters.number("periods", 1...60, default: 8)
        filters = try parameters.filters()
        range = try QueryRange(periods: parameters, noun: "periods")
    }
}

package struct RetentionResult: Codable, Sendable, Equatable {
    package struct Cell: Codable, Sendable, Equatable {
        package var period: Int
        package var people: Int
        package var share: Double
        /// Whether the period is over.
        package var complete: Bool

        package init(period: Int, people: Int, of size: Int, complete: Bool) {
            (self.period, self.people, self.complete) = (period, people, complete)
            share = size == 0 ? 0 : rounded(Double(people) / Double(size))
        }
    }

    package struct Cohort: Codable, Sendable, Equatable {
        package var t: Moment
        package var size: Int
        /// The cells of the periods that have begun.
        package var cells: [Cell]

        package init(t: Moment, size: Int, cells: [Cell]) {
            (self.t, self.size, self.cells) = (t, size, cells)
        }
    }

    package var cohorts: [Cohort]

    package init(cohorts: [Cohort]) {
        self.cohorts = cohorts
    }
}
