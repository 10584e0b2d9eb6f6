// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

/// The symbols of one binary: a symbol file, or the part of a file for one architecture.
package struct StoredSymbols: Sendable, Equatable {
    package var debugID: String
    /// The SHA-256 of the file, which is its name in the folder of symbols.
    package var sha256: String
    package var format: String
    package var architecture: String
    package var name: String?
    package var bytes: Int64
    package var created: Timestamp

    package init(
        debugID: String, sha256: String, format: String, architecture: String, name: String?, bytes: Int64, created: Timestamp
    ) {
        self.debugID = debugID
        self.sha256 = sha256
        self.format = format
        self.architecture = architecture
        self.name = name
        self.bytes = bytes
        self.created = created
    }
}

/// A binary in the stacks of reports whose symbols have not been uploaded.
package struct MissingSymbols: Sendable, Equatable {
    package var debugID: String
    package var name: String?
    package var architecture: String?
    /// The number of reports that need the symbols.
    package var crashes: Int
    package var first: Timestamp
    package var last: Timestamp
}

extension CrashStore {
    /// Stores uploaded symbols and queues the reports that need them. Returns the hashes of replaced files that are no longer used.
    package func bring(_ symbols: [StoredSymbols], app: AppID) async throws -> [String] {
        try await change { context in
            var replaced: Set<String> = []
            for one in symbols {
                if let old = try context.file.symbols(of: one.debugID, app: app) { replaced.insert(old.sha256) }
                try context.bring(one, app: app)
            }
            return try replaced.filter { try !context.file.isNeeded($0, app: app) }.sorted()
        }
    }

    /// Removes the symbols of a binary. Returns the hash of their file if it is no longer used.
    package func removeSymbols(of debugID: String, app: AppID) async throws -> String? {
        try await change { context in
            guard let old = try context.file.symbols(of: debugID, app: app) else {
                throw Refusal(.notFound, "There are no symbols for this debug ID.", hint: "`GET /v1/symbols` lists all symbol files.")
            }
            try context.file.statement("DELETE FROM symbol_files WHERE app = ? AND debug_id = ?").run(.integer(app.rawValue), .text(debugID))
            return try context.file.isNeeded(old.sha256, app: app) ? nil : old.sha256
        }
    }

    /// Returns the stored symbols of some binaries.
    package func symbols(of debugIDs: [String], app: AppID) async throws -> [StoredSymbols] {
        try await read { file in try debugIDs.compactMap { try file.symbols(of: $0, app: app) } }
    }

    /// Returns an app's symbols ordered by debug ID, after one.
    package func symbols(app: AppID, after debugID: String = "", limit: Int) async throws -> [StoredSymbols] {
        try await read { file in
            try file.statement("SELECT \(StoredSymbols.columns) FROM symbol_files WHERE app = ? AND debug_id > ? ORDER BY debug_id LIMIT ?")
                .all(.integer(app.rawValue), .text(debugID), .integer(limit), row: StoredSymbols.init)
        }
    }

    /// Returns the hashes of an app's symbol files.
    package func symbolSums(app: AppID) async throws -> Set<String> {
        try await read { file in
            Set(try file.statement("SELECT DISTINCT sha256 FROM symbol_files WHERE app = ?").all(.integer(app.rawValue)) { $0.text(0) })
        }
    }

    /// Returns the total bytes of an app's symbol files.
    package func symbolBytes(app: AppID) async throws -> Int64 {
        try await read { file in
            try file.statement("SELECT ifnull(sum(bytes), 0) FROM (SELECT DISTINCT sha256, bytes FROM symbol_files WHERE app = ?)")
                .first(.integer(app.rawValue)) { $0.integer(0) } ?? 0
        }
    }

    /// Returns those of some binaries whose symbols reports need.
    package func awaited(_ debugIDs: [String], app: AppID) async throws -> [String] {
        try await read { file in
            let find = try file.statement("SELECT 1 FROM waiting WHERE app = ? AND debug_id = ? LIMIT 1")
            return try debugIDs.filter { try find.first(.integer(app.rawValue), .text($0)) { _ in true } ?? false }
        }
    }

    /// Returns a page of missing symbols, those that most reports need first.
    package func missingSymbols(
        app: AppID, after place: (crashes: Int, debugID: String)? = nil, limit: Int
    ) async throws -> [MissingSymbols] {
        try await read { file in
            try file.statement(
                """
                SELECT * FROM (
                    SELECT debug_id, name, arch, (SELECT count(*) FROM waiting w WHERE w.app = s.app AND w.debug_id = s.debug_id) AS crashes, first, last
                    FROM wanted_symbols s WHERE app = ?1)
                WHERE ?2 IS NULL OR crashes < ?2 OR crashes = ?2 AND debug_id > ?3 ORDER BY crashes DESC, debug_id LIMIT ?4
                """
            ).all(.integer(app.rawValue), .integer(place.map { Int64($0.crashes) }), .text(place?.debugID), .integer(limit)) { row in
                MissingSymbols(
                    debugID: row.text(0), name: row.optionalText(1), architecture: row.optionalText(2), crashes: row.int(3),
                    first: Timestamp(milliseconds: row.integer(4)), last: Timestamp(milliseconds: row.integer(5)))
            }
        }
    }
}

extension StoredSymbols {
    static let columns = "debug_id, sha256, format, arch, name, bytes, created"

    init(_ row: Row) {
        self.init(
            debugID: row.text(0), sha256: row.text(1), format: row.text(2), architecture: row.text(3), name: row.optionalText(4),
            bytes: row.integer(5), created: Timestamp(milliseconds: row.integer(6)))
    }
}

