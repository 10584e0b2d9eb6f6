// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The most frequent values of a field.
package struct TopQuery: Sendable {
    package var field: FieldPath
    package var metric: QueryMetric
    package var event: String?
    package var range: QueryRange
    package var filters: [Filter]
    package var limit: Int
    package var sessionTimeout: Timestamp.Span

    package static let fields: [QueryField] = [
        QueryField("field", .path, default: "name", "The field to rank: name, context.…, params.…, user.… or, for items, items.…"),
        SeriesQuery.metric, SeriesQuery.event, .from, .to, .tz,
        QueryField(
            "interval", .choice(Interval.allCases.map(\.rawValue)),
            "Widens the range to whole buckets, so that values agree with the totals of a series; default: to quarter-hours."),
        .filter, QueryField("limit", .number(1...100), default: "10", "The number of values; the others are combined."),
    ]

    package init(_ parameters: QueryParameters) throws(Refusal) {
        field = try parameters.path("field") ?? .name
        metric = try parameters.metric()
        event = try parameters.eventName("event")
        if let interval = try parameters.interval() {
            range = try QueryRange(parameters, interval: interval).joined
        } else {
            range = try QueryRange(whole: parameters)
        }
        filters = try parameters.filters()
        limit = try parameters.number("limit", 1...100, default: 10)
        sessionTimeout = .seconds(Int64(parameters.settings.sessionTimeoutSeconds))
        try metric.require(field, named: "field")
        if metric == .crashes { try CrashField.require(event: event, filters, field, named: "field") }
    }

    /// The equivalent series with one bucket.
    package var series: SeriesQuery { SeriesQuery(self) }
}

extension SeriesQuery {
    fileprivate init(_ top: TopQuery) {
        (metric, event, range, filters) = (top.metric, top.event, top.range, top.filters)
        (breakdown, limit, sessionTimeout) = (top.field, top.limit, top.sessionTimeout)
    }
}

package struct TopResult: Codable, Sendable, Equatable {
    package struct Item: Codable, Sendable, Equatable {
        package var name: String
        package var currency: String?
        package var value: SeriesResult.Value

        package init(name: String, currency: String?, value: SeriesResult.Value) {
            (self.name, self.currency, self.value) = (name, currency, value)
        }
    }

    package var items: [Item]

    package init(items: [Item]) {
        self.items = items
    }
}
