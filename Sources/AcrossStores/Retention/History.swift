// SPDX-License-Identifier: Apache-2.0

import Analytics
import AppDirectory
import Database
import EventStore
import Events
import Platform

extension Stores {
    /// Copies the counts of apps to the history and returns the apps copied.
    ///
    /// The copy is durable before the originals are deleted. After an interruption between the two, the next round copies the same again.
    func copyToHistory(_ day: Day, of apps: [AppID], _ report: inout RetentionReport) async throws -> [AppID] {
        var copied: [AppID] = []
        for app in apps {
            if let reason = try await failure(of: { try await copyToHistory(day, of: app, &report) }) {
                report.failures.append(.init(day: day, app: app, reason: reason))
            } else {
                copied.append(app)
            }
        }
        return copied
    }

    /// Copies an app's counts. Each row names the day it came from, so a repetition replaces it. Counts of deleted apps are not kept.
    private func copyToHistory(_ day: Day, of app: AppID, _ report: inout RetentionReport) async throws {
        guard let known = events.directory.now.apps[app], let history = try await events.history(of: app, in: day) else { return }
        if let reason = try await keepPeopleCounts(of: known, on: history.days) {
            report.uncounted.append(.init(day: day, app: app, reason: reason))
        }
        try await events.keep(history)
    }

    /// Counts the people of all periods that contain one of some UTC days, because counts of different people cannot be added up.
    ///
    /// The periods are days, windows of 7 and 30 days, and calendar months in the app's time zone. Returns the reason if they can never be
    /// counted.
    private func keepPeopleCounts(of app: App, on days: [Int64]) async throws -> String? {
        guard let first = days.min(), let last = days.max(), let zone = ZoneOffsets(app.settings.timeZone) else { return nil }
        let (chunk, now) = (Int64(200), clock.now())
        var reason: String?
        for start in stride(from: first - 1, through: last + 31, by: Int(chunk)) {
            let from = Timestamp(milliseconds: start * Day.milliseconds)
            let range = try QueryRange(from: from, to: from + .days(min(chunk, last + 32 - start)), interval: .day, zone: zone, now: now)
            do {
                try await countPeople(of: app.id, in: range)
            } catch {
                guard let lasting = Stores.lastingReason(error) else { throw error }
                reason = lasting
            }
        }
        try await analytics.savePeopleCounts()
        return reason
    }

    /// Returns the reason of an error that the next round would meet again: too many people, or a damaged file.
    private static func lastingReason(_ error: any Error) -> String? {
        if let refusal = error as? Refusal, refusal.code == .invalid { return refusal.detail }
        return StoreError(damage: error)?.description
    }

    private func countPeople(of app: AppID, in range: QueryRange) async throws {
        let analytics = analytics
        try await readers.read(.large, seconds: peopleSeconds) { session in
            let asking = analytics.context(session, app)
            _ = try asking.activeUsers(ActiveUsersQuery(range: range))
            let months = try TimeBuckets(from: range.buckets.from, to: range.buckets.to, interval: .month, zone: range.zone)
            _ = try asking.peopleCounts(of: months, now: range.now)
        }
    }
}
