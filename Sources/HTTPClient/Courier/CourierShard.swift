// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// One thread of a courier, and the way to it; who never sends has none.
final class CourierShard: Sendable {
    private struct State {
        var thread: ShardThread?
        var isStopped = false
    }

    private let inbox: CourierInbox
    private let state = Mutex(State())
    private let makeThread: @Sendable () throws -> ShardThread

    init(_ rules: CourierRules, onResults: @escaping @Sendable ([CourierResult]) -> Void) {
        let inbox = CourierInbox(capacity: rules.options.waitingPerShard)
        self.inbox = inbox
        makeThread = {
            let loop = try CourierLoop(rules, inbox: inbox, onResults: onResults)
            // The thread alone keeps the loop, so when it ends all is freed.
            return try ShardThread { loop.run() }
        }
    }

    /// False when there is no room for all, after `stop`, or where the system has no thread to give: then none was taken.
    func send(_ requests: [CourierRequest]) -> Bool {
        let hasThread = state.withLock { state in
            if state.thread == nil, !state.isStopped { state.thread = try? makeThread() }
            return state.thread != nil
        }
        return hasThread && inbox.put(requests)
    }

    /// Begins to stop.
    func close() {
        inbox.close()
    }

    /// Returns once the thread is gone.
    func stop() {
        inbox.close()
        let thread = state.withLock { state in
            state.isStopped = true
            return state.thread.take()
        }
        thread?.join()
    }
}
