// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import Platform
import Synchronization

/// The facts about sessions in memory that every check of an ID token needs: which ended, and which refresh tokens were received.
///
/// An ended session is kept for as long as one of its ID tokens could be valid, so the daemon's own routes reject them at once.
package final class LiveSessions: Sendable {
    fileprivate struct State {
        var ended: [SessionID: SessionEnd] = [:]
        /// The highest number of a refresh token whose ID token was used, by session: of this period and of the one before.
        var seen: [SessionID: UInt32] = [:]
        var seenBefore: [SessionID: UInt32] = [:]
        var period = Timestamp(milliseconds: 0)
    }

    /// ID tokens are valid for an hour, with a minute for clocks that differ.
    static let kept = Timestamp.Span.minutes(62)
    private static let mostSeen = 100_000

    private let state = Mutex(State())
    private let hub: SessionHub

    init(_ ended: [(id: SessionID, end: SessionEnd)], _ hub: SessionHub) {
        self.hub = hub
        state.withLock { state in for one in ended { state.ended[one.id] = one.end } }
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

    /// Returns why a session ended; nil while it lives and once its last ID token has expired.
    package func end(of id: SessionID) -> AccountEvent.Kind? { state.withLock { $0.ended[id]?.why } }

    /// Ends sessions, and notifies their clients that are connected.
    func end(_ ids: [SessionID], at now: Timestamp, why: AccountEvent.Kind = .sessionEnded) {
        if ids.isEmpty { return }
        state.withLock { state in for id in ids { state.ended[id] = SessionEnd(time: now, why: why) } }
        hub.ended(ids)
    }

    /// Forgets sessions whose last ID token has expired.
    func forget(endedBefore time: Timestamp) {
        state.withLock { state in state.ended = state.ended.filter { $0.value.time >= time } }
    }
}

/// The end of a session.
struct SessionEnd: Sendable {
    var time: Timestamp
    var why: AccountEvent.Kind
}

extension LiveSessions.State {
    /// Starts a new period after an hour, or when the old one is full.
    fileprivate mutating func startPeriod(_ now: Timestamp, most: Int) {
        guard seen.count >= most || now - period > AccountBounds.tokenLife else { return }
        (seenBefore, seen, period) = (seen, [:], now)
    }
}
