import CLinux
import Glibc
import Synchronization

/// A strict HTTP/1.1 server for a machine of its own or behind a proxy: event loops on threads, every wait and size bounded.
package final class HTTPServer: Sendable {
    /// Where it listens over TCP, at first if in several places; nil if nowhere.
    package let endpoint: HTTPServerConfiguration.Endpoint?
    package var port: UInt16 { endpoint?.port ?? 0 }
    /// Whether its sockets outlive it: who comes while it drains waits there for the next one.
    package let hasPassedSockets: Bool
    private let loops: [EventLoop]
    private let tasks: TaskQueue
    private let ledger: ConnectionLedger
    private let counters = Counters()
    private let hasRun = Atomic<Bool>(false)

    /// Binds its addresses; connections wait in the backlog until `run()`.
    package init(
        configuration: HTTPServerConfiguration, plan: @escaping @Sendable (HTTPRequestHead) -> HTTPPlan,
        problem: @escaping @Sendable (HTTPFault, HTTPRequestHead?) -> HTTPResponse
    ) throws(HTTPServerError) {
        var proxies: [AddressBlock] = []
        for text in configuration.trustedProxies {
            guard let block = AddressBlock(text) else { throw .invalidProxy(text) }
            proxies.append(block)
        }
        tasks = TaskQueue(capacity: configuration.caps.waitingTasks)
        ledger = ConnectionLedger(caps: configuration.caps, descriptors: configuration.caps.descriptors ?? descriptorLimit())
        let context = LoopContext(
            plan: plan, problem: problem, ledger: ledger, proxies: TrustedProxies(proxies), deadlines: DeadlineLimits(configuration.deadlines),
            caps: configuration.caps, tasks: tasks, counters: counters)
        let listeners = try HTTPServer.listeners(configuration)
        hasPassedSockets = !configuration.passedSockets.isEmpty
        endpoint = listeners.first?.first { $0.isTCP }?.endpoint
        var loops: [EventLoop] = []
        for own in listeners { loops.append(try EventLoop(context, listeners: own)) }
        self.loops = loops
    }

    /// The listeners of each loop; the socket file belongs to the first, a socket that was passed to us to all.
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
        if let path = configuration.unixSocket { perLoop[0].append(try Listener.unix(path, backlog: configuration.backlog)) }
        return perLoop
    }

    package var statistics: HTTPServerStatistics { counters.statistics(connections: ledger.connections) }

    /// Serves until it is drained. Cancelling the task ends it without grace.
    package func run() async throws(HTTPServerError) {
        precondition(!hasRun.exchange(true, ordering: .relaxed), "a server runs once")
        let turning = LoopsTurning(loops.count, tasks)
        for loop in loops {
            try startThread {
                loop.run()
                turning.oneEnded()
            }
        }
        await withTaskCancellationHandler {
            await tasks.run()
            await turning.ended()
        } onCancel: {
            drain(grace: .zero)
        }
    }

    /// Whether every loop has come round since this was last asked; it also asks them to, and wakes those that sleep.
    package func hasTurned() -> Bool {
        let turned = loops.map { $0.hasTurned.exchange(false, ordering: .relaxed) }
        for loop in loops { loop.mailbox.post(.turn) }
        return turned.allSatisfy(\.self)
    }

    /// Takes no more connections, lets what is in flight be answered for at most `grace`, then makes `run()` return.
    package func drain(grace: Duration) {
        let until = monotonicMilliseconds() + grace.milliseconds
        for loop in loops { loop.mailbox.post(.drain(until: until)) }
    }
}

/// Counts the loops that still turn; the last one ends the task queue.
private final class LoopsTurning: Sendable {
    private struct State {
        var left: Int
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>
    private let tasks: TaskQueue

    init(_ count: Int, _ tasks: TaskQueue) {
        state = Mutex(State(left: count))
        self.tasks = tasks
    }

    func oneEnded() {
        let (isLast, waiter) = state.withLock { state in
            state.left -= 1
            return (state.left == 0, state.left == 0 ? state.waiter : nil)
        }
        if isLast { tasks.end() }
        waiter?.resume()
    }

    /// Returns when no loop turns any more, cancelled or not: nothing may be torn down under a running thread.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.left > 0 { state.waiter = continuation }
                return state.left == 0
            }
            if isOver { continuation.resume() }
        }
    }
}

/// How many descriptors this process may have open.
private func descriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
}
