// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Labels that summarize an issue's figures.
package enum Signals {
    static let freshFor = Timestamp.Span.days(7)
    /// The time after a session's start within which a crash counts as early.
    package static let earlyWithin = Timestamp.Span.seconds(5)
    private static let earlyLeast = 5
    private static let repetitiveLeast = 10
    private static let repetitivePerPerson = 3

    package struct Figures: Sendable {
        package var firstSeen: Timestamp
        /// Crashes of the users counted in `people`.
        package var crashes: Int
        /// Distinct users.
        package var people: Int
        /// Crashes whose session start is known; `early` is how many of them were early.
        package var inKnownSession: Int
        package var early: Int
        package var regressed: Bool

        package init(firstSeen: Timestamp, crashes: Int, people: Int, inKnownSession: Int = 0, early: Int = 0, regressed: Bool = false) {
            self.firstSeen = firstSeen
            self.crashes = crashes
            self.people = people
            self.inKnownSession = inKnownSession
            self.early = early
            self.regressed = regressed
        }
    }

    package static func of(_ figures: Figures, at now: Timestamp) -> [IssueSignal] {
        IssueSignal.allCases.filter { applies($0, figures, now) }
    }

    private static func applies(_ signal: IssueSignal, _ figures: Figures, _ now: Timestamp) -> Bool {
        switch signal {
        case .fresh: now - figures.firstSeen < freshFor
        case .early: figures.inKnownSession >= earlyLeast && figures.early * 2 > figures.inKnownSession
        case .repetitive:
            figures.people > 0 && figures.crashes >= repetitiveLeast && figures.crashes / repetitivePerPerson >= figures.people
        case .regressed: figures.regressed
        }
    }
}
