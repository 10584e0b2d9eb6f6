// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Compression
import Crashes
import Database
import Platform
import SQLite

/// The minidumps of stored reports, so that stacks can be walked again when symbols arrive.
///
/// A dump is removed together with its report's document, and when the person is anonymized, because it contains memory of the process.
/// Above the quota of an app the oldest go first; their reports stay:
///
///     quota 256 MiB, stored 255 MiB, new dump 2 MiB  →  the two oldest dumps are removed
extension CrashStore {
    /// Returns the minidump of a report. Nil if it has none, or if it was removed.
    package func minidump(of crash: Int64) async throws -> [UInt8]? {
        try await read { try $0.minidump(of: crash) }
    }

    /// Returns the newest minidump of a person before a row, with its report. Nil if there is none.
    package func minidump(of records: PersonRecords, before row: Int64) async throws -> (report: StoredCrash, bytes: [UInt8])? {
        try await read(.large, seconds: 30) { file in
            let find = """
                SELECT m.crash FROM minidumps m CROSS JOIN crashes c ON c.id = m.crash
                WHERE m.crash < ? AND \(records.keys.condition(on: "c.")) ORDER BY m.crash DESC LIMIT 1
                """
            guard let crash = try file.uncached(find).first(.integer(row), row: { $0.integer(0) }) else { return nil }
            let report = try file.statement("\(StoredCrash.selection) WHERE c.id = ?").first(.integer(crash), row: StoredCrash.init)
            guard let report, let dump = try file.minidump(of: crash) else { return nil }
            return (report, dump)
        }
    }
}

extension CrashFileContext {
    /// The number of dumps removed in one change. A lowered quota is reached step by step.
    private static let removedAtOnce = 100

    func insertMinidump(_ body: [UInt8], of crash: Int64, app: Int64) throws {
        guard !body.isEmpty, body.count <= limits.minidumpBytes else { return }
        try file.statement("INSERT INTO minidumps (crash, app, body) VALUES (?, ?, ?)").run(.integer(crash), .integer(app), .blob(body))
        var stored = try file.countMinidump(bytes: body.count, app: app)
        var left = CrashFileContext.removedAtOnce
        while stored > limits.minidumpBytes, left > 0, let oldest = try file.oldestMinidump(app: app), oldest != crash {
            stored -= Int64(try removeMinidump(of: oldest))
            ofThisChange.evictedDumps += 1
            left -= 1
        }
    }

    /// Removes the minidump of a report if there is one. Returns its size.
    @discardableResult
    func removeMinidump(of crash: Int64) throws -> Int {
        let found = try file.statement("SELECT app, length(body) FROM minidumps WHERE crash = ?").first(.integer(crash)) {
            ($0.integer(0), $0.int(1))
        }
        guard let (app, bytes) = found else { return 0 }
        try file.statement("DELETE FROM minidumps WHERE crash = ?").run(integers: [crash])
        _ = try file.countMinidump(bytes: -bytes, app: app)
        return bytes
    }
}

extension CrashDB {
    /// The size of a decompressed dump. It exceeds the size limit of a request.
    private static let dumpBytes = 1 << 30

    fileprivate func minidump(of crash: Int64) throws -> [UInt8]? {
        let body = try statement("SELECT body FROM minidumps WHERE crash = ?").first(.integer(crash)) { $0.bytes(0) }
        do throws(DecodeError) {
            return try body.map { body throws(DecodeError) in try decompress(body, limit: CrashDB.dumpBytes) }
        } catch {
            return nil
        }
    }

    /// Adds to the size of an app's dumps and returns it.
    fileprivate func countMinidump(bytes: Int, app: Int64) throws -> Int64 {
        try statement(
            "INSERT INTO minidump_bytes (app, bytes) VALUES (?, ?) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes RETURNING bytes"
        ).first(.integer(app), .integer(bytes)) { $0.integer(0) } ?? 0
    }

    fileprivate func oldestMinidump(app: Int64) throws -> Int64? {
        try statement("SELECT crash FROM minidumps WHERE app = ? ORDER BY crash LIMIT 1").first(.integer(app)) { $0.integer(0) }
    }
}
