// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import EventStore
import Platform

/// The operator's limits of apps: events and bytes of a UTC day, and bytes on the disk.
///
/// Devices are limited where they are stored, and data retention where it is set.
final class AppQuotas: Sendable {
    private let store: Stores
    private let refused: MetricFamily<Counter>

    init(_ store: Stores, _ metrics: Metrics) {
        self.store = store
        refused = metrics.counters(
            "signalbox_app_limit_refused_total", "Requests rejected because of an operator's limit of an app.", labels: ["app", "limit"])
        metrics.gauges("signalbox_app_storage_bytes", "Bytes of an app on the disk, measured once a minute.", labels: ["app"]) { [store] in
            store.storageUse.all.map { (["\($0.key.rawValue)"], Double($0.value)) }.sorted { $0.0[0] < $1.0[0] }
        }
    }

    /// Takes a request's events and bytes from what the app may send today. The operator's own requests are not limited.
    func take(_ events: Int, bytes: Int, _ app: App, at now: Timestamp) throws(Refusal) {
        guard let excess = store.events.appUses.take(events, bytes: bytes, app, at: now) else { return }
        let left = Day(number: Day(of: now).number + 1).start - now
        throw refusal(
            excess, of: app, "is used up today", hint: "It begins anew at midnight UTC. The operator can raise it.",
            retryAfterSeconds: Int(min(3_600, left.milliseconds / 1_000 + 1)))
    }

    /// Rejects data of an app that takes as much of the disk as it may.
    func requireRoom(for app: AppID?) throws(Refusal) {
        guard let app, let known = store.events.directory.now.apps[app] else { return }
        let most = known.settings.quota.storageBytes
        guard most > 0, store.storageUse.bytes(of: app) >= Int64(most) else { return }
        throw refusal(
            .storage, of: known, "is reached", hint: "Delete data, lower retention_days, or ask the operator to raise it.", retryAfterSeconds: 3_600)
    }

    /// Counts the refusal of a device, which the store of messages decides.
    func counting<T>(_ app: AppID, _ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as Refusal where error.code == .limitReached {
            refused("\(app.rawValue)", AppQuota.Limit.devices.rawValue).add()
            throw error
        }
    }

    private func refusal(_ limit: AppQuota.Limit, of app: App, _ state: String, hint: String, retryAfterSeconds: Int) -> Refusal {
        refused("\(app.id.rawValue)", limit.rawValue).add()
        return Refusal(
            .limitReached, "The app's limit of \(app.settings.quota[limit]) \(limit.unit) \(state); nothing of this request was stored.", hint: hint,
            fields: [.init(limit.rawValue, "limit_reached", state)], retryAfterSeconds: retryAfterSeconds)
    }
}
