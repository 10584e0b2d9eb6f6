// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Messaging
import Platform
import AcrossStores

/// Watches what comes in for each app: whether much of it is refused, and whether far less comes than usual.
struct IngestWatch {
    fileprivate struct Watched {
        var spike = QuarantineSpike()
        var refusedBefore: Int?
        var minute: Int64?
        /// The hour that was looked at last, and whether it had too few.
        var hour: Int64?
        var hasDropped = false
    }

    private var apps: [AppID: Watched] = [:]

    mutating func keep(only ids: Set<AppID>) {
        apps = apps.filter { ids.contains($0.key) }
    }

    /// `stood` are the causes that were told: what stood before the daemon was started stands until it is seen to be over.
    mutating func causes(of app: App, _ daemon: Daemon, stood: Set<String>) async -> [AlertCause] {
        var watched = apps[app.id] ?? Watched(spike: QuarantineSpike(stands: stood.contains("quarantine_spike")))
        let now = daemon.clock.now()
        do {
            try await watched.lookAtMinute(app, daemon, now)
            try await watched.lookAtHour(app, daemon, now)
        } catch {
            // The others are told all the same.
            daemon.log.warning("ingest not looked at", ["app": .count(app.id.rawValue), "reason": .text("\(error)")])
        }
        apps[app.id] = watched
        var causes: [AlertCause] = []
        if watched.spike.stands {
            causes.append(
                AlertCause(
                    .ingest, "quarantine_spike",
                    "Many events of «\(app.name)» are refused: at least a fifth of what came in ten minutes. GET /v1/quarantine says why."))
        }
        if watched.hasDropped {
            causes.append(
                AlertCause(
                    .ingest, "volume_drop", "Far fewer events of «\(app.name)» came in the last whole hour than at this hour of the days before."))
        }
        return causes
    }
}

extension IngestWatch.Watched {
    /// Once a minute: what was refused since, beside what was taken.
    fileprivate mutating func lookAtMinute(_ app: App, _ daemon: Daemon, _ now: Timestamp) async throws {
        let minute = now.milliseconds.flooredQuotient(by: 60_000)
        guard minute != self.minute else { return }
        let refused = try await daemon.store.events.quarantineCounts(app: app.id, on: Day(of: now)).reduce(0) { $0 + $1.kept + $1.dropped }
        // At midnight the count begins anew.
        let news = refusedBefore.map { refused >= $0 ? refused - $0 : refused } ?? 0
        (self.minute, refusedBefore) = (minute, refused)
        // Where nothing is refused nothing has to be asked.
        let (start, end) = (Timestamp(milliseconds: (minute - 1) * 60_000), Timestamp(milliseconds: minute * 60_000))
        let accepted = news == 0 && !spike.stands ? 0 : try await daemon.store.eventCounts(of: app, from: start, to: end, .minute).reduce(0, +)
        _ = spike.note(accepted: accepted, refused: news)
    }

    /// Once an hour: the one that is over, and the same hour of the seven days before.
    fileprivate mutating func lookAtHour(_ app: App, _ daemon: Daemon, _ now: Timestamp) async throws {
        let hour = now.milliseconds.flooredQuotient(by: 3_600_000)
        guard hour != self.hour else { return }
        let end = Timestamp(milliseconds: hour * 3_600_000)
        let counts = try await daemon.store.eventCounts(of: app, from: end - .hours(7 * 24 + 1), to: end, .hour)
        let before = stride(from: 0, to: counts.count - 1, by: 24).map { counts[$0] }
        hasDropped = VolumeDrop.stands(hour: counts.last ?? 0, before: before)
        self.hour = hour
    }
}

extension Stores {
    /// How many events of an app there were, bucket by bucket, in UTC.
    fileprivate func eventCounts(of app: App, from: Timestamp, to: Timestamp, _ interval: Interval) async throws -> [Int] {
        let parameters = QueryParameters(
            [("from", from.rfc3339), ("to", to.rfc3339), ("interval", interval.rawValue), ("tz", "UTC")], settings: app.settings, now: to)
        guard case .series(let answer) = try await answer(try Query(.series, parameters), app: app.id) else { return [] }
        return answer.body.series.first?.points.map { if case .count(let count) = $0.value { Int(count) } else { 0 } } ?? []
    }
}
