// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
package import HTTPClient
package import JSON
package import Platform
import Synchronization

/// The workers of all functions: starts their instances, passes calls and runs to them, and ends them.
///
/// One thread does everything, with poll(2); it starts with the first call. Calls and runs each have a courier of their own, and share the
/// instances:
///
///     desk.courier { results in … }.send([request], shard: 0)   →   an idle or new instance   →   one result
package final class WorkerDesk: Sendable {
    private struct State {
        var thread: SystemThread?
        var isStopped = false
        var couriers = 0
    }

    private let inbox: WorkerInbox
    private let state = Mutex(State())
    private let clock: WallClock
    private let makeThread: @Sendable () throws -> SystemThread
    private let shared: WorkerFigures

    package init(_ surroundings: WorkerSurroundings, _ parser: JSONParser, _ metrics: Metrics) throws {
        let inbox = try WorkerInbox()
        let shared = WorkerFigures(metrics)
        (self.inbox, self.shared, clock) = (inbox, shared, surroundings.clock)
        makeThread = {
            try SystemThread {
                WorkerDesk.blockBrokenPipes()
                WorkerLoop(surroundings, parser, inbox, shared).run()
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

    /// Returns a courier whose results go to a closure, on the thread of the workers, where it must not wait.
    package func courier(onResults: @escaping @Sendable ([CourierResult]) -> Void) -> any RequestCourier {
        let number = state.withLock { state in
            state.couriers += 1
            return state.couriers
        }
        return WorkerCourier(desk: self, number: number, onResults: onResults)
    }

    fileprivate func send(_ requests: [CourierRequest], of courier: WorkerCourier) -> Bool {
        let isRunning = state.withLock { state in
            if state.thread == nil, !state.isStopped { state.thread = try? makeThread() }
            return state.thread != nil
        }
        let jobs = requests.compactMap { request in
            request.worker.map { WorkerJob(request, $0, courier: courier.number, clock: clock) { courier.onResults([$0]) } }
        }
        // Without a thread the requests end as they would with the daemon.
        if !isRunning || !inbox.put(jobs) { for var job in jobs { job.end(.cancelled) } }
        return true
    }

    fileprivate func cancel(_ key: WorkerJob.Key) { inbox.cancel(key) }

    /// Kills all workers and cancels their calls; returns after the thread has ended.
    package func stop() {
        inbox.close()
        let thread = state.withLock { state in
            state.isStopped = true
            return state.thread.take()
        }
        thread?.join()
    }

    /// Cancels the calls of a courier; returns after their results.
    fileprivate func stop(_ courier: WorkerCourier) {
        guard state.withLock({ $0.thread != nil }) else { return }
        let done = DispatchSemaphore(value: 0)
        if inbox.cancelAll(of: courier.number, { done.signal() }) { done.wait() }
    }

    /// Blocks SIGPIPE: a worker that ended no longer reads its input.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

/// The calls or the runs of workers.
private final class WorkerCourier: RequestCourier {
    let number: Int
    let onResults: @Sendable ([CourierResult]) -> Void
    private let desk: WorkerDesk
    private let isStopped = Atomic(false)

    init(desk: WorkerDesk, number: Int, onResults: @escaping @Sendable ([CourierResult]) -> Void) {
        (self.desk, self.number, self.onResults) = (desk, number, onResults)
    }

    func send(_ requests: [CourierRequest], shard: Int) -> Bool {
        !isStopped.load(ordering: .relaxed) && desk.send(requests, of: self)
    }

    func cancel(_ id: Int64, shard: Int) { desk.cancel(WorkerJob.Key(courier: number, request: id)) }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
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
