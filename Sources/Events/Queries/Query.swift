// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A parsed query. Each case has its parameters and result in the file of its name.
package enum Query: Sendable {
    case series(SeriesQuery)
    case top(TopQuery)
    case activeUsers(ActiveUsersQuery)
    case retention(RetentionQuery)
    case funnel(FunnelQuery)
    case revenue(RevenueQuery)
    case sessions(SessionsQuery)
    case lifecycle(LifecycleQuery)
    case realtime(RealtimeQuery)
    case crashFree(CrashFreeQuery)

    /// Parses a query's parameters. Throws a refusal that names the invalid one.
    package init(_ name: QueryName, _ parameters: QueryParameters) throws(Refusal) {
        try parameters.allow(name.fields)
        switch name {
        case .series: self = .series(try SeriesQuery(parameters))
        case .top: self = .top(try TopQuery(parameters))
        case .activeUsers: self = .activeUsers(try ActiveUsersQuery(parameters))
        case .retention: self = .retention(try RetentionQuery(parameters))
        case .funnel: self = .funnel(try FunnelQuery(parameters))
        case .revenue: self = .revenue(try RevenueQuery(parameters))
        case .sessions: self = .sessions(try SessionsQuery(parameters))
        case .lifecycle: self = .lifecycle(try LifecycleQuery(parameters))
        case .realtime: self = .realtime(try RealtimeQuery(parameters))
        case .crashFree: self = .crashFree(try CrashFreeQuery(parameters))
        }
    }
}

extension Query {
    /// Whether the query may read event rows instead of counters. Rows are far more numerous.
    package var mayReadRows: Bool {
        switch self {
        case .series(let query): query.mayReadRows
        case .top(let query): query.series.mayReadRows
        case .retention, .funnel, .revenue, .sessions, .crashFree: true
        case .activeUsers, .lifecycle, .realtime: false
        }
    }
}

/// The queries by the name in their path.
package enum QueryName: String, CaseIterable, Sendable {
    case series, top
    case activeUsers = "active-users"
    case retention, funnel, revenue, sessions, lifecycle, realtime
    case crashFree = "crash-free"

    package var fields: [QueryField] {
        switch self {
        case .series: SeriesQuery.fields
        case .top: TopQuery.fields
        case .activeUsers: ActiveUsersQuery.fields
        case .retention: RetentionQuery.fields
        case .funnel: FunnelQuery.fields
        case .revenue: RevenueQuery.fields
        case .sessions: SessionsQuery.fields
        case .lifecycle: LifecycleQuery.fields
        case .realtime: RealtimeQuery.fields
        case .crashFree: CrashFreeQuery.fields
        }
    }

    /// A one-line description.
    package var summary: String {
        switch self {
        case .series: "Event counts over time."
        case .top: "The most frequent values of a field."
        case .activeUsers: "Daily, weekly and monthly active users, and stickiness."
        case .retention: "Cohort retention: users who returned, by period."
        case .funnel: "Funnel: conversion and time per step."
        case .revenue: "Revenue and refunds by currency, in total and per user."
        case .sessions: "Session count, length and engagement."
        case .lifecycle: "New, returning, resurrecting and dormant users."
        case .realtime: "The last thirty minutes by minute."
        case .crashFree: "Crash-free sessions and users by release, and the adoption of each release."
        }
    }
}

/// The result of a query: its range and the figures.
package struct RangedResult<Body: Codable & Sendable>: Codable, Sendable {
    package var about: ResultRange
    package var body: Body

    package init(_ about: ResultRange, _ body: Body) {
        self.about = about
        self.body = body
    }

    /// Decodes both from one JSON object.
    package init(from decoder: any Decoder) throws {
        about = try ResultRange(from: decoder)
        body = try Body(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try about.encode(to: encoder)
        try body.encode(to: encoder)
    }
}

/// The fields that every result has.
package struct ResultRange: Codable, Sendable, Equatable {
    package enum Source: String, Codable, Sendable {
        /// Read from counters.
        case rollup
        /// Computed from event rows.
        case raw
    }

    package var from: Moment
    package var to: Moment
    package var tz: String
    /// Whether the last bucket is over.
    package var complete: Bool
    package var source: Source

    package init(_ range: QueryRange, source: Source) {
        (from, to) = (Moment(range.from), Moment(range.to))
        tz = range.zone.name
        complete = range.to <= range.now
        self.source = source
    }
}

/// A time as results write it.
package struct Moment: Codable, Sendable, Equatable {
    package var time: Timestamp

    package init(_ time: Timestamp) {
        self.time = time
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = Timestamp(rfc3339: Array(text.utf8).span) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not an RFC 3339 time"))
        }
        self.time = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(time.rfc3339)
    }
}
