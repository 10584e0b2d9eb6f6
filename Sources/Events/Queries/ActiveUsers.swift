// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Active users per day, week and month, and the stickiness.
package struct ActiveUsersQuery: Sendable {
    package var range: QueryRange

    package static let fields: [QueryField] = [.from, .to, .tz]
    package static let daysLimit = 400

    package init(range: QueryRange) {
        self.range = range
    }

    package init(_ parameters: QueryParameters) throws(Refusal) {
        range = try QueryRange(parameters, interval: .day)
        guard range.buckets.count <= ActiveUsersQuery.daysLimit else {
            throw Refusal(
                .invalid, "The range has more than \(ActiveUsersQuery.daysLimit) days.", hint: "Use a shorter range.",
                fields: [.init("from", "too_long", "at most \(ActiveUsersQuery.daysLimit) days before to")])
        }
    }
}

package struct ActiveUsersResult: Codable, Sendable, Equatable {
    package struct Point: Codable, Sendable, Equatable {
        package var t: Moment
        /// Distinct users of the day; `wau` and `mau` count the 7 and 30 days that end with it.
        package var dau: Int
        package var wau: Int
        package var mau: Int

        package init(t: Moment, dau: Int, wau: Int, mau: Int) {
            (self.t, self.dau, self.wau, self.mau) = (t, dau, wau, mau)
        }

        /// Daily users divided by monthly users.
        package var stickiness: Double { mau == 0 ? 0 : rounded(Double(dau) / Double(mau)) }

        private enum CodingKeys: String, CodingKey { case t, dau, wau, mau, stickiness }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            t = try container.decode(Moment.self, forKey: .t)
            dau = try container.decode(Int.self, forKey: .dau)
            wau = try container.decode(Int.self, forKey: .wau)
            mau = try container.decode(Int.self, forKey: .mau)
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(t, forKey: .t)
            try container.encode(dau, forKey: .dau)
            try container.encode(wau, forKey: .wau)
            try container.encode(mau, forKey: .mau)
            try container.encode(stickiness, forKey: .stickiness)
        }
    }

    package var points: [Point]
    /// Distinct users of the whole range.
    package var total: Int

    package init(points: [Point], total: Int) {
        (self.points, self.total) = (points, total)
    }
}

/// Returns a ratio rounded to four decimals.
package func rounded(_ share: Double) -> Double {
    (share * 10_000).rounded() / 10_000
}
