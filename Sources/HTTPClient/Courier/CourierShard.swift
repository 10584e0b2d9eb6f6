// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import Synchronization

/// A thread of a courier and its inbox. The thread starts with the first request.
final class CourierShard: Sendable {
    private struct State {
        var thread: SystemThread?
        var isStopped = false
    }

    private let inbox: CourierInbox
    private let state = Mutex(State())
    private let makeThread: @Sendable () throws -> SystemThread

    init(_ rules: CourierRules, onResults: @escaping @Sendable ([CourierResult]) -> Void) {
        let inbox = CourierInbox(capacity: rules.options.waitingPerShard)
        self.inbox = inbox
        makeThread = {
            let loop = try CourierLoop(rules, inbox: inbox, onResults: onResults)
            // Only the thread retains the loop, so its end frees everything.
            return try SystemThread {
                CourierShard.blockBrokenPipes()
                // Deliveries have a lower priority than incoming requests; calls are a part of these.
                if rules.options.givesPrecedence { OwnProcess.givePrecedenceToOtherThreads() }
                loop.run()
            }
        }
    }

    /// Queues all requests or none; returns `false` if the inbox is full, after `stop`, or if the thread cannot be created.
    func send(_ requests: [CourierRequest]) -> Bool {
        let hasThread = state.withLock { state in
            if state.thread == nil, !state.isStopped { state.thread = try? makeThread() }
            return state.thread != nil
        }
        return hasThread && inbox.put(requests)
    }

    func cancel(_ id: Int64) {
        inbox.cancel(id)
    }

    /// Starts stopping.
    func close() {
        inbox.close()
    }

    /// Returns after the thread has ended.
    func stop() {
        inbox.close()
        let thread = state.withLock { state in
            state.isStopped = true
            return state.thread.take()
        }
        thread?.join()
    }

    /// Blocks SIGPIPE: libcurl 7.88 sends with MSG_NOSIGNAL, but its libraries do not, and with CURLOPT_NOSIGNAL it does not ignore the signal.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
