// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
package import HTTPClient
package import JSON
package import Platform
import Synchronization

/// The workers of all functions: starts their instances, passes calls and runs to them, and ends them.
///
/// One thread, which starts with the first call, does everything but what a loop of clients can do by itself: it passes a call to an idle instance
/// and reads the answer. Calls and runs each have a courier of their own, and share the instances:
///
///     desk.courier { results in … }.send([request], shard: 0)   →   an idle or new instance   →   one result
///     desk.courier { results in … }.send(request, on: loop)     →   the same, without another thread if an instance is idle
package final class WorkerDesk: Sendable {
    private struct State {
        var thread: SystemThread?
        var isStopped = false
        var couriers = 0
    }

    private let inbox: WorkerInbox
    private let loop: WorkerLoop
    private let readers = Mutex<[ObjectIdentifier: WorkerReader]>([:])
    private let state = Mutex(State())
    private let clock: WallClock
    private let makeThread: @Sendable () throws -> SystemThread
    private let shared: WorkerFigures

    package init(_ surroundings: WorkerSurroundings, _ parser: JSONParser, _ metrics: Metrics) throws {
        let inbox = try WorkerInbox()
        let shared = WorkerFigures(metrics)
        let loop = WorkerLoop(surroundings, parser, inbox, shared)
        (self.inbox, self.loop, self.shared, clock) = (inbox, loop, shared, surroundings.clock)
        makeThread = {
            try SystemThread {
                WorkerDesk.blockBrokenPipes()
                loop.run()
            }
        }
    }

    deinit {
        stop()
    }

    /// The functions whose worker crashed again and again, until one of its calls succeeds.
    package var failing: [WorkerFunction] { shared.failing }

    /// Why instances have no control groups, or lack some limits; nil if they have, and before the first one.
    package var groupFailure: String? { shared.groupFailure }

    /// Returns a courier whose results go to a closure, on the thread of the workers or of a loop, where it must not wait.
    package func courier(onResults: @escaping @Sendable ([CourierResult]) -> Void) -> WorkerCourier {
        let number = state.withLock { state in
            state.couriers += 1
            return state.couriers
        }
        return WorkerCourier(desk: self, number: number, onResults: onResults)
    }

    fileprivate func send(_ requests: [CourierRequest], of courier: WorkerCourier) {
        pass(requests.compactMap { job($0, of: courier) })
    }

    /// Sends a request from a loop.
    fileprivate func send(_ request: CourierRequest, of courier: WorkerCourier, on handle: SocketLoopHandle) {
        handle.run { [self] loop in
            guard var job = job(request, of: courier) else { return }
            if courier.isStopped { return job.end(.cancelled) }
            if !reader(on: loop, handle).begin(job) { pass([job]) }
        }
    }

    private func job(_ request: CourierRequest, of courier: WorkerCourier) -> WorkerJob? {
        request.worker.map { WorkerJob(request, $0, courier: courier.number, clock: clock) { courier.onResults([$0]) } }
    }

    private func reader(on loop: any SocketLoop, _ handle: SocketLoopHandle) -> WorkerReader {
        readers.withLock { readers in
            let key = ObjectIdentifier(loop)
            if let reader = readers[key] { return reader }
            let reader = WorkerReader(loop, handle, self.loop)
            readers[key] = reader
            return reader
        }
    }

    /// Passes calls to the thread.
    private func pass(_ jobs: [WorkerJob]) {
        let isRunning = state.withLock { state in
            if state.thread == nil, !state.isStopped { state.thread = try? makeThread() }
            return state.thread != nil
        }
        // Without a thread the requests end as they would with the daemon.
        if !isRunning || !inbox.put(jobs) { for var job in jobs { job.end(.cancelled) } }
    }

    fileprivate func cancel(_ key: WorkerJob.Key) { inbox.cancel(key) }

    /// Cancels a request that was sent from a loop, after it has been sent.
    fileprivate func cancel(_ key: WorkerJob.Key, on handle: SocketLoopHandle) {
        handle.run { [inbox] _ in inbox.cancel(key) }
    }

    /// Kills all workers and cancels their calls; returns after the thread has ended.
    package func stop() {
        inbox.close()
        let thread = state.withLock { state in
            state.isStopped = true
            return state.thread.take()
        }
        thread?.join()
    }

    /// Cancels the calls of a courier; returns after the results of its runs. A loop may still give that of a call that has just ended.
    fileprivate func stop(_ courier: WorkerCourier) {
        guard state.withLock({ $0.thread != nil }) else { return }
        let done = DispatchSemaphore(value: 0)
        if inbox.cancelAll(of: courier.number, { done.signal() }) { done.wait() }
    }

    /// Blocks SIGPIPE: a worker that ended no longer reads its input.
    static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

/// The calls or the runs of workers.
package final class WorkerCourier: RequestCourier {
    fileprivate let number: Int
    fileprivate let onResults: @Sendable ([CourierResult]) -> Void
    private let desk: WorkerDesk
    private let hasStopped = Atomic(false)

    fileprivate init(desk: WorkerDesk, number: Int, onResults: @escaping @Sendable ([CourierResult]) -> Void) {
        (self.desk, self.number, self.onResults) = (desk, number, onResults)
    }

    fileprivate var isStopped: Bool { hasStopped.load(ordering: .relaxed) }

    package func send(_ requests: [CourierRequest], shard: Int) -> Bool {
        guard !isStopped else { return false }
        desk.send(requests, of: self)
        return true
    }

    /// Sends the request of a client on the loop of its connection. Returns `false` after `stop`.
    package func send(_ request: CourierRequest, on handle: SocketLoopHandle) -> Bool {
        guard !isStopped else { return false }
        desk.send(request, of: self, on: handle)
        return true
    }

    package func cancel(_ id: Int64, shard: Int) { desk.cancel(WorkerJob.Key(courier: number, request: id)) }

    /// Cancels a request that was sent on a loop.
    package func cancel(_ id: Int64, on handle: SocketLoopHandle) { desk.cancel(WorkerJob.Key(courier: number, request: id), on: handle) }

    package func stop() {
        hasStopped.store(true, ordering: .relaxed)
        desk.stop(self)
    }
}

/// The figures of the workers, which other threads read.
final class WorkerFigures: Sendable {
    private let failingFunctions = Mutex<[Int64: WorkerFunction]>([:])
    private let groups = Mutex<String?>(nil)
    let starts: Counter
    let instances: Gauge
    let strangers: Counter

    init(_ metrics: Metrics) {
        starts = metrics.counter("signalbox_function_worker_starts_total", "Starts of instances of workers.")
        instances = metrics.gauge("signalbox_function_workers", "Instances of workers.")
        strangers = metrics.counter(
            "signalbox_function_worker_strangers_total", "Connections to ports of workers by other processes, which were refused.")
    }

    var failing: [WorkerFunction] { failingFunctions.withLock { $0.values.sorted { $0.id < $1.id } } }

    var groupFailure: String? { groups.withLock { $0 } }
    func set(groupFailure reason: String) { groups.withLock { $0 = reason } }

    func set(_ function: WorkerFunction, isFailing: Bool) { failingFunctions.withLock { $0[function.id] = isFailing ? function : nil } }
    func forget(_ function: Int64) { failingFunctions.withLock { $0[function] = nil } }
}
