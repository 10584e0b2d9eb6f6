// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import CrashStore
import Database
import EventStore
import Events
import MessageStore
import Platform

extension Stores {
    /// Runs a round of data retention.
    ///
    /// The unit is the file of a day, which holds all apps. Its age counts from the last day on which it received events. Per file, the
    /// apps whose `retentionDays` have passed are due: first their counts are copied to the history in the main file, then their rows are
    /// deleted. The whole file is removed once no app keeps events that long:
    ///
    ///     the file of 20 October; app A keeps 30 days, app B keeps 90
    ///     age 30    nothing
    ///     age 31    A is due: its counts to the history, its rows deleted in chunks
    ///     age 91    B is due too: its counts to the history, the file removed
    ///
    /// Counts are durable before their rows are deleted, and copying twice changes nothing, so an interrupted round is completed by the
    /// next. A failure is reported and does not stop the round for other days and apps. Data is not deleted by age while `ClockWatch`
    /// distrusts the clock. Data of deleted apps is removed from today's file too.
    package func retain() async throws -> RetentionReport {
        defer { events.sealedDays.lookAgain() }
        return try await SpareSpace.forRemoval { try await removeOld() }
    }

    private func removeOld() async throws -> RetentionReport {
        try await events.forgetDeletedApps()
        for store in companions { try await store.forgetDeletedApps() }
        try await events.turn()
        var report = RetentionReport()
        try await removeDeletedAppsFromToday(&report)
        guard clockWatch.isBelieved else {
            report.distrustsClock = true
            return report
        }
        let today = Day(of: clock.now())
        let apps = Array(events.directory.now.apps.values)
        for store in companions {
            let count = try await store.retain(apps)
            if count > 0 { report.removedRows[type(of: store).fileName] = count }
        }
        for day in try events.sealedDays.days() where day < today {
            if let reason = try await failure(of: { try await retain(day, until: today, apps, &report) }) {
                report.failures.append(.init(day: day, reason: reason))
            }
        }
        return report
    }

    private func retain(_ day: Day, until today: Day, _ apps: [App], _ report: inout RetentionReport) async throws {
        let age = Int(today.number) - Int(try await events.lastDayOfReceipt(in: day, until: today).number)
        let kept = Set(apps.filter { $0.settings.retentionDays >= age }.map(\.id))
        let due = try await events.apps(in: day).filter { !kept.contains($0) }
        let copied = try await copyToHistory(day, of: due, &report)
        if kept.isEmpty && copied == due {
            try await events.drop(day)
            report.removedDays.append(day)
        } else {
            try await thin(day, of: copied, &report)
        }
    }

    private func thin(_ day: Day, of apps: [AppID], _ report: inout RetentionReport) async throws {
        for app in apps {
            if let reason = try await failure(of: { report.removedEvents += try await events.removeRows(of: app, from: day) }) {
                report.failures.append(.init(day: day, app: app, reason: reason))
            }
        }
    }

    /// Returns the reason why work failed, so that a round can go on; nil if it succeeded.
    ///
    /// Rethrows `StoreError.stopped`, after which nothing can succeed.
    func failure(of work: () async throws -> Void) async throws -> String? {
        do {
            try await work()
            return nil
        } catch StoreError.stopped {
            throw StoreError.stopped
        } catch {
            return "\(error)"
        }
    }
}
