// SPDX-License-Identifier: Apache-2.0

/// Broadcasts token changes to `tokenUpdates()` streams.
final class TokenUpdates: Sendable {
    private struct State {
        var token: String?
        var listeners: [Int: AsyncStream<String>.Continuation] = [:]
        var made = 0
        var isOver = false
    }

    private let state: Locked<State>

    init(token: String?) {
        state = Locked(State(token: token))
    }

    /// A stream of the current token and each replacement; a slow reader gets the newest only.
    func stream() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = state.withLock { state in
            if let token = state.token { continuation.yield(token) }
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
        return stream
    }

    func send(_ token: String?) {
        let listeners = state.withLock { state in
            guard state.token != token else { return [AsyncStream<String>.Continuation]() }
            state.token = token
            return Array(state.listeners.values)
        }
        if let token { for listener in listeners { listener.yield(token) } }
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
    }
}
