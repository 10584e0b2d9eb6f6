// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

extension CrashFileContext {
    /// Stores the row of uploaded symbols. A map that is uploaded again without its minified file keeps the one it has.
    func bring(_ symbols: StoredSymbols, app: AppID) throws {
        let old = try file.symbols(of: symbols.debugID, app: app)
        let code = symbols.code ?? (old?.sha256 == symbols.sha256 ? old?.code : nil)
        try file.statement(
            """
            INSERT OR REPLACE INTO symbol_files (app, debug_id, sha256, format, arch, name, bytes, created, release, dist, code, code_bytes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            .integer(app.rawValue), .text(symbols.debugID), .text(symbols.sha256), .text(symbols.format), .text(symbols.architecture),
            .text(symbols.name), .integer(symbols.bytes), .integer(symbols.created.milliseconds), .text(symbols.release),
            .text(symbols.distribution), .text(code?.sha256), .integer(code?.bytes ?? 0))
        try arrive(symbols.debugID, app: app)
    }

    /// Notes that symbols arrived for which reports may wait.
    func arrive(_ debugID: String, app: AppID) throws {
        try file.statement("INSERT OR IGNORE INTO arrived_symbols (app, debug_id) VALUES (?, ?)").run(.integer(app.rawValue), .text(debugID))
        leavesWork = true
    }

    /// Requests symbols for a new report. It is queued for symbolication if they are stored, and waits otherwise.
    ///
    ///     report with stacks in App (debug ID A) and UIKit (debug ID U, part of the system)
    ///         A stored        → `to_symbolicate`
    ///         A missing       → `waiting`, and A in `wanted_symbols`, the list of missing symbols
    ///         U missing       → ignored: symbols of the system are used if uploaded, but not requested
    ///     upload of A         → `arrived_symbols` → the writer moves reports from `waiting` to `to_symbolicate` in chunks
    ///
    /// - Parameter tries: The attempts of the symbolication that found these missing.
    /// - Parameter unreadable: The hashes of files that count as missing.
    func want(_ symbols: [WantedSymbols], for crash: Int64, app: Int64, tries: Int = 0, unreadable: Set<String> = []) throws {
        for wanted in symbols {
            let stored = try wanted.places.compactMap { try file.symbols(of: $0, app: AppID(rawValue: app)) }
            if stored.contains(where: { !unreadable.contains($0.sha256) }) {
                try lookUp(crash, tries: tries)
                continue
            }
            if wanted.isOfTheSystem { continue }
            try file.statement("INSERT OR IGNORE INTO waiting (app, debug_id, crash) VALUES (?, ?, ?)")
                .run(.integer(app), .text(wanted.debugID), .integer(crash))
            if !wanted.isListed && stored.isEmpty { continue }
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
    func lookUp(_ crash: Int64, tries: Int = 0) throws {
        let queue = """
            INSERT INTO to_symbolicate (crash, leased, tries) VALUES (?1, 0, ?2) ON CONFLICT DO UPDATE SET leased = 0, tries = excluded.tries
            """
        try file.statement(queue).run(integers: [crash, Int64(tries)])
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
