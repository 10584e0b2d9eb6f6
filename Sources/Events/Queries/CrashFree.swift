// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Crash-free sessions and users, in total and by release.
package struct CrashFreeQuery: Sendable {
    package var range: QueryRange
    package var filters: [Filter]
    /// The number of releases listed individually.
    package var limit: Int
    package var timeout: Timestamp.Span

    package static let fields: [QueryField] = [
        .from, .to, .tz, .interval, QueryField("filter", .filters, "Only sessions with an event that matches this condition."),
        QueryField("limit", .number(1...100), default: "10", "The number of releases, those with the most sessions first."),
    ]

    package init(_ parameters: QueryParameters) throws(Refusal) {
        range = try QueryRange(parameters, interval: try parameters.choice("interval", default: .day))
        filters = try parameters.filters()
        limit = try parameters.number("limit", 1...100, default: 10)
        timeout = .seconds(Int64(parameters.settings.sessionTimeoutSeconds))
        try SeriesQuery.hold(points: range.buckets.count * (limit + 1))
    }

    /// Creates a query over an exact range of time as one bucket.
    package init(exactly stretch: Range<Timestamp>, limit: Int, settings: AppSettings, now: Timestamp) {
        range = QueryRange(exactly: stretch, now: now)
        filters = []
        self.limit = limit
        timeout = .seconds(Int64(settings.sessionTimeoutSeconds))
    }
}

package struct CrashFreeResult: Codable, Sendable, Equatable {
    package struct Figures: Codable, Sendable, Equatable {
        package var sessions: Int
        package var crashedSessions: Int
        /// The ratio of sessions without a crash; nil if there were no sessions.
        package var crashFreeSessions: Double?
        /// Distinct users with sessions.
        package var users: Int
        package var crashedUsers: Int
        package var crashFreeUsers: Double?
        /// The sessions among them that servers reported as counts, so that their users are unknown; nil if there are none.
        package var countedSessions: Int?

        package init(sessions: Int, crashedSessions: Int, users: Int, crashedUsers: Int, countedSessions: Int = 0) {
            self.countedSessions = countedSessions == 0 ? nil : countedSessions
            (self.sessions, self.crashedSessions, self.users, self.crashedUsers) = (sessions, crashedSessions, users, crashedUsers)
            crashFreeSessions = Figures.share(without: crashedSessions, of: sessions)
            crashFreeUsers = Figures.share(without: crashedUsers, of: users)
        }

        /// Whether sessions have users. Those that servers count have none.
        package var knowsUsers: Bool { users > 0 || countedSessions == nil }

        /// Returns the ratio, which is never rounded up to 1 if there was a crash.
        private static func share(without crashed: Int, of all: Int) -> Double? {
            guard all > 0 else { return nil }
            let share = (Double(all - crashed) / Double(all) * 1_000_000).rounded(.down) / 1_000_000
            return crashed == 0 ? 1 : share
        }
    }

    package typealias Point = DatedFigures<Figures>

    package struct Release: Codable, Sendable, Equatable {
        /// The release; nil for sessions without one.
        package var release: String?
        /// The release's share of all sessions; `userAdoption` is its share of all users.
        package var adoption: Double
        package var userAdoption: Double
        package var total: Figures
        package var points: [Point]
        /// The number of issues that first appeared within the range, in this release; nil for a query with filters.
        package var newIssues: Int?

        package init(release: String?, total: Figures, points: [Point], of all: Figures) {
            (self.release, self.total, self.points) = (release, total, points)
            adoption = all.sessions == 0 ? 0 : rounded(Double(total.sessions) / Double(all.sessions))
            userAdoption = all.users == 0 ? 0 : rounded(Double(total.users) / Double(all.users))
        }
    }

    package var points: [Point]
    package var total: Figures
    package var releases: [Release]

    package init(points: [Point], total: Figures, releases: [Release]) {
        (self.points, self.total, self.releases) = (points, total, releases)
    }
}
