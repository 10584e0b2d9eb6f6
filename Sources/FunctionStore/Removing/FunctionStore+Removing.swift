// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Platform

extension RemovalCounts.Kind {
    package static let runs = Self("runs")
}

extension FunctionStore {
    // MARK: Deleted apps

    /// Removes the functions of apps that are no longer in the directory, some hundred rows at a time.
    package func forgetDeletedApps() async throws {
        let (directory, limit) = (directory, bounds.removedAtOnce)
        let gone = try await change { context in
            // The directory is read on the writer's thread. An app created later has no rows yet.
            try context.file.apps(in: ["functions", "deleted_functions", "cursors", "log_bytes"]).subtracting(
                directory.now.apps.keys.map(\.rawValue))
        }
        for id in gone {
            let app = AppID(rawValue: id)
            catalog.remove(app: app)
            try await SpareSpace.inPieces(atMost: limit) { limit in try await change(nil) { try $0.removeSome(ofApp: app, atMost: limit) } }
        }
    }

    /// Removes finished runs and old lines; returns the number of rows.
    package func retain(_ apps: [App]) async throws -> Int {
        var total = 0
        while case let removed = try await change(nil, { try $0.removeSome(byAge: true) }), removed > 0 { total += removed }
        return total
    }

    // MARK: Persons

    package func survey(_ removal: PersonRemoval) async throws -> RemovalCounts {
        let (app, users) = (removal.app, removal.users)
        var counts = RemovalCounts()
        for member in removal.members where !member.id.isEmpty {
            counts[.runs] += try await read { try $0.countRuns(of: member, app: app, besidesThoseOf: users) }
        }
        return counts
    }

    /// Removes the runs of a person with their data, and the lines of logs about the person.
    ///
    /// An anonymization removes them, too: the data of a run cannot be made anonymous. After a kill in between the runs that remain are
    /// found again.
    package func remove(_ removal: PersonRemoval) async throws -> RemovalCounts {
        let app = removal.app
        var counts = RemovalCounts()
        for member in removal.members where !member.id.isEmpty {
            try await SpareSpace.inPieces(atMost: bounds.removedAtOnce) { limit in
                let removed = try await change(app) { try $0.removeSome(of: member, app: app, atMost: limit) }
                counts[.runs] += removed.runs
                return removed.runs + removed.lines
            }
        }
        return counts
    }
}
