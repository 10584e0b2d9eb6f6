// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import EventStore
import HTTPServer
import MessageStore
import Platform
import Symbols
import Workers

/// Events and use of limits for an app; commit latency, queue, write-ahead log, disk and partitions for the operator.
struct SystemStatus: Sendable {
    let store: Stores
    let server: ServerHandle
    let readiness: Readiness
    let symbolizer: Symbolizer
    let symbolHealth: SymbolHealth
    let workers: WorkerDesk
    let clock: WallClock
    let uptime: Uptime

    static let routes = [Route(.get, "/v1/system", .role(.read), .task(\.systemStatus, SystemStatus.status))]

    func status(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app")
        let isNamed = try query.one("app") != nil
        let app = call.caller.role == .operator && !isNamed ? nil : try call.app(in: store)
        let reasons = readiness.reasons
        return try .json(
            SystemResponse(
                version: Version.current, ready: reasons.isEmpty, reasons: reasons, events: events(of: app), usage: try await usage(of: app),
                readsDwarf: symbolizer.readsDWARF, symbolFailure: symbolHealth.failure, confinementFailure: symbolHealth.confinement.lack,
                workerGroupFailure: workers.groupFailure,
                machine: call.caller.role == .operator ? try await machine() : nil))
    }

    private func events(of app: App?) -> SystemResponse.Events {
        let now = clock.now()
        var state = store.events.gauges.now
        guard let app else {
            return .init(store.events.gauges, perSecond: state.rate.perSecond(at: now.milliseconds.flooredQuotient(by: 1_000)))
        }
        let (_, counts, perSecond) = store.events.appUses.now(app.id, at: now)
        return .init(
            accepted: UInt64(counts.accepted), duplicates: UInt64(counts.duplicates), quarantined: UInt64(counts.quarantined),
            lastSeq: state.lastSeq, perSecond: perSecond.micros)
    }

    private func machine() async throws -> SystemResponse.Machine {
        let status = try await store.status()
        return .init(
            uptimeSeconds: uptime.seconds, connections: server.connections, commits: .init(store.events.gauges),
            queue: .init(events: status.queuedEvents, bytes: status.queuedBytes, refused: store.events.gauges.rejected.value),
            walBytes: Int(store.events.gauges.walBytes.value), freeDiskBytes: status.freeDiskBytes, mainBytes: status.mainBytes,
            messagesBytes: status.messagesBytes, crashesBytes: status.crashesBytes,
            partitions: status.partitions.map { .init(day: $0.day.text, bytes: $0.bytes) })
    }

    private func usage(of app: App?) async throws -> SystemResponse.Usage? {
        guard let app else { return nil }
        func limit(_ limit: AppQuota.Limit) -> Int? { app.settings.quota[limit] > 0 ? app.settings.quota[limit] : nil }
        let today = store.events.appUses.now(app.id, at: clock.now()).today
        return .init(
            day: today.day.text, events: today.events, bytes: today.bytes, devices: try await store.messages.registrationCount(app: app.id),
            storageBytes: store.storageUse.bytes(of: app.id), maxEventsPerDay: limit(.events), maxBytesPerDay: limit(.bytes),
            maxDevices: limit(.devices), maxStorageBytes: limit(.storage))
    }
}

extension SystemResponse.Events {
    fileprivate init(_ gauges: EventGauges, perSecond: Double) {
        self.init(
            accepted: gauges.accepted.value, duplicates: gauges.duplicates.value, quarantined: gauges.quarantined.value,
            lastSeq: gauges.now.lastSeq, perSecond: perSecond.micros)
    }
}

extension Double {
    /// The number with six decimals.
    fileprivate var micros: Double { (self * 1e6).rounded(.towardZero) / 1e6 }
}

extension SystemResponse.Commits {
    fileprivate init(_ gauges: EventGauges) {
        let time = gauges.commitTime
        self.init(
            count: gauges.commits.value, failed: gauges.failedCommits.value, meanMilliseconds: time.meanMilliseconds,
            p50Milliseconds: time.milliseconds(0.5), p99Milliseconds: time.milliseconds(0.99))
    }
}

extension Histogram {
    fileprivate var meanMilliseconds: Int {
        Int((mean * 1_000).rounded())
    }

    /// A quantile in milliseconds with three decimals.
    fileprivate func milliseconds(_ share: Double) -> Double {
        (quantile(share) * 1e6).rounded() / 1_000
    }
}
