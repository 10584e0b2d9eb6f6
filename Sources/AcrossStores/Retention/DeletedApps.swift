// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import EventStore
import Platform

extension Stores {
    /// Removes the data of deleted apps from today's file, to which retention by age does not apply.
    ///
    /// Requests under way may still add some, which the next round removes.
    func removeDeletedAppsFromToday(_ report: inout RetentionReport) async throws {
        let today = try await events.change { $0.day }
        // The file was read before the directory, so an app created in between has no rows in the list.
        let found = try await events.apps(in: today)
        let known = events.directory.now.apps
        let deleted = found.filter { known[$0] == nil }
        if deleted.isEmpty { return }
        for app in deleted {
            if let reason = try await failure(of: { report.removedEvents += try await events.removeRows(of: app, fromToday: today) }) {
                report.failures.append(.init(day: today, app: app, reason: reason))
            }
        }
        try await events.emptyLogs()
    }
}
