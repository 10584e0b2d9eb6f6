// SPDX-License-Identifier: Apache-2.0

import Database
package import Platform
import SQLite

/// The symbols of one binary: a symbol file, or the part of a file for one architecture.
package struct StoredSymbols: Sendable, Equatable {
    /// The minified file of a source map.
    package struct Code: Sendable, Equatable {
        package var sha256: String
        package var bytes: Int64

        package init(sha256: String, bytes: Int64) {
            (self.sha256, self.bytes) = (sha256, bytes)
        }
    }

    package var debugID: String
    /// The SHA-256 of the file, which is its name in the folder of symbols.
    package var sha256: String
    package var format: String
    package var architecture: String
    /// The URL of a source map that was uploaded for a release.
    package var name: String?
    package var release: String?
    package var distribution: String?
    package var bytes: Int64
    package var created: Timestamp
    package var code: Code?

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
    ///
    /// - Parameter alsoArrived: Further IDs under which reports wait for the symbols.
    package func bring(_ symbols: [StoredSymbols], alsoArrived: [String] = [], app: AppID) async throws -> [String] {
        try await change { context in
            var replaced: Set<String> = []
            for one in symbols {
                if let old = try context.file.symbols(of: one.debugID, app: app) { replaced.formUnion(old.files) }
                try context.bring(one, app: app)
            }
            for id in alsoArrived { try context.arrive(id, app: app) }
            return try context.file.unused(replaced.subtracting(symbols.flatMap(\.files)), app: app)
        }
    }

    /// Removes the symbols of a binary. Returns the hashes of files that are no longer used.
    package func removeSymbols(of debugID: String, app: AppID) async throws -> [String] {
        try await change { context in
            guard let old = try context.file.symbols(of: debugID, app: app) else {
                throw Refusal(.notFound, "There are no symbols for this debug ID.", hint: "`GET /v1/symbols` lists all symbol files.")
            }
            try context.file.statement("DELETE FROM symbol_files WHERE app = ? AND debug_id = ?").run(.integer(app.rawValue), .text(debugID))
            return try context.file.unused(Set(old.files), app: app)
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
        try await read { try $0.files(of: app) }
    }

    /// Returns the total bytes of an app's symbol files.
    package func symbolBytes(app: AppID) async throws -> Int64 {
        try await read { file in
            try file.statement(
                """
                SELECT ifnull(sum(bytes), 0) FROM (
                    SELECT sha256, bytes FROM symbol_files WHERE app = ?1
                    UNION SELECT code, code_bytes FROM symbol_files WHERE app = ?1 AND code IS NOT NULL)
                """
            ).first(.integer(app.rawValue)) { $0.integer(0) } ?? 0
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
    static let columns = "debug_id, sha256, format, arch, name, bytes, created, release, dist, code, code_bytes"

    /// The hashes of its files.
    fileprivate var files: [String] { [sha256, code?.sha256].compactMap(\.self) }

    init(_ row: Row) {
        self.init(
            debugID: row.text(0), sha256: row.text(1), format: row.text(2), architecture: row.text(3), name: row.optionalText(4),
            bytes: row.integer(5), created: Timestamp(milliseconds: row.integer(6)))
        (release, distribution) = (row.optionalText(7), row.optionalText(8))
        code = row.optionalText(9).map { Code(sha256: $0, bytes: row.integer(10)) }
    }
}

extension CrashDB {
    func symbols(of debugID: String, app: AppID) throws -> StoredSymbols? {
        try statement("SELECT \(StoredSymbols.columns) FROM symbol_files WHERE app = ? AND debug_id = ?")
            .first(.integer(app.rawValue), .text(debugID), row: StoredSymbols.init)
    }

    /// Returns the symbol files of all apps, by the hash that is the file's name.
    package func symbolFiles() throws -> [(app: Int64, sum: String)] {
        try statement(
            """
            SELECT app, sha256 FROM symbol_files UNION SELECT app, code FROM symbol_files WHERE code IS NOT NULL ORDER BY app, sha256
            """
        ).all { ($0.integer(0), $0.text(1)) }
    }

    /// Returns those of some files that no symbols of the app use.
    fileprivate func unused(_ files: Set<String>, app: AppID) throws -> [String] {
        if files.isEmpty { return [] }
        return files.subtracting(try self.files(of: app)).sorted()
    }

    /// Returns the hashes of an app's symbol files.
    fileprivate func files(of app: AppID) throws -> Set<String> {
        let rows = try statement("SELECT sha256, code FROM symbol_files WHERE app = ?").all(.integer(app.rawValue)) {
            [$0.text(0), $0.optionalText(1)].compactMap(\.self)
        }
        return Set(rows.joined())
    }
}
