// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A semaphore for tasks. Waiting tasks block no thread, and a task that holds a place may enter again.
package final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    @TaskLocal private static var isInside = false
    private let state: Mutex<State>

    package init(_ places: Int) {
        state = Mutex(State(free: places))
    }

    package func pass<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        if Turnstile.isInside { return try await body() }
        await enter()
        defer { leave() }
        return try await Turnstile.$isInside.withValue(true) { try await body() }
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
