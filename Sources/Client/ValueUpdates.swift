// SPDX-License-Identifier: Apache-2.0

/// Broadcasts a value and its changes to streams.
final class ValueUpdates<Value: Equatable & Sendable>: Sendable {
    private struct Listener {
        let continuation: AsyncStream<Value>.Continuation
        let isPassive: Bool
    }

    private struct State {
        /// `nil` until there is a value.
        var value: Value?
        var listeners: [Int: Listener] = [:]
        var made = 0
        var isOver = false
        var onReaders: (@Sendable () -> Void)?
    }

    private let state: Locked<State>

    init(_ value: Value? = nil) {
        state = Locked(State(value: value))
    }

    /// Whether there are streams that are not passive.
    var hasReaders: Bool { state.withLock { $0.listeners.values.contains { !$0.isPassive } } }

    /// Sets the closure called when a stream opens or ends.
    func onReaders(_ change: @escaping @Sendable () -> Void) {
        state.withLock { $0.onReaders = change }
    }

    /// A stream of the current value and each change; a slow reader gets the newest only.
    ///
    /// - Parameter isPassive: Whether the stream does not count as a reader, for whom values are fetched.
    func stream(isPassive: Bool = false) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = state.withLock { state in
            if let value = state.value { continuation.yield(value) }
            guard !state.isOver else { return nil }
            state.made += 1
            state.listeners[state.made] = Listener(continuation: continuation, isPassive: isPassive)
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

    /// Sets the value. Streams get it if it is another one; they get nothing when it is removed.
    func send(_ value: Value?) {
        state.withLock { state in
            guard state.value != value else { return }
            state.value = value
            if let value { for listener in state.listeners.values { listener.continuation.yield(value) } }
        }
    }

    func end() {
        let listeners = state.withLock { state in
            state.isOver = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.continuation.finish() }
    }

    private func forget(_ number: Int) {
        state.withLock { $0.listeners[number] = nil }
        report()
    }

    private func report() {
        state.withLock { $0.onReaders }?()
    }
}
