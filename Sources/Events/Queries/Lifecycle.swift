// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Users of each bucket, classified by their activity in the bucket before.
package struct LifecycleQuery: Sendable {
    package var range: QueryRange

    package static let fields: [QueryField] = [
        .from, .to, .tz, QueryField("interval", .choice(["day", "week", "month"]), default: "day", "The length of a bucket."),
    ]

    package init(_ parameters: QueryParameters) throws(Refusal) {
        range = try QueryRange(periods: parameters)
    }
}

package struct LifecycleResult: Codable, Sendable, Equatable {
    package struct Point: Codable, Sendable, Equatable {
        package var t: Moment
        /// Active for the first time ever.
        package var new: Int
        /// Active now and in the previous bucket.
        package var returning: Int
        /// Active now and at some time before, but not in the previous bucket.
        package var resurrecting: Int
        /// Active in the previous bucket, but not now.
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
