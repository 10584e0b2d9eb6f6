// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Delivers messages to the app's streams over one shared connection, which is open while at least one stream is.
final class MessageReceiver: Sendable {
    struct State {
        var buffer = MessageBuffer()
        var waiters: [Int: CheckedContinuation<RemoteMessage?, Never>] = [:]
        var made = 0
        /// The connection task and its number. Events of an earlier connection are ignored.
        var reading: Task<Void, Never>?
        var number = 0
        /// The token that the buffered cursors belong to.
        var token: String?
    }

    /// Idle timeout in seconds, more than twice the daemon's keep-alive interval.
    static let silence: TimeInterval = 100

    let options: SignalboxOptions
    let client: APIClient
    let registrar: Registrar
    let state = Locked(State())
    let loop: ReconnectingLoop

    init(options: SignalboxOptions, client: APIClient, registrar: Registrar) {
        self.options = options
        self.client = client
        self.registrar = registrar
        loop = ReconnectingLoop(options.backoff, now: options.now)
    }

    func stream() -> AsyncStream<RemoteMessage> {
        let reader = StreamReader(self, join())
        return AsyncStream(unfolding: { await reader.next() }, onCancel: { reader.leave() })
    }

    /// Ends all streams.
    func end() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.buffer = MessageBuffer()
            stop(&state)
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }

    /// Ends the current pause between attempts.
    func retryNow() {
        loop.retryNow()
    }

    // MARK: Readers

    private func join() -> Int {
        state.withLock { state in
            state.made += 1
            state.buffer.join(state.made)
            if state.reading == nil { start(&state) }
            return state.made
        }
    }

    func leave(_ reader: Int) {
        let (waiter, taken) = state.withLock { state in
            let cursor = state.buffer.leave(reader)
            if state.buffer.hasNoReaders { stop(&state) }
            return (state.waiters.removeValue(forKey: reader), MessageReceiver.taken(cursor, state))
        }
        waiter?.resume(returning: nil)
        if let taken { Task { [registrar] in await registrar.consumed(cursor: taken.cursor, of: taken.token) } }
    }

    func next(_ reader: Int) async -> RemoteMessage? {
        let taken = state.withLock { state in
            let wasFull = !state.buffer.hasCapacity
            let cursor = state.buffer.take(by: reader)
            if wasFull, state.buffer.hasCapacity { loop.retryNow() }
            return MessageReceiver.taken(cursor, state)
        }
        // The cursor is on disk before the next message is returned.
        if let taken { await registrar.consumed(cursor: taken.cursor, of: taken.token) }
        return await withCheckedContinuation { continuation in
            let step = state.withLock { state in
                let step = state.buffer.next(for: reader)
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
