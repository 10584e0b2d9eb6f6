// SPDX-License-Identifier: Apache-2.0

/// A carrier of many requests at once: to HTTP addresses, or to worker programs.
package protocol RequestCourier: Sendable {
    /// Queues requests. Returns `false`, and takes none, if there is no room or after `stop`. Every accepted request gets one result.
    func send(_ requests: [CourierRequest], shard: Int) -> Bool
    /// Cancels a request, begun or not. Its result says so, unless it has ended before.
    func cancel(_ id: Int64, shard: Int)
    /// Cancels all requests, and returns when none is under way.
    func stop()
}

extension HTTPCourier: RequestCourier {}

/// A courier that passes requests for workers to another one.
package struct CourierWithWorkers: RequestCourier {
    private let addresses: HTTPCourier
    private let workers: any RequestCourier

    package init(_ addresses: HTTPCourier, workers: any RequestCourier) {
        (self.addresses, self.workers) = (addresses, workers)
    }

    package func send(_ requests: [CourierRequest], shard: Int) -> Bool {
        let forWorkers = requests.filter { $0.worker != nil }
        if forWorkers.isEmpty { return addresses.send(requests, shard: shard) }
        let others = requests.filter { $0.worker == nil }
        guard others.isEmpty || addresses.send(others, shard: shard) else { return false }
        // Workers refuse requests by their results, so that none is taken twice.
        return workers.send(forWorkers, shard: shard)
    }

    package func cancel(_ id: Int64, shard: Int) {
        addresses.cancel(id, shard: shard)
        workers.cancel(id, shard: shard)
    }

    package func stop() {
        addresses.stop()
        workers.stop()
    }
}
