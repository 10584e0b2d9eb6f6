// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// Streams that follow a log of a store, which are woken by commits of their app.
///
///     follow(shop)                  the first signal at once
///     a commit with lines of shop   wake([shop]): one signal, however many commits were made since the last
package final class LogFollowers: Sendable {
    private struct State {
        var followers: [Int: (app: AppID, waking: AsyncStream<Void>.Continuation)] = [:]
        var last = 0
        var isOver = false
    }

    /// The log's name in the refusal of a stream.
    private let log: StaticString
    private let maxStreams: Int
    private let state = Mutex(State())

    /// - Parameter maxStreams: The most streams that follow the log at a time.
    package init(of log: StaticString, maxStreams: Int) {
        (self.log, self.maxStreams) = (log, maxStreams)
    }

    /// Returns signals that an app may have new entries; the first comes at once. They end with the daemon.
    package func follow(_ app: AppID) throws(Refusal) -> LogFollower {
        let (wakeUps, waking) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        waking.yield()
        let id = state.withLock { state -> Int? in
            if state.isOver || state.followers.count >= maxStreams { return nil }
            state.last += 1
            state.followers[state.last] = (app, waking)
            return state.last
        }
        guard let id else {
            throw Refusal(.overloaded, "Too many streams follow \(log).", hint: "Close some, or read pages.", retryAfterSeconds: 10)
        }
        return LogFollower(wakeUps: wakeUps, waking: waking) { [weak self] in self?.state.withLock { $0.followers[id] = nil } }
    }

    package func wake(_ apps: Set<AppID>) {
        if apps.isEmpty { return }
        state.withLock { state in for follower in state.followers.values where apps.contains(follower.app) { follower.waking.yield() } }
    }

    package func end() {
        state.withLock { state in
            state.isOver = true
            for follower in state.followers.values { follower.waking.finish() }
        }
    }
}

/// One stream that follows a log. It is open until `close`.
package final class LogFollower: Sendable {
    package let wakeUps: AsyncStream<Void>
    private let waking: AsyncStream<Void>.Continuation
    private let leave: @Sendable () -> Void

    init(wakeUps: AsyncStream<Void>, waking: AsyncStream<Void>.Continuation, leave: @escaping @Sendable () -> Void) {
        (self.wakeUps, self.waking, self.leave) = (wakeUps, waking, leave)
    }

    package func close() {
        leave()
        waking.finish()
    }

    /// Signals `wakeUps` periodically until the task is cancelled, for heartbeats.
    package func beat(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil { waking.yield() }
    }
}
