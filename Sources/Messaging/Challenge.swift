// SPDX-License-Identifier: Apache-2.0

package import Platform

/// An endpoint that has to confirm that it wants messages.
package struct Challenge: Sendable {
    package var registration: Int64
    package var origin: Int64
    package var url: String
    /// The number of the attempt, from 1.
    package var tries: Int

    package init(registration: Int64, origin: Int64, url: String, tries: Int) {
        self.registration = registration
        self.origin = origin
        self.url = url
        self.tries = tries
    }
}

/// The capacity of the `Challenger` for further challenges.
package struct ChallengeRequest: Sendable {
    /// The number of concurrent challenges per origin. It is low because the origin may belong to somebody who never agreed.
    package static let maxPerOrigin = 2

    package var limit: Int
    /// The open challenges by origin.
    package var open: [Int64: Int]
    /// The origin after which to continue, so that all take turns.
    package var after: Int64

    package init(limit: Int, open: [Int64: Int] = [:], after: Int64 = 0) {
        self.limit = limit
        self.open = open
        self.after = after
    }
}

/// The challenges to send now, and the time of the next ones; nil if none are known.
package struct ClaimedChallenges: Sendable {
    package var challenges: [Challenge] = []
    package var next: Timestamp?
    /// The last origin, after which to continue.
    package var through: Int64

    package init(through: Int64) {
        self.through = through
    }
}

package enum ChallengeResult: Sendable {
    case proven, wrong
    /// No request was sent, so this is not an attempt.
    case notAsked
}
