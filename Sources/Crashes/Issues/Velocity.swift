// SPDX-License-Identifier: Apache-2.0

package import Platform

/// When an issue spreads so fast in a version that somebody must be told: it hits enough of the version's sessions and enough people within a short time.
package struct Velocity: Sendable, Equatable {
    package var window = Timestamp.Span.minutes(30)
    /// Of the sessions, in percent.
    package var percent = 1.0
    /// How many people it must hit.
    package var people = 25
    /// How many people must have used the version at all: a share of fewer says nothing.
    package var audience = 10

    package init() {}

    /// One issue in one version within the window.
    package struct Figures: Sendable {
        package var crashes: Int
        /// Distinct persons and sessions that it hit.
        package var people: Int
        package var sessionsHit: Int
        /// All of the version.
        package var sessions: Int
        package var audience: Int

        package init(crashes: Int, people: Int, sessionsHit: Int, sessions: Int, audience: Int) {
            self.crashes = crashes
            self.people = people
            self.sessionsHit = sessionsHit
            self.sessions = sessions
            self.audience = audience
        }

        /// How many percent of the sessions it hit. A session whose events have not come yet is known by its crash alone.
        package var percent: Double {
            let all = max(sessions, sessionsHit)
            return all == 0 ? 0 : 100 * Double(sessionsHit) / Double(all)
        }
    }

    package func isExceeded(by figures: Figures) -> Bool {
        figures.people >= people && figures.audience >= audience && figures.sessionsHit > 0 && figures.percent >= percent
    }
}
