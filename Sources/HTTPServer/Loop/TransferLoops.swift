// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization

/// The loops that receive uploads and send files, where a slow disk may block a thread. Each starts when those before it are busy, and other
/// threads go before it.
///
/// Transfers are limited in total and by client, from the request's head to the end of its response.
final class TransferLoops: Sendable {
    private struct State {
        var loops: [EventLoop] = []
        /// The number of transfers of each loop.
        var loads: [Int] = []
        var total = 0
        var byClient = AddressCounts()
        var drainsUntil: Int64?
    }

    private let most: Int
    private let limit: Int
    private let clientLimit: Int
    private let threads = RunningThreads(0)
    private let state = Mutex(State())

    init(_ configuration: HTTPServerConfiguration) {
        most = max(1, configuration.transferLoops)
        (limit, clientLimit) = (configuration.caps.transfers, configuration.caps.transfersPerClient)
    }

    var count: Int { state.withLock(\.total) }

    /// Takes a place for a transfer; throws if there is none, in total or for the client, or if no loop can be started.
    func enter(_ client: ClientAddress?, in context: LoopContext) throws(HTTPRequestError) -> TransferHold {
        try state.withLock { state throws(HTTPRequestError) in
            guard state.total < limit else { throw .overloaded }
            guard let index = nextLoop(&state, context) else { throw .overloaded }
            if let client { guard state.byClient.enter(client, limit: clientLimit) else { throw .tooManyRequests } }
            state.total += 1
            state.loads[index] += 1
            return TransferHold(self, state.loops[index], index, client)
        }
    }

    fileprivate func leave(_ index: Int, _ client: ClientAddress?) {
        state.withLock { state in
            state.total -= 1
            state.loads[index] -= 1
            if let client { state.byClient.leave(client) }
        }
    }

    /// Returns the loop with the fewest transfers, or a new one if all have some.
    private func nextLoop(_ state: inout State, _ context: LoopContext) -> Int? {
        let least = state.loads.indices.min { state.loads[$0] < state.loads[$1] }
        if let least, state.loads[least] == 0 || state.loops.count == most { return least }
        guard let loop = start(context) else { return least }
        if let until = state.drainsUntil { loop.mailbox.post(.drain(until: until)) }
        state.loops.append(loop)
        state.loads.append(0)
        return state.loops.count - 1
    }

    private func start(_ context: LoopContext) -> EventLoop? {
        threads.oneStarts()
        do throws(HTTPServerError) {
            let loop = try EventLoop(transfersIn: context)
            try startThread { [threads] in
                OwnProcess.givePrecedenceToOtherThreads()
                OwnProcess.runInLongSlices()
                loop.run()
                threads.oneEnded()
            }
            return loop
        } catch {
            threads.oneEnded()
            return nil
        }
    }

    func drain(until: Int64) {
        state.withLock { state in
            state.drainsUntil = min(until, state.drainsUntil ?? .max)
            for loop in state.loops { loop.mailbox.post(.drain(until: until)) }
        }
    }

    /// Returns when all loops have ended. No loop may lend connections any more.
    func end() async {
        state.withLock { for loop in $0.loops { loop.mailbox.post(.feedersEnded) } }
        await threads.ended()
        // The loops refer to this object. They are released without the lock, which the places of their requests need.
        let ended = state.withLock { state in
            defer { state.loops = [] }
            return state.loops
        }
        withExtendedLifetime(ended) {}
    }
}

/// A place among the transfers, given back with the last reference.
final class TransferHold: Sendable {
    let loop: EventLoop
    private let transfers: TransferLoops
    private let index: Int
    private let client: ClientAddress?

    fileprivate init(_ transfers: TransferLoops, _ loop: EventLoop, _ index: Int, _ client: ClientAddress?) {
        (self.transfers, self.loop, self.index, self.client) = (transfers, loop, index, client)
    }

    deinit {
        transfers.leave(index, client)
    }
}
