// SPDX-License-Identifier: Apache-2.0

package import Platform

/// An endpoint that has to prove that it wants messages.
package struct Challenge: Sendable {
    package var registration: Int64
    package var origin: Int64
    package var url: String
    /// 1 for the first.
    package var tries: Int

    package init(registration: Int64, origin: Int64, url: String, tries: Int) {
        self.registration = registration
        self.origin = origin
        self.url = url
        self.tries = tries
    }
}

/// What the one who asks endpoints has room for.
package struct ChallengeWishes: Sendable {
    /// So many of one origin are asked at once: it may be a stranger, who never wanted to hear of us.
    package static let mostOfOrigin = 2

    package var limit: Int
    /// How many are being asked, by origin.
    package var open: [Int64: Int]
    /// Those behind this origin come first, so that all get their turn.
    package var after: Int64

    package init(limit: Int, open: [Int64: Int] = [:], after: Int64 = 0) {
        self.limit = limit
        self.open = open
        self.after = after
    }
}

/// Who is to be asked now, and when there will be more but for those that wait for an answer; nil where nothing is known to come.
package struct TakenChallenges: Sendable {
    package var challenges: [Challenge] = []
    package var next: Timestamp?
    /// The origin to go on behind.
    package var through: Int64

    package init(through: Int64) {
        self.through = through
    }
}

package enum ChallengeAnswer: Sendable {
    case proven, wrong
    /// Nothing went out, which is no try.
    case notAsked
}
