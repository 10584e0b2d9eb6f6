// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import Platform
import Synchronization

/// The facts about sessions in memory that every check of an ID token needs: which ended, and which refresh tokens were received.
///
/// An ended session is kept for as long as one of its ID tokens could be valid, so the daemon's own routes reject them at once.
package final class LiveSessions: Sendable {
    fileprivate struct State {
        var ended: [SessionID: Timestamp] = [:]
        /// The highest number of a refresh token whose ID token was used, by session: of this period and of the one before.
        var seen: [SessionID: UInt32] = [:]
        var seenBefore: [SessionID: UInt32] = [:]
        var period = Timestamp(milliseconds: 0)
    }

    /// ID tokens are valid for an hour, with a minute for clocks that differ.
    static let kept = Timestamp.Span.minutes(62)
    private static let mostSeen = 100_000

    private let state = Mutex(State())

    init(_ ended: [(id: SessionID, time: Timestamp)]) {
        state.withLock { state in for one in ended { state.ended[one.id] = one.time } }
    }

    /// Whether a session has not ended. Notes that the client has the refresh token that was issued with its ID token.
    package func isLive(_ id: SessionID, generation: UInt32, at now: Timestamp) -> Bool {
        state.withLock { state in
            guard state.ended[id] == nil else { return false }
            if let seen = state.seen[id], seen >= generation { return true }
            state.startPeriod(now, most: LiveSessions.mostSeen)
            state.seen[id] = generation
            return true
        }
    }

    /// The highest number of a refresh token that its client is known to have.
    func seen(_ id: SessionID) -> UInt32 {
        state.withLock { state in max(state.seen[id] ?? 0, state.seenBefore[id] ?? 0) }
    }

    func end(_ ids: [SessionID], at now: Timestamp) {
        state.withLock { state in for id in ids { state.ended[id] = now } }
    }

    /// Forgets sessions whose last ID token has expired.
    func forget(endedBefore time: Timestamp) {
        state.withLock { state in state.ended = state.ended.filter { $0.value >= time } }
    }
}

extension LiveSessions.State {
    /// Starts a new period after an hour, or when the old one is full.
    fileprivate mutating func startPeriod(_ now: Timestamp, most: Int) {
        guard seen.count >= most || now - period > AccountBounds.tokenLife else { return }
        (seenBefore, seen, period) = (seen, [:], now)
    }
}
