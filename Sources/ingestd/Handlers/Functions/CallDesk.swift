// SPDX-License-Identifier: Apache-2.0

import Delivery
import FunctionStore
import Functions
import HTTPClient
import Platform
import Synchronization
import Workers

/// The calls that wait or are under way, and the courier that carries them to HTTP addresses and workers.
final class CallDesk: Sendable {
    fileprivate struct State: Sendable {
        /// By the number of the function.
        var gates: [Int64: CallGate] = [:]
        var last: Int64 = 0
    }

    /// The exchanges that the courier and gates know by number.
    private final class Exchanges: Sendable {
        private let byNumber = Mutex<[Int64: CallExchange]>([:])

        subscript(number: Int64) -> CallExchange? { byNumber.withLock { $0[number] } }

        func add(_ exchange: CallExchange) { byNumber.withLock { $0[exchange.number] = exchange } }
        func remove(_ number: Int64) { byNumber.withLock { $0[number] = nil } }
    }

    /// Beyond this number of functions that were called, idle ones are forgotten.
    fileprivate static let maximumGates = 10_000

    let tokens: RunTokens
    private let metrics: CallMetrics
    private let activity: FunctionActivity
    let failures = CallFailures()
    private let clock: WallClock
    private let exchanges: Exchanges
    private let courier: any RequestCourier
    private let workers: WorkerCourier
    /// For addresses that need no name lookup and no TLS.
    private let direct: DirectCourier
    private let state = Mutex(State())

    init(_ configuration: LiveConfiguration, _ functions: FunctionStore, _ metrics: CallMetrics, _ workers: WorkerDesk, clock: WallClock) {
        (tokens, activity, self.metrics, self.clock) = (functions.tokens, functions.activity, metrics, clock)
        let exchanges = Exchanges()
        self.exchanges = exchanges
        var options = HTTPCourierOptions()
        options.givesPrecedence = false
        options.certificateFile = configuration.now.delivery.certificateFile
        let onResults: @Sendable ([CourierResult]) -> Void = { results in for result in results { exchanges[result.id]?.ended(result) } }
        let block: @Sendable (IPAddress, Int) -> CourierFailure? = { configuration.functionDestinations.block($0, port: $1) }
        direct = DirectCourier(options, block: block) { exchanges[$0.id]?.ended($0) }
        let addresses = HTTPCourier(options, block: block, onResults: onResults)
        self.workers = workers.courier(onResults: onResults)
        courier = CourierWithWorkers(addresses, workers: self.workers)
    }

