// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import EventStore
import Events
import Messaging
import Platform

/// Watches the intake of each app for a quarantine spike and for a drop of volume.
struct IngestWatch {
    fileprivate struct Watched {
        var spike = QuarantineSpike()
        var quarantinedBefore: Int?
        var minute: Int64?
        /// The last evaluated hour, and whether its volume had dropped.
        var hour: Int64?
        var hasDropped = false
    }

    private let store: Stores
    private let clock: WallClock
    private let log: Log
    private var apps: [AppID: Watched] = [:]

    init(store: Stores, clock: WallClock, log: Log) {
        (self.store, self.clock, self.log) = (store, clock, log)
    }

    mutating func keep(only ids: Set<AppID>) {
        apps = apps.filter { ids.contains($0.key) }
    }

    /// - Parameter stood: The published causes. One from before a restart stands until it is known to be over.
    mutating func causes(of app: App, stood: Set<String>) async -> [AlertCause] {
        var watched = apps[app.id] ?? Watched(spike: QuarantineSpike(stands: stood.contains(AlertKind.quarantineSpike.cause())))
        let now = clock.now()
        do {
            try await watched.evaluateMinute(app, store, now)
            try await watched.evaluateHour(app, store, now)
        } catch {
            // Other apps are still evaluated.
            log.warning(
                "failed to evaluate intake alerts; retrying at the next interval", ["app": .count(app.id.rawValue), "reason": .text("\(error)")])
        }
        apps[app.id] = watched
        var causes: [AlertCause] = []
        if watched.spike.stands {
            causes.append(
                AlertCause(
                    .quarantineSpike,
                    "Many events of «\(app.name)» are quarantined: at least a fifth of the last ten minutes. See GET /v1/quarantine for the reasons.")
            )
        }
        if watched.hasDropped {
            causes.append(
                AlertCause(
                    .volumeDrop, "Far fewer events of «\(app.name)» arrived in the last full hour than in the same hour of previous days."))
        }
        return causes
    }
}

extension IngestWatch.Watched {
    /// Compares quarantined with accepted events, once a minute.
    fileprivate mutating func evaluateMinute(_ app: App, _ store: Stores, _ now: Timestamp) async throws {
        let minute = now.milliseconds.flooredQuotient(by: 60_000)
        guard minute != self.minute else { return }
        let quarantined = try await store.events.quarantineCounts(app: app.id, on: Day(of: now)).reduce(0) { $0 + $1.kept + $1.dropped }
        // The count restarts at midnight.
        let added = quarantinedBefore.map { quarantined >= $0 ? quarantined - $0 : quarantined } ?? 0
        (self.minute, quarantinedBefore) = (minute, quarantined)
        // Without quarantined events there is nothing to query.
        let (start, end) = (Timestamp(milliseconds: (minute - 1) * 60_000), Timestamp(milliseconds: minute * 60_000))
        let accepted = added == 0 && !spike.stands ? 0 : try await store.eventCounts(of: app, from: start, to: end, .minute).reduce(0, +)
        _ = spike.note(accepted: accepted, quarantined: added)
    }

    /// Compares the last full hour with the same hour of the seven days before, once an hour.
    fileprivate mutating func evaluateHour(_ app: App, _ store: Stores, _ now: Timestamp) async throws {
        let hour = now.milliseconds.flooredQuotient(by: 3_600_000)
        guard hour != self.hour else { return }
        let end = Timestamp(milliseconds: hour * 3_600_000)
        let counts = try await store.eventCounts(of: app, from: end - .hours(7 * 24 + 1), to: end, .hour)
        let before = stride(from: 0, to: counts.count - 1, by: 24).map { counts[$0] }
        hasDropped = VolumeDrop.stands(hour: counts.last ?? 0, before: before)
        self.hour = hour
    }
}

extension Stores {
    /// The number of events of an app in each bucket, in UTC.
    fileprivate func eventCounts(of app: App, from: Timestamp, to: Timestamp, _ interval: Interval) async throws -> [Int] {
        let parameters = QueryParameters(
            [("from", from.rfc3339), ("to", to.rfc3339), ("interval", interval.rawValue), ("tz", "UTC")], settings: app.settings, now: to)
        guard case .series(let result) = try await result(of: try Query(.series, parameters), app: app.id) else { return [] }
        return result.body.series.first?.points.map { if case .count(let count) = $0.value { Int(count) } else { 0 } } ?? []
    }
}
