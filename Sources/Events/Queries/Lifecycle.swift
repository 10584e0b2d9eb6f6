// SPDX-License-Identifier: Apache-2.0

package import Platform

/// People of each bucket by what they did in the one before.
package struct LifecycleQuery: Sendable {
    package var range: QueryRange

    package static let fields: [QueryField] = [
        .from, .to, .tz, QueryField("interval", .choice(["day", "week", "month"]), default: "day", "How long a bucket is."),
    ]

    private enum Period: String, CaseIterable {
        case day, week, month
    }

    package init(_ parameters: QueryParameters) throws(Refusal) {
        let period = try parameters.choice("interval", default: Period.day)
        range = try QueryRange(parameters, interval: Interval(rawValue: period.rawValue) ?? .day)
        guard range.buckets.count <= 400 else {
            throw Refusal(
                .invalid, "The range holds more than 400 buckets.", hint: "Ask for a shorter range or a coarser interval.",
                fields: [.init("from", "too_long", "at most 400 buckets before to")])
        }
    }
}

package struct LifecycleAnswer: Codable, Sendable, Equatable {
    package struct Point: Codable, Sendable, Equatable {
        package var t: Moment
        /// There for the first time ever.
        package var new: Int
        /// There now and in the bucket before.
        package var returning: Int
        /// There now, not in the bucket before, but earlier.
        package var resurrecting: Int
        /// Not there now, but in the bucket before.
        package var dormant: Int

        package init(t: Moment, new: Int, returning: Int, resurrecting: Int, dormant: Int) {
            (self.t, self.new, self.returning, self.resurrecting, self.dormant) = (t, new, returning, resurrecting, dormant)
        }
    }

    package var points: [Point]

    package init(points: [Point]) {
        self.points = points
    }
}
