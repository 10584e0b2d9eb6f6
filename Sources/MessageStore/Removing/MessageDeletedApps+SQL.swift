// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Messaging
import Platform
import SQLite

extension MessageStore {
    /// Marks apps that have rows here but are no longer in the directory. The writer removes their rows in chunks.
    package func forgetDeletedApps() async throws {
        try await change { context in
            // The directory is read on the writer's thread. An app created later has no rows yet.
            try context.noteDeletedApps(besides: Set(self.blockade.directory.now.apps.keys.map(\.rawValue)))
        }
    }
}

extension MessageDB {
    fileprivate static let tablesOfApps = ["registrations", "messages", "app_secrets", "idempotency", "alerts"]

    /// Removes an app's few remaining rows, after registrations and messages.
    fileprivate func removeRest(ofApp app: Int64) throws {
        for table in ["app_secrets", "idempotency", "alerts", "deleted_apps"] {
            try statement("DELETE FROM \(table) WHERE app = ?").run(integers: [app])
        }
    }
}

extension MessageContext {
    func noteDeletedApps(besides known: Set<Int64>) throws {
        let note = try file.statement("INSERT OR IGNORE INTO deleted_apps (app) VALUES (?)")
        for app in try file.apps(in: MessageDB.tablesOfApps).subtracting(known) {
            try note.run(integers: [app])
            leavesWork = true
        }
    }

    /// Removes a chunk of a deleted app's rows. Topics are removed with their last subscriber.
    func removeChunk(ofApp app: Int64) throws -> Bool {
        let registrations = try file.statement("SELECT id FROM registrations WHERE app = ? LIMIT 500").all(.integer(app)) { $0.integer(0) }
        for id in registrations { try remove(registration: id) }
        if !registrations.isEmpty { return true }
        if let message = try file.statement("SELECT id FROM messages WHERE app = ? LIMIT 1").first(.integer(app), row: { $0.integer(0) }) {
            return try removeChunk(of: message)
        }
        try file.removeRest(ofApp: app)
        return true
    }
}
