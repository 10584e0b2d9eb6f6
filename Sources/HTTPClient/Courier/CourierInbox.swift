// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A bounded queue of requests to a shard. It wakes a sleeping shard once, however many requests arrive.
final class CourierInbox: Sendable {
    private struct State {
        var requests: [CourierRequest] = []
        /// The requests to cancel, whether they have begun or not.
        var cancelled: Set<Int64> = []
        var isClosed = false
        /// The handle to wake while the shard sleeps or is about to.
        var sleeper: MultiHandle?
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds all requests or none.
    func put(_ requests: [CourierRequest]) -> Bool {
        let (fit, sleeper): (Bool, MultiHandle?) = state.withLock { state in
            guard !state.isClosed, state.requests.count + requests.count <= capacity else { return (false, nil) }
            state.requests += requests
            return (true, state.sleeper.take())
        }
        sleeper?.wake()
        return fit
    }

    func cancel(_ id: Int64) {
        let sleeper = state.withLock { state in
            state.cancelled.insert(id)
            return state.sleeper.take()
        }
        sleeper?.wake()
    }

    /// Removes the numbers of requests to cancel, and those of them that still wait here.
    func takeCancelled() -> (ids: Set<Int64>, waiting: [Int64]) {
        state.withLock { state in
            guard !state.cancelled.isEmpty else { return ([], []) }
            let ids = state.cancelled
            let waiting = state.requests.map(\.id).filter(ids.contains)
            if !waiting.isEmpty { state.requests.removeAll { ids.contains($0.id) } }
            state.cancelled = []
            return (ids, waiting)
        }
    }

    func close() {
        let sleeper = state.withLock { state in
            state.isClosed = true
            return state.sleeper.take()
        }
        sleeper?.wake()
    }

    /// Removes up to `capacity` of the oldest requests; `nil` once closed. If there are none, the next request wakes `sleeper`.
    func take(_ capacity: Int, sleeper: MultiHandle) -> [CourierRequest]? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let batch = Array(state.requests.prefix(capacity))
            state.requests.removeFirst(batch.count)
            state.sleeper = batch.isEmpty ? sleeper : nil
            return batch
        }
    }

    /// Removes the requests that will not be started.
    func leftOver() -> [CourierRequest] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// Marks the shard as awake; it checks the inbox by itself.
    func stayAwake() {
        state.withLock { $0.sleeper = nil }
    }
}
