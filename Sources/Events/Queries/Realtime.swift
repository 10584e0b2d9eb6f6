// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The figures of the last thirty minutes.
package struct RealtimeQuery: Sendable {
    package var range: QueryRange
    package var limit: Int

    package static let fields: [QueryField] = [
        QueryField("limit", .number(1...100), default: "10", "The number of events and screens listed.")
    ]

    package init(_ parameters: QueryParameters) throws(Refusal) {
        let now = parameters.now
        range = try QueryRange(from: now - .minutes(29), to: now + .init(milliseconds: 1), interval: .minute, zone: parameters.zone(), now: now)
        limit = try parameters.number("limit", 1...100, default: 10)
    }
}

package struct RealtimeResult: Codable, Sendable, Equatable {
    package struct Item: Codable, Sendable, Equatable {
        package var name: String
        package var count: Int64

        package init(name: String, count: Int64) {
            (self.name, self.count) = (name, count)
        }
    }

    package var events: Int64
    /// Distinct users since `usersSince`: the start of the thirty minutes, or of its quarter-hour if they began before the daemon did.
    package var users: Int
    package var usersSince: Moment
    package var points: [SeriesResult.Point]
    package var topEvents: [Item]
    package var topScreens: [Item]

    package init(events: Int64, users: Int, usersSince: Moment, points: [SeriesResult.Point], topEvents: [Item], topScreens: [Item]) {
        (self.events, self.users, self.usersSince) = (events, users, usersSince)
        (self.points, self.topEvents, self.topScreens) = (points, topEvents, topScreens)
    }
}