    /// The number of the next call.
    func nextNumber() -> Int64 {
        state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    var figures: (underWay: Int, waiting: Int) {
        state.withLock { state in
            state.gates.values.reduce((0, 0)) { ($0.0 + $1.underWayCount, $0.1 + $1.waitingCount) }
        }
    }

    /// The calls of one function, by its number.
    func figures(of function: Int64) -> (underWay: Int, waiting: Int, brokenUntil: Timestamp?) {
        let now = clock.now()
        return state.withLock { state in
            guard let gate = state.gates[function] else { return (0, 0, nil) }
            return (gate.underWayCount, gate.waitingCount, gate.brokenUntil(at: now))
        }
    }

    /// Returns where the calls of a function go directly; nil if a courier with threads of its own carries them.
    func target(of function: StoredFunction) -> DirectTarget? {
        if case .address(let url, _) = function.definition.target { direct.target(of: url) } else { nil }
    }

    /// Counts an ended call. One that its caller left says nothing about the function.
    func count(_ exchange: CallExchange, _ status: CallStatus, after time: Duration) {
        metrics.ended(status, after: time)
        if status != .cancelled { activity.note(exchange.function, after: time, failed: status != .ok, at: clock.now()) }
    }

    // MARK: Places

    /// Gives a call a place, lets it wait for one, or refuses it.
    func enter(_ exchange: CallExchange) {
        exchanges.add(exchange)
        let now = clock.now()
        let entry = state.withLock { $0.enter(exchange, at: now) }
        switch entry {
        case .begins: begin(exchange, at: now)
        case .waits: exchange.waits()
        case .full: refuse(exchange, CallError(.resourceExhausted, "Too many calls of this function are waiting.", retryAfterSeconds: 1))
        case .broken(let until): refuse(exchange, CallDesk.broken(until: until, at: now))
        }
    }

    /// Frees the place of a call that has ended.
    func left(_ exchange: CallExchange, _ report: OriginReport?) {
        exchanges.remove(exchange.number)
        let now = clock.now()
        guard let released = state.withLock({ $0.gates[exchange.function]?.leave(exchange.number, report, at: now) }) else { return }
        for number in released.begun {
            if let next = exchanges[number] { begin(next, at: now) }
        }
        for number in released.refused { exchanges[number]?.end(.failure(CallDesk.broken(until: released.brokenUntil ?? now, at: now))) }
    }

    /// Takes a call out of those that wait. Returns whether it waited.
    func giveUp(_ exchange: CallExchange) -> Bool {
        let waited = state.withLock { $0.gates[exchange.function]?.giveUp(exchange.number) ?? false }
        if waited { exchanges.remove(exchange.number) }
        return waited
    }

    /// Ends the exchange of a call whose client left.
    func cancel(_ exchange: CallExchange) {
        cancelRequest(of: exchange)
        left(exchange, nil)
    }

    private func cancelRequest(of exchange: CallExchange) {
        if exchange.target != nil {
            direct.cancel(exchange.number, on: exchange.loop)
        } else if exchange.hasWorker {
            workers.cancel(exchange.number, on: exchange.loop)
        } else {
            courier.cancel(exchange.number, shard: CallDesk.shard(of: exchange))
        }
    }

    private func begin(_ exchange: CallExchange, at now: Timestamp) {
        guard let request = exchange.begins(at: now) else { return left(exchange, nil) }
        if !send(request, of: exchange) {
            return exchange.end(.failure(CallError(.unavailable, "The server has no free place for the call.", retryAfterSeconds: 1)))
        }
        // Its client may have left before the courier knew the request.
        if exchange.isOver { cancelRequest(of: exchange) }
    }

    private func send(_ request: CourierRequest, of exchange: CallExchange) -> Bool {
        if let target = exchange.target {
            direct.send(request, to: target, on: exchange.loop)
            return true
        }
        if exchange.hasWorker { return workers.send(request, on: exchange.loop) }
        return courier.send([request], shard: CallDesk.shard(of: exchange))
    }

    private func refuse(_ exchange: CallExchange, _ error: CallError) {
        exchange.end(.failure(error))
    }

    /// The calls of a function use the connections of one shard.
    private static func shard(of exchange: CallExchange) -> Int { Int(truncatingIfNeeded: exchange.function) }

    private static func broken(until: Timestamp, at now: Timestamp) -> CallError {
        CallError(
            .unavailable, "The function failed too often and is not called for a while.",
            retryAfterSeconds: max(1, Int((until - now).milliseconds / 1_000)))
    }

    /// Ends all calls; returns after the courier's threads have ended.
    func stop() {
        courier.stop()
    }
}

extension CallDesk.State {
    fileprivate mutating func enter(_ exchange: CallExchange, at now: Timestamp) -> CallGate.Entry {
        let definition = exchange.draft.function.definition
        if gates.count >= CallDesk.maximumGates, gates[exchange.function] == nil { gates = gates.filter { !$0.value.isIdle } }
        var gate = gates[exchange.function] ?? CallGate(concurrency: definition.concurrency, waiting: definition.waiting, at: now)
        gate.limit(concurrency: definition.concurrency, waiting: definition.waiting)
        defer { gates[exchange.function] = gate }
        return gate.enter(exchange.number, at: now)
    }
}

/// Counts and durations of calls.
struct CallMetrics: Sendable {
    private let total: MetricFamily<Counter>
    private let seconds: Histogram

    init(_ metrics: Metrics) {
        total = metrics.counters("signalbox_function_calls_total", "Ended calls of functions by the status word of their answer.", labels: ["status"])
        seconds = metrics.histogram(
            "signalbox_function_call_seconds", "Seconds of a call from its arrival to its answer, waiting included.", bounds: Histogram.seconds)
    }

    func ended(_ status: CallStatus, after time: Duration) {
        total(status.rawValue).add()
        seconds.observe(time)
    }
}
