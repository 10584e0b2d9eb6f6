// SPDX-License-Identifier: Apache-2.0

import CCurl

/// Starts requests of the inbox, drives them, and reports their results.
///
/// `@unchecked Sendable`: after its creation only its thread uses it.
final class CourierLoop: @unchecked Sendable {
    private let rules: CourierRules
    private let inbox: CourierInbox
    private let onResults: @Sendable ([CourierResult]) -> Void

    private var multi: MultiHandle
    private var names: NameCache
    private var running: [CourierExchange] = []
    private var idle: [CourierExchange] = []
    /// Results that are not reported yet.
    private var results: [CourierResult] = []
    /// Whether nothing was sent since all connections were closed.
    private var isAtRest = true

    init(_ rules: CourierRules, inbox: CourierInbox, onResults: @escaping @Sendable ([CourierResult]) -> Void) throws {
        self.rules = rules
        self.inbox = inbox
        self.onResults = onResults
        multi = try MultiHandle(connections: rules.options.exchangesPerShard)
        names = try NameCache(lifetime: rules.options.nameLifetime)
    }

    /// Runs until the inbox is closed.
    func run() {
        while let requests = inbox.take(rules.options.exchangesPerShard - running.count, sleeper: multi) {
            for request in requests { begin(request) }
            cancelSome()
            if requests.isEmpty {
                if results.isEmpty { multi.sleep(milliseconds: patience) }
                inbox.stayAwake()
            }
            multi.perform()
            while let (easy, code) = multi.nextFinished() { finish(easy, code) }
            tell()
            renewNames()
        }
        cancelAll()
    }

    /// The longest wait; libcurl wakes earlier for its timeouts.
    private var patience: Int32 {
        isAtRest ? .max : Int32(clamping: max(10, Int((names.ends - .now) / .milliseconds(1))))
    }

    // MARK: Exchanges

    private func begin(_ request: CourierRequest) {
        isAtRest = false
        names.isUsed = true
        let proxy = rules.proxy?.url()
        let blocked = proxy == nil ? nil : rules.proxy?.failure(of: request)
        if let failure = request.failure ?? blocked { return results.append(CourierResult(id: request.id, failure)) }
        do {
            let exchange = try idle.popLast() ?? CourierExchange(rules, names: names)
            try exchange.begin(request, through: proxy)
            try multi.add(exchange.easy)
            exchange.place = running.count
            running.append(exchange)
        } catch {
            results.append(CourierResult(id: request.id, .failed))
        }
    }

    private func finish(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
        guard let exchange = CourierExchange.of(easy) else { return }
        results.append(exchange.finish(code))
        multi.remove(easy)
        leave(exchange)
        if exchange.names === names { idle.append(exchange) }
    }

    /// Removes an exchange; the last one of the list takes its place.
    private func leave(_ exchange: CourierExchange) {
        let last = running.removeLast()
        guard last !== exchange else { return }
        last.place = exchange.place
        running[exchange.place] = last
    }

    private func tell() {
        guard !results.isEmpty else { return }
        onResults(results)
        results = []
    }

    /// Ends the exchanges that were cancelled. Their connections are closed.
    private func cancelSome() {
        let (ids, waiting) = inbox.takeCancelled()
        guard !ids.isEmpty else { return }
        results += waiting.map { CourierResult(id: $0, .cancelled) }
        for exchange in running where ids.contains(exchange.id) {
            multi.remove(exchange.easy)
            results.append(exchange.cancelled())
            leave(exchange)
            if exchange.names === names { idle.append(exchange) }
        }
    }

    private func cancelAll() {
        for exchange in running {
            multi.remove(exchange.easy)
            results.append(exchange.cancelled())
        }
        running = []
        results += inbox.leftOver().map { CourierResult(id: $0.id, .cancelled) }
        tell()
    }

    // MARK: Renewal

    /// Renews the name cache, and after an idle time the connections too, because dead peers would go unnoticed.
    private func renewNames() {
        guard !isAtRest, names.isOver, let fresh = try? NameCache(lifetime: rules.options.nameLifetime) else { return }
        // Idle handles refer to the old name cache; running ones are released when they finish.
        idle = []
        if !names.isUsed, running.isEmpty, let empty = try? MultiHandle(connections: rules.options.exchangesPerShard) {
            multi = empty
            isAtRest = true
        }
        names = fresh
    }
}
