// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel

/// A setting of an app's documents that an admin makes.
enum DocumentSetting: String {
    case persons
    case expiry
    case exemptions
}

extension DocumentDB {
    /// Returns a setting; nil if it was never made.
    func setting(_ name: DocumentSetting, app: AppID, _ bodies: BodyReader) throws -> DocumentFields? {
        try statement("SELECT body FROM settings WHERE app = ? AND name = ?").first(.integer(app.rawValue), .text(name.rawValue)) {
            try bodies.fields($0.bytes(0))
        }
    }

    func set(_ name: DocumentSetting, _ fields: DocumentFields, app: AppID) throws {
        try statement("INSERT OR REPLACE INTO settings (app, name, body) VALUES (?, ?, ?)").run(
            .integer(app.rawValue), .text(name.rawValue), .blob(BodyReader.body(fields)))
    }

    func removeSettings(ofApp app: Int64) throws -> Int {
        try statement("DELETE FROM settings WHERE app = ?").run(integers: [app])
        let removed = changes
        try statement("DELETE FROM app_logs WHERE app = ?").run(integers: [app])
        return removed + changes
    }

    // MARK: The beginning of an app's log

    /// Returns the stamp of the newest change of an app that is no longer in the log, by age or by an erasure.
    func logStart(of app: AppID) throws -> Int64 {
        let own = try statement("SELECT log_start FROM app_logs WHERE app = ?").first(.integer(app.rawValue)) { $0.integer(0) }
        return max(try mark(.logStart), own ?? 0)
    }

    func setLogStart(_ stamp: Int64, app: AppID) throws {
        try statement("INSERT OR REPLACE INTO app_logs (app, log_start) VALUES (?, ?)").run(integers: [app.rawValue, stamp])
    }
}
