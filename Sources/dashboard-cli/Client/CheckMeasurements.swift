// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Foundation
import Panes
import Platform
import Synchronization

/// The values that `check` compares with limits; each query is sent once.
actor CheckMeasurements {
    /// Reads the figures of an app with its key.
    private let client: DaemonClient
    /// Reads the figures of the machine over the control socket; nil without one.
    private let controlClient: DaemonClient?
    private let range: ViewRange
    private var bodies: [ReadRequest: [UInt8]] = [:]
    private var ofMachine: SystemResponse.Machine?

    init(_ client: DaemonClient, control: DaemonClient?, _ range: ViewRange) {
        (self.client, controlClient, self.range) = (client, control, range)
    }

    func system() async throws -> SystemResponse {
        try await result(SystemResponse.query)
    }

    /// Nil if the daemon shows no figures of its machine, as one of version 0.1.
    func machine() async throws -> SystemResponse.Machine? {
        if ofMachine == nil { ofMachine = try await controlClient?.get(SystemResponse.query).machine }
        return ofMachine
    }

    func crashFree() async throws -> CrashFreeResult.Figures {
        let found: CrashFreeResult = try await result(DaemonQuery("crash_free", "/v1/query/crash-free", options + [("limit", "1")]))
        return found.total
    }

    func events() async throws -> Int {
        let found: SeriesResult = try await result(DaemonQuery("events", "/v1/query/series", options))
        return Int(found.series.first?.total.number ?? 0)
    }

    /// Deliveries that died in the range.
    func deadDeliveries() async throws -> Int {
        let start = WallClock.system.now() - .seconds(Int64(range.minutes) * 60)
        var count = 0
        var after: String?
        repeat {
            let parameters = [("state", "dead"), ("limit", "1000")] + (after.map { [("after", $0)] } ?? [])
            let page: Page<DeliveryResponse> = try await client.get(DaemonQuery("dead", "/v1/deliveries", parameters))
            count += page.items.count { $0.changedAt.time >= start }
            after = page.next
        } while after != nil
        return count
    }

    private var options: [(String, String)] { [("from", range.from), ("interval", range.interval)] }

    private func result<Value>(_ query: DaemonQuery<Value>) async throws -> Value {
        if let body = bodies[query.request] { return try query.response(body) }
        let body = try await client.get(query.request)
        bodies[query.request] = body
        return try query.response(body)
    }
}

extension SystemResponse {
    /// The share of quarantined events since the start; nil without events.
    var refusedShare: Double? {
        let all = events.accepted + events.quarantined
        return all == 0 ? nil : Double(events.quarantined) / Double(all)
    }
}

extension SystemResponse.Machine {
    /// The 99th percentile of commit times since the start, in milliseconds; nil without commits.
    var commitP99: Double? { commits.count == 0 ? nil : commits.p99Milliseconds }
}
