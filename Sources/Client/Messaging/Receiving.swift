// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Delivers messages to the app's streams over one shared connection, which is open while at least one stream is.
final class Receiving: Sendable {
    struct State {
        var feed = Feed()
        var waiters: [Int: CheckedContinuation<RemoteMessage?, Never>] = [:]
        var made = 0
        /// The connection task and its number. Events of an earlier connection are ignored.
        var reading: Task<Void, Never>?
        var number = 0
        /// The token that the buffered cursors belong to.
        var token: String?
        var nap: Task<Void, Never>?
    }

    /// Idle timeout in seconds, more than twice the daemon's keep-alive interval.
    static let silence: TimeInterval = 100
    /// The connection time in seconds after which backoff is reset.
    static let holdsFor: TimeInterval = 10

    let options: SignalboxOptions
    let exchange: Exchange
    let registrar: Registrar
    let state = Locked(State())

    init(options: SignalboxOptions, exchange: Exchange, registrar: Registrar) {
        self.options = options
        self.exchange = exchange
        self.registrar = registrar
    }

    func stream() -> AsyncStream<RemoteMessage> {
        let reader = StreamReader(self, join())
        return AsyncStream(unfolding: { await reader.next() }, onCancel: { reader.leave() })
    }

    /// Ends all streams.
    func end() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.feed = Feed()
            stop(&state)
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }

    /// Ends the current pause between attempts.
    func retryNow() {
        state.withLock { $0.nap?.cancel() }
    }

    // MARK: Readers

    private func join() -> Int {
        state.withLock { state in
            state.made += 1
            state.feed.join(state.made)
            if state.reading == nil { start(&state) }
            return state.made
        }
    }

    func leave(_ reader: Int) {
        let (waiter, taken) = state.withLock { state in
            let cursor = state.feed.leave(reader)
            if state.feed.isUnread { stop(&state) }
            return (state.waiters.removeValue(forKey: reader), Receiving.taken(cursor, state))
        }
        waiter?.resume(returning: nil)
        if let taken { Task { [registrar] in await registrar.took(cursor: taken.cursor, of: taken.token) } }
    }

    func next(_ reader: Int) async -> RemoteMessage? {
        let taken = state.withLock { state in
            let wasFull = !state.feed.hasRoom
            let cursor = state.feed.take(by: reader)
            if wasFull, state.feed.hasRoom { state.nap?.cancel() }
            return Receiving.taken(cursor, state)
        }
        // The cursor is on disk before the next message is returned.
        if let taken { await registrar.took(cursor: taken.cursor, of: taken.token) }
        return await withCheckedContinuation { continuation in
            let step = state.withLock { state in
                let step = state.feed.next(for: reader)
                if step == .wait { state.waiters.updateValue(continuation, forKey: reader)?.resume(returning: nil) }
                return step
            }
            switch step {
            case .message(let message): continuation.resume(returning: message)
            case .end: continuation.resume(returning: nil)
            case .wait: break
            }
        }
    }

    private static func taken(_ cursor: String?, _ state: State) -> (cursor: String, token: String)? {
        guard let cursor, let token = state.token else { return nil }
        return (cursor, token)
    }
}
