// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Counts or figures per bucket.
package struct SeriesQuery: Sendable {
    package var metric: QueryMetric
    package var event: String?
    package var range: QueryRange
    package var filters: [Filter]
    package var breakdown: FieldPath?
    package var limit: Int
    package var sessionTimeout: Timestamp.Span

    static let metric = QueryField(
        "metric", .metric, default: "events",
        "The metric: \(QueryMetric.words.joined(separator: ", ")), or \(NumberMetric.form), a figure over a parameter's numbers.")
    static let event = QueryField("event", .text, "Only events with this name; for sessions, those with such an event.")
    static let breakdown = QueryField(
        "breakdown", .paths,
        "A series for each value of this field: name, context.…, params.… or user.…; repeat it for the combinations of up to three fields.")

    package static let fields: [QueryField] = [
        metric, event, .from, .to, .tz, .interval, .filter,
        breakdown,
        QueryField("limit", .number(1...100), default: "10", "With a breakdown, the number of values; the others are combined."),
    ]

    package init(_ parameters: QueryParameters) throws(Refusal) {
        metric = try parameters.metric()
        event = try parameters.eventName("event")
        range = try QueryRange(parameters, interval: try parameters.choice("interval", default: .day))
        filters = try parameters.filters()
        breakdown = try parameters.breakdown()
        limit = try parameters.number("limit", 1...100, default: 10)
        sessionTimeout = .seconds(Int64(parameters.settings.sessionTimeoutSeconds))
        try metric.require(breakdown, named: "breakdown")
        if metric == .crashes { try CrashField.require(event: event, filters, breakdown, named: "breakdown") }
        try SeriesQuery.hold(points: range.buckets.count * (breakdown == nil ? 1 : limit))
    }

    /// Throws a refusal if the result would have too many points.
    static func hold(points: Int) throws(Refusal) {
        guard points <= pointsLimit else {
            throw Refusal(
                .invalid, "The result would have \(points) points, more than \(pointsLimit).",
                hint: "Use a coarser interval, a shorter range or a lower limit.",
                fields: [.init("interval", "too_fine", "too fine for this range")])
        }
    }

    private static let pointsLimit = 100_000

    /// Counters answer every other case, except screens on days with too many of them.
    package var mayReadRows: Bool {
        guard filters.isEmpty else { return true }
        return switch (metric, breakdown) {
        case (.events, nil), (.screenViews, nil), (.purchases, nil), (.events, .name), (.screenViews, .name), (.purchases, .name): false
        case (.users, nil): event != nil || !range.buckets.isOfQuarters
        case (.revenue, nil): event != nil
        default: !asksForScreens
        }
    }

    /// Whether the query breaks all screen views down by screen.
    package var asksForScreens: Bool {
        filters.isEmpty && metric == .screenViews && event == nil && breakdown == .param("screen_name")
    }

    /// The names of the events to count; nil for all, empty if the metric excludes the named event.
    package var eventNames: [String]? {
        guard let event else { return metric.eventNames }
        return metric.eventNames?.filter { $0 == event } ?? [event]
    }
}

package struct SeriesResult: Codable, Sendable, Equatable {
    /// A count or figure, or money as a decimal text.
    package enum Value: Codable, Sendable, Equatable {
        case count(Int64)
        case money(Int64)
        /// A figure over the numbers of a parameter.
        case number(Double)
        /// The figure of no numbers, such as their mean.
        case missing

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .missing
            } else if let count = try? container.decode(Int64.self) {
                self = .count(count)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .money(try container.decode(DecimalText.self).millionths)
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .count(let count): try container.encode(count)
            case .money(let millionths): try container.encode(DecimalText(millionths))
            case .number(let number): try container.encode(number)
            case .missing: try container.encodeNil()
            }
        }
    }

    package struct Point: Codable, Sendable, Equatable {
        package var t: Moment
        package var value: Value
    }

    package struct Series: Codable, Sendable, Equatable {
        /// The value of the breakdown field; a label of `values` if there are several fields.
        package var name: String?
        /// The values of several breakdown fields.
        package var values: [String]?
        package var currency: String?
        package var points: [Point]
        /// The total of the range. For users and sessions it counts distinct ones and is not the sum of the points.
        package var total: Value

        package init(name: String?, values: [String]? = nil, currency: String? = nil, points: [Point], total: Value) {
            (self.name, self.values, self.currency, self.points, self.total) = (name, values, currency, points, total)
        }
    }

    package var series: [Series]

    package init(series: [Series]) {
        self.series = series
    }
}

extension SeriesResult.Point {
    package init(_ t: Timestamp, _ value: SeriesResult.Value) {
        self.init(t: Moment(t), value: value)
    }
}

/// Labels for values without a name of their own.
package enum BreakdownName {
    package static let none = "(none)"
    package static let other = "(other)"
}
