// SPDX-License-Identifier: Apache-2.0

import Listening
import Platform
import Synchronization

/// The reads that wait for a reader, in order. There is at most one for each target of a stream, so the limits of these bound the queue.
final class ListenReadQueue: Sendable {
    private struct State {
        var waiting: [(ListenRead, AppID)] = []
        var first = 0
        var readers: [CheckedContinuation<(ListenRead, AppID)?, Never>] = []
        var isOver = false

        mutating func advance() {
            first += 1
            if first > 64, first * 2 > waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
        }
    }

    private let state = Mutex(State())

    func add(_ read: ListenRead, _ app: AppID) {
        let reader = state.withLock { state -> CheckedContinuation<(ListenRead, AppID)?, Never>? in
            if let reader = state.readers.popLast() { return reader }
            if !state.isOver { state.waiting.append((read, app)) }
            return nil
        }
        reader?.resume(returning: (read, app))
    }

    /// Returns the next read; nil after `end`.
    func next() async -> (ListenRead, AppID)? {
        await withCheckedContinuation { continuation in
            let next: (ListenRead, AppID)?? = state.withLock { state in
                if state.isOver { return .some(nil) }
                if state.first < state.waiting.count {
                    defer { state.advance() }
                    return state.waiting[state.first]
                }
                state.readers.append(continuation)
                return nil
            }
            if let next { continuation.resume(returning: next) }
        }
    }

    func end() {
        let readers = state.withLock { state in
            state.isOver = true
            defer { (state.waiting, state.first, state.readers) = ([], 0, []) }
            return state.readers
        }
        for reader in readers { reader.resume(returning: nil) }
    }
}
