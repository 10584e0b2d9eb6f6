// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The threshold for a velocity alert: an issue must hit enough sessions and enough users of one version within a short time.
package struct Velocity: Sendable, Equatable {
    package var window = Timestamp.Span.minutes(30)
    /// The minimum percentage of sessions hit.
    package var percent = 1.0
    /// The minimum number of users hit.
    package var people = 25
    /// The minimum number of users of the version. With fewer users a percentage is meaningless.
    package var audience = 10

    package init() {}

    /// The figures of one issue in one version within the window.
    package struct Figures: Sendable {
        package var crashes: Int
        /// Distinct users hit by the issue; `sessionsHit` counts sessions alike.
        package var people: Int
        package var sessionsHit: Int
        /// All sessions of the version; `audience` counts its users.
        package var sessions: Int
        package var audience: Int

        package init(crashes: Int, people: Int, sessionsHit: Int, sessions: Int, audience: Int) {
            self.crashes = crashes
            self.people = people
            self.sessionsHit = sessionsHit
            self.sessions = sessions
            self.audience = audience
        }

        /// The percentage of sessions hit. A session whose events have not arrived yet is known by its crash alone.
        package var percent: Double {
            let all = max(sessions, sessionsHit)
            return all == 0 ? 0 : 100 * Double(sessionsHit) / Double(all)
        }
    }

    package func isExceeded(by figures: Figures) -> Bool {
        figures.people >= people && figures.audience >= audience && figures.sessionsHit > 0 && figures.percent >= percent
    }
}
