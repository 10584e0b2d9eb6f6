// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The rule for the reuse of refresh tokens.
///
///     the newest                          rotated
///     the one before, within a minute     repeated: the same answer again
///     the one before, later               recovered: its answer was lost and comes again; for two numbers a day, unless the newer token was seen in use
///     any older one                       reused: two parties hold tokens of the session, which ends
///     a newer one than stored             rotated: the database was restored from a backup
package struct RefreshState: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        case rotated, repeated, recovered, reused
    }

    private static let retry = Timestamp.Span.seconds(60)

    package private(set) var counter: UInt32
    package private(set) var refreshed: Timestamp
    package private(set) var lost: LostAnswers
    /// The highest number that the client is known to have. It is in memory only.
    private var seen: UInt32 = 0

    /// The state of a new session.
    package init(refreshed: Timestamp) {
        self.init(counter: 0, refreshed: refreshed, lost: LostAnswers(packed: 0))
    }

    package init(counter: UInt32, refreshed: Timestamp, lost: LostAnswers) {
        (self.counter, self.refreshed, self.lost) = (counter, refreshed, lost)
    }

    package mutating func saw(generation: UInt32) { seen = max(seen, generation) }

    /// Applies the use of a token. The state must be stored before the answer, which has the token of `counter`.
    package mutating func present(_ presented: UInt32, at now: Timestamp, rotates: Bool = true) -> Outcome {
        guard rotates else {
            refreshed = now
            return presented <= counter || presented == .max ? .rotated : advance(past: presented, at: now)
        }
        if presented >= counter { return advance(past: presented, at: now) }
        guard presented == counter - 1 else { return .reused }
        if now >= refreshed, now - refreshed <= RefreshState.retry { return .repeated }
        // The answer stays the same until it arrives: a client without a network may ask for it many times.
        guard seen < counter, lost.take(at: now) else { return .reused }
        return .recovered
    }

    private mutating func advance(past presented: UInt32, at now: Timestamp) -> Outcome {
        guard presented < .max else { return .reused }
        (counter, refreshed) = (presented + 1, now)
        lost.endOfNumber()
        return .rotated
    }
}

/// The refresh tokens of a day whose answers were lost, in one integer.
package struct LostAnswers: Sendable, Equatable {
    private static let mostPerDay: Int64 = 2

    /// The day times sixteen, plus eight if the newest token is among them, plus their number.
    package private(set) var packed: Int64

    package init(packed: Int64) {
        self.packed = packed
    }

    /// Counts the newest token, once. Returns false if there were too many on this day.
    mutating func take(at now: Timestamp) -> Bool {
        if packed & 8 != 0 { return true }
        let today = now.milliseconds.flooredQuotient(by: Day.milliseconds)
        let count = packed.flooredQuotient(by: 16) == today ? packed & 7 : 0
        guard count < LostAnswers.mostPerDay else { return false }
        packed = today * 16 + 8 + count + 1
        return true
    }

    /// A newer token was issued, which is counted by itself.
    mutating func endOfNumber() { packed &= ~8 }
}
