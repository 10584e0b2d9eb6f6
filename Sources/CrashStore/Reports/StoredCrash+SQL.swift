// SPDX-License-Identifier: Apache-2.0

import Compression
package import Crashes
import Database
package import Platform
import SQLite

/// A stored report without its document.
package struct StoredCrash: Sendable, Equatable {
    package var row: Int64
    package var id: String
    package var issue: String
    package var kind: CrashKind
    package var time: Timestamp
    package var received: Timestamp
    package var release: String?
    package var system: String?
    package var device: String?
    package var platform: String?
    package var flags: CrashFlags
    /// Whether the document is stored.
    package var isWhole: Bool
    /// The row of `groupings` for which it counts.
    package var grouping: Int64
    /// The keys that events use as well; 0 for none.
    package var user: UInt64
    package var installation: UInt64
    package var session: UInt64

    package var symbols: Symbols

    /// The state of symbolication.
    package enum Symbols: Int, StoredWord {
        case complete = 0
        /// The report is queued for symbolication.
        case waiting = 1
        /// Symbols of a binary in its stacks have not been uploaded.
        case missing = 2
    }

    static let selection = """
        SELECT c.id, c.public, i.public, c.kind, c.time, c.received, (SELECT text FROM words WHERE id = c.release),
            (SELECT text FROM words WHERE id = c.os), (SELECT text FROM words WHERE id = c.device),
            (SELECT text FROM words WHERE id = c.platform), c.flags, c.bytes, c.grouping, c.user, c.installation, c.session,
            CASE WHEN EXISTS (SELECT 1 FROM to_symbolicate t WHERE t.crash = c.id) THEN \(sql: Symbols.waiting)
                 WHEN EXISTS (SELECT 1 FROM waiting w JOIN wanted_symbols s ON s.app = w.app AND s.debug_id = w.debug_id WHERE w.crash = c.id)
                 THEN \(sql: Symbols.missing) ELSE \(sql: Symbols.complete) END
        FROM crashes c JOIN groupings g ON g.id = c.grouping JOIN issues i ON i.id = g.issue
        """

    init(_ row: Row) {
        self.row = row.integer(0)
        id = row.isBlob(1) ? String(decoding: UUID128(networkBytes: row.bytes(1)).text, as: UTF8.self) : row.text(1)
        issue = row.text(2)
        kind = CrashKind(rawValue: row.int(3)) ?? .nonfatal
        time = Timestamp(milliseconds: row.integer(4))
        received = Timestamp(milliseconds: row.integer(5))
        release = row.optionalText(6)
        system = row.optionalText(7)
        device = row.optionalText(8)
        platform = row.optionalText(9)
        flags = CrashFlags(rawValue: row.int(10))
        isWhole = row.int(11) > 0
        grouping = row.integer(12)
        user = row.key(13)
        installation = row.key(14)
        session = row.key(15)
        symbols = Symbols(rawValue: row.int(16)) ?? .complete
    }
}

extension CrashStore {
    /// Returns a report by its ID, with its document if that is stored. Nil if there is no such report.
    package func crash(_ id: String, app: AppID) async throws -> (crash: StoredCrash, payload: [UInt8]?)? {
        let key = hash.eventKey(id, app: app)
        return try await read { file in
            let find = "\(StoredCrash.selection) WHERE c.app = ? AND c.key = ?"
            guard let crash = try file.statement(find).first(.integer(app.rawValue), .key(key), row: StoredCrash.init) else { return nil }
            return (crash, try file.payload(of: crash.row))
        }
    }

    /// Whether a report with this ID was taken before. The report itself may have been removed since.
    package func knows(_ id: String, app: AppID) async throws -> Bool {
        let key = hash.eventKey(id, app: app)
        return try await read { file in
            try ["crashes", "once"].contains { table in
                try file.statement("SELECT 1 FROM \(table) WHERE app = ? AND key = ?").first(.integer(app.rawValue), .key(key)) { _ in true } ?? false
            }
        }
    }

    /// Returns the stored documents of some reports.
    package func payloads(of rows: [Int64]) async throws -> [Int64: [UInt8]] {
        try await read { file in
            var payloads: [Int64: [UInt8]] = [:]
            for row in rows { payloads[row] = try file.payload(of: row) }
            return payloads
        }
    }
}

extension KeyedHash {
    /// Returns the key of an event's or report's ID.
    func eventKey(_ id: String, app: AppID) -> UInt64 {
        let bytes = Array(id.utf8)
        return UUID128(bytes.span).map { self(.eventID, app: app, $0) } ?? self(.eventID, app: app, bytes.span)
    }
}

extension CrashDB {
    func payload(of crash: Int64) throws -> [UInt8]? {
        let body = try statement("SELECT body FROM payloads WHERE crash = ?").first(.integer(crash)) { $0.bytes(0) }
        return try body.map { try decompress($0, limit: CrashLimits.readableReportBytes) }
    }

    /// Returns a report's document. Nil if it is not stored or cannot be decoded.
    func readablePayload(of crash: Int64) throws -> [UInt8]? {
        do {
            return try payload(of: crash)
        } catch is DecodeError {
            return nil
        }
    }
}
