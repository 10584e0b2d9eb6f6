// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Platform
import SQLite

extension CrashStore {
    /// Marks apps that have rows here but are no longer in the directory. The writer removes their rows in chunks.
    package func forgetDeletedApps() async throws {
        let directory = directory
        try await change { context in
            // The directory is read on the writer's thread. An app created later has no rows yet.
            let known = Set(directory.now.apps.keys.map(\.rawValue))
            for app in try context.file.apps(in: CrashDB.tablesOfCrashedApps + ["crashes", "issues"]).subtracting(known) {
                try context.file.statement("INSERT OR IGNORE INTO deleted_apps (app) VALUES (?)").run(integers: [app])
                context.leavesWork = true
            }
        }
    }
}

extension CrashFileContext {
    /// Removes a chunk of a deleted app's rows. Returns false if no deleted app is left.
    func removeDeletedApp() throws -> Bool {
        guard let app = try file.statement("SELECT app FROM deleted_apps LIMIT 1").first(row: { $0.integer(0) }) else { return false }
        let rows = try file.statement("\(LeavingCrash.selection) WHERE c.app = ? LIMIT ?")
            .all(.integer(app), .integer(limits.chunk), row: LeavingCrash.init)
        for row in rows { try remove(row, uncounted: false) }
        if !rows.isEmpty { return true }
        let left = try file.statement("SELECT id FROM issues WHERE app = ? LIMIT ?").all(.integer(app), .integer(limits.chunk)) { $0.integer(0) }
        for issue in left { try remove(issue: issue) }
        if !left.isEmpty { return true }
        for table in CrashDB.tablesOfCrashedApps + ["deleted_apps"] {
            try file.statement("DELETE FROM \(table) WHERE app = ?").run(integers: [app])
        }
        return true
    }
}

extension CrashDB {
    fileprivate static let tablesOfCrashedApps = [
        "words", "stored", "once", "past_crashes", "counted_sessions", "waiting", "wanted_symbols", "arrived_symbols", "symbol_files",
        "announced_releases", "minidump_bytes",
    ]
}
