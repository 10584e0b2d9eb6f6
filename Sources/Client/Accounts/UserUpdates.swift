// SPDX-License-Identifier: Apache-2.0

/// Broadcasts the current user to `userStream()` streams.
final class UserUpdates: Sendable {
    private struct State {
        /// `nil` until the credentials could be read.
        var user: AccountUser??
        var listeners: [Int: AsyncStream<AccountUser?>.Continuation] = [:]
        var made = 0
        var isOver = false
        var onReaders: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    var hasReaders: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Sets the closure called when a stream opens or ends.
    func onReaders(_ change: @escaping @Sendable () -> Void) {
        state.withLock { $0.onReaders = change }
    }

    /// A stream of the current user and each change; a slow reader gets the newest only.
    func stream() -> AsyncStream<AccountUser?> {
        let (stream, continuation) = AsyncStream.makeStream(of: AccountUser?.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = state.withLock { state in
            if let user = state.user { continuation.yield(user) }
            guard !state.isOver else { return nil }
            state.made += 1
            state.listeners[state.made] = continuation
            return state.made
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.forget(number) }
        report()
        return stream
    }

    func send(_ user: AccountUser?) {
        state.withLock { state in
            guard state.user != .some(user) else { return }
            state.user = .some(user)
            for listener in state.listeners.values { listener.yield(user) }
        }
    }

    func end() {
        let listeners = state.withLock { state in
            state.isOver = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    private func forget(_ number: Int) {
        state.withLock { $0.listeners[number] = nil }
        report()
    }

    private func report() {
        state.withLock { $0.onReaders }?()
    }
}