extension CrashDB {
    func symbols(of debugID: String, app: AppID) throws -> StoredSymbols? {
        try statement("SELECT \(StoredSymbols.columns) FROM symbol_files WHERE app = ? AND debug_id = ?")
            .first(.integer(app.rawValue), .text(debugID), row: StoredSymbols.init)
    }

    /// Returns the symbol files of all apps, by the hash that is the file's name.
    package func symbolFiles() throws -> [(app: Int64, sum: String)] {
        try statement("SELECT DISTINCT app, sha256 FROM symbol_files ORDER BY app, sha256").all { ($0.integer(0), $0.text(1)) }
    }

    fileprivate func isNeeded(_ sha256: String, app: AppID) throws -> Bool {
        try statement("SELECT 1 FROM symbol_files WHERE app = ? AND sha256 = ? LIMIT 1").first(.integer(app.rawValue), .text(sha256)) { _ in true }
            ?? false
    }
}

extension CrashFileContext {
    fileprivate func bring(_ symbols: StoredSymbols, app: AppID) throws {
        try file.statement(
            "INSERT OR REPLACE INTO symbol_files (app, debug_id, sha256, format, arch, name, bytes, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        ).run(
            .integer(app.rawValue), .text(symbols.debugID), .text(symbols.sha256), .text(symbols.format), .text(symbols.architecture),
            .text(symbols.name), .integer(symbols.bytes), .integer(symbols.created.milliseconds))
        try file.statement("INSERT OR IGNORE INTO arrived_symbols (app, debug_id) VALUES (?, ?)").run(.integer(app.rawValue), .text(symbols.debugID))
        leavesWork = true
    }

    /// Requests symbols for a new report. It is queued for symbolication if they are stored, and waits otherwise.
    ///
    ///     report with stacks in App (debug ID A) and UIKit (debug ID U, part of the system)
    ///         A stored        → `to_symbolicate`
    ///         A missing       → `waiting`, and A in `wanted_symbols`, the list of missing symbols
    ///         U missing       → ignored: symbols of the system are used if uploaded, but not requested
    ///     upload of A         → `arrived_symbols` → the writer moves reports from `waiting` to `to_symbolicate` in chunks
    func want(_ symbols: [WantedSymbols], for crash: Int64, app: Int64) throws {
        for wanted in symbols {
            if try file.symbols(of: wanted.debugID, app: AppID(rawValue: app)) != nil {
                try lookUp(crash)
                continue
            }
            if wanted.isOfTheSystem { continue }
            try file.statement("INSERT OR IGNORE INTO waiting (app, debug_id, crash) VALUES (?, ?, ?)")
                .run(.integer(app), .text(wanted.debugID), .integer(crash))
            try file.statement(
                """
                INSERT INTO wanted_symbols (app, debug_id, name, arch, first, last) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
                ON CONFLICT DO UPDATE SET last = excluded.last
                """
            ).run(.integer(app), .text(wanted.debugID), .text(wanted.name), .text(wanted.architecture), .integer(now.milliseconds))
        }
    }

    /// Queues a report for symbolication, and revokes a lease. A symbolication in progress does not know the new symbols, so its result is
    /// discarded and the report is processed again.
    func lookUp(_ crash: Int64) throws {
        try file.statement("INSERT INTO to_symbolicate (crash, leased, tries) VALUES (?, 0, 0) ON CONFLICT DO UPDATE SET leased = 0, tries = 0")
            .run(integers: [crash])
        hasSymbolWork = true
    }

    /// Queues a chunk of the reports that waited for arrived symbols. Returns false if there are none.
    func queueArrived() throws -> Bool {
        let next = try file.statement("SELECT app, debug_id FROM arrived_symbols LIMIT 1").first { ($0.integer(0), $0.text(1)) }
        guard let (app, debugID) = next else { return false }
        let crashes = try file.statement("SELECT crash FROM waiting WHERE app = ? AND debug_id = ? LIMIT ?")
            .all(.integer(app), .text(debugID), .integer(limits.chunk)) { $0.integer(0) }
        for crash in crashes {
            try lookUp(crash)
            try file.statement("DELETE FROM waiting WHERE app = ? AND debug_id = ? AND crash = ?")
                .run(.integer(app), .text(debugID), .integer(crash))
        }
        if crashes.count < limits.chunk {
            for table in ["arrived_symbols", "wanted_symbols"] {
                try file.statement("DELETE FROM \(table) WHERE app = ? AND debug_id = ?").run(.integer(app), .text(debugID))
            }
        }
        return true
    }

    /// Removes a report from symbolication, and binaries that no other report needs from the missing symbols.
    func stopWaiting(_ crash: Int64) throws {
        let ids = try file.statement("SELECT app, debug_id FROM waiting WHERE crash = ?").all(.integer(crash)) { ($0.integer(0), $0.text(1)) }
        for (app, debugID) in ids {
            try file.statement("DELETE FROM waiting WHERE app = ? AND debug_id = ? AND crash = ?").run(.integer(app), .text(debugID), .integer(crash))
            let others = try file.statement("SELECT 1 FROM waiting WHERE app = ? AND debug_id = ? LIMIT 1")
                .first(.integer(app), .text(debugID)) { _ in true }
            if others == nil {
                try file.statement("DELETE FROM wanted_symbols WHERE app = ? AND debug_id = ?").run(.integer(app), .text(debugID))
            }
        }
        try file.statement("DELETE FROM to_symbolicate WHERE crash = ?").run(integers: [crash])
    }
}
