// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Requests on their way to a shard, at most so many, and the bell that wakes it: rung once however many come while it sleeps.
final class CourierInbox: Sendable {
    private struct State {
        var requests: [CourierRequest] = []
        var isClosed = false
        /// The shard sleeps on it, or is about to.
        var sleeper: MultiHandle?
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// All or none.
    func put(_ requests: [CourierRequest]) -> Bool {
        let (fit, sleeper): (Bool, MultiHandle?) = state.withLock { state in
            guard !state.isClosed, state.requests.count + requests.count <= capacity else { return (false, nil) }
            state.requests += requests
            return (true, state.sleeper.take())
        }
        sleeper?.wake()
        return fit
    }

    func close() {
        let sleeper = state.withLock { state in
            state.isClosed = true
            return state.sleeper.take()
        }
        sleeper?.wake()
    }

    /// The oldest requests, as many as there is room for; nil once closed. When there are none, the next to come wakes `sleeper`.
    func take(_ room: Int, sleeper: MultiHandle) -> [CourierRequest]? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let batch = Array(state.requests.prefix(room))
            state.requests.removeFirst(batch.count)
            state.sleeper = batch.isEmpty ? sleeper : nil
            return batch
        }
    }

    /// Those that will not be started any more.
    func leftOver() -> [CourierRequest] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// The shard is about to look by itself.
    func stayAwake() {
        state.withLock { $0.sleeper = nil }
    }
}
