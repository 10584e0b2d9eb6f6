// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform
import Synchronization

/// A strict HTTP/1.1 server with one event loop a thread. Every wait, queue and size is bounded.
package final class HTTPServer: Sendable {
    /// The first TCP address that the server listens on; `nil` without TCP.
    package let endpoint: HTTPServerConfiguration.Endpoint?
    package var port: UInt16 { endpoint?.port ?? 0 }
    /// The path of the proxy's socket file.
    package let proxySocket: String?
    /// Whether the listening sockets were passed by the parent: new connections then wait for the next process during a drain.
    package let hasPassedSockets: Bool
    private let loops: [EventLoop]
    private let transfers: TransferLoops
    private let tasks: TaskQueue
    private let scans: WorkPool
    private let decoders: WorkPool
    private let ledger: ConnectionLedger
    private let responses: ResponseMemory
    private let counters = Counters()
    private let hasRun = Atomic<Bool>(false)

    /// Binds the addresses. Connections wait in the backlog until `run()`.
    ///
    /// - Parameter memory: The request memory, if the caller charges other work to it too.
    package init(
        configuration: HTTPServerConfiguration, memory: RequestMemory? = nil, plan: @escaping @Sendable (HTTPRequestHead) -> HTTPPlan,
        problem: @escaping @Sendable (HTTPRequestError, HTTPRequestHead?) -> HTTPResponse
    ) throws(HTTPServerError) {
        let proxies = configuration.trustedProxies.compactMap { AddressBlock($0.description) }
        precondition(proxies.count == configuration.trustedProxies.count, "every address range is written as an address block")
        let memory = memory ?? RequestMemory(configuration.caps)
        tasks = TaskQueue(capacity: configuration.caps.waitingTasks)
        ledger = ConnectionLedger(caps: configuration.caps, descriptors: configuration.caps.descriptors ?? descriptorLimit())
        scans = WorkPool(scanning: configuration.caps)
        decoders = WorkPool(decoding: configuration.caps)
        transfers = TransferLoops(configuration)
        responses = ResponseMemory(configuration)
        let context = LoopContext(
            plan: plan, problem: problem, ledger: ledger, proxies: TrustedProxies(proxies), deadlines: DeadlineLimits(configuration.deadlines),
            caps: configuration.caps, tasks: tasks, scans: scans, decoders: decoders, memory: memory, responses: responses, counters: counters,
            transfers: transfers, othersTakeOver: !configuration.passedSockets.isEmpty)
        let listeners = try HTTPServer.listeners(configuration)
        hasPassedSockets = !configuration.passedSockets.isEmpty
        endpoint = listeners.first?.first { $0.role == .tcp }?.endpoint
        proxySocket = listeners.first?.first { $0.role == .proxy }?.socketPath
        var loops: [EventLoop] = []
        for own in listeners { loops.append(try EventLoop(context, listeners: own)) }
        self.loops = loops
    }

    /// Returns the listeners of each loop. The first loop has the control socket; all loops share socket files and passed sockets.
    private static func listeners(_ configuration: HTTPServerConfiguration) throws(HTTPServerError) -> [[Listener]] {
        var perLoop = [[Listener]](repeating: [], count: max(1, configuration.loops))
        for descriptor in configuration.passedSockets {
            let shared = try Listener.passed(descriptor)
            for index in perLoop.indices { perLoop[index].append(shared) }
        }
        for endpoint in configuration.listen where configuration.passedSockets.isEmpty {
            let shared = try Listener.tcp(endpoint, count: perLoop.count, backlog: configuration.backlog)
            for index in perLoop.indices { perLoop[index].append(shared[index]) }
        }
        if let path = configuration.proxySocket, configuration.passedSockets.isEmpty {
            let shared = try Listener.unix(path, .proxy, backlog: configuration.backlog)
            for index in perLoop.indices { perLoop[index].append(shared) }
        }
        if let path = configuration.controlSocket { perLoop[0].append(try Listener.unix(path, .control, backlog: configuration.backlog)) }
        return perLoop
    }

    package var statistics: HTTPServerStatistics {
        var statistics = counters.statistics(connections: ledger.connections)
        (statistics.waitingScans, statistics.waitingDecodes) = (scans.waiting, decoders.waiting)
        (statistics.unsentResponseBytes, statistics.waitingResponses) = (responses.bytes, responses.waiting)
        statistics.transfers = transfers.count
        return statistics
    }

    /// Serves until drained. Cancelling the task stops it without a grace period.
    package func run() async throws(HTTPServerError) {
        precondition(!hasRun.exchange(true, ordering: .relaxed), "a server runs once")
        let turning = RunningThreads(loops.count)
        for loop in loops {
            try startThread {
                loop.run()
                turning.oneEnded()
            }
        }
        let pools = [scans, decoders]
        let working = RunningThreads(pools.map(\.threads).reduce(0, +))
        for pool in pools { try pool.start { working.oneEnded() } }
        await withTaskCancellationHandler {
            async let end: Void = endTasks(after: turning)
            await tasks.run()
            await end
        } onCancel: {
            drain(grace: .zero)
        }
        for pool in pools { pool.end() }
        await working.ended()
    }

    /// Ends the queue of tasks when no loop starts any more: the loops end first, then the transfer loops that they feed. Nobody gives room to tasks
    /// that wait for it then.
    private func endTasks(after turning: RunningThreads) async {
        await turning.ended()
        await transfers.end()
        responses.end()
        tasks.end()
    }

    /// Returns whether every loop has made a turn since the last call, and requests another turn. It detects a stuck loop. Transfer
    /// loops do not count, because a slow disk may block them.
    package func hasIterated() -> Bool {
        let turned = loops.map { $0.hasIterated.exchange(false, ordering: .relaxed) }
        for loop in loops { loop.mailbox.post(.turn) }
        return turned.allSatisfy(\.self)
    }

    /// Stops accepting, waits up to `grace` for requests in flight, then makes `run()` return.
    package func drain(grace: Duration) {
        let until = monotonicMilliseconds() + grace.milliseconds
        for loop in loops { loop.mailbox.post(.drain(until: until)) }
        transfers.drain(until: until)
    }
}

extension WorkPool {
    /// At most two threads scan for keys.
    fileprivate convenience init(scanning caps: HTTPServerConfiguration.Caps) {
        self.init(Limits(threads: 2, niceness: 5, waiting: caps.waitingScans, waitingPerShare: caps.waitingScansPerClient))
    }

    fileprivate convenience init(decoding caps: HTTPServerConfiguration.Caps) {
        self.init(
            Limits(threads: caps.decodeThreads, niceness: 5, waiting: caps.waitingDecodes, waitingPerShare: caps.waitingDecodesPerShare))
    }
}

extension RequestMemory {
    package convenience init(_ caps: HTTPServerConfiguration.Caps) {
        self.init(limit: caps.requestMemory)
    }
}

/// Returns the process's limit of file descriptors.
private func descriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
}
