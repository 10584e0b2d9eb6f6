// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite
import TestSupport

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// The contents of the crash file, recounted with simple queries.
struct StoredCrashes {
    /// The crashes by app and ID with their number of occurrences.
    private(set) var crashes: [String: Int] = [:]
    /// Reports that wait for symbolication.
    let symbolicating: Int
    /// The inconsistencies.
    private(set) var problems: [String] = []
    private(set) var issues: Set<String> = []
    private(set) var symbols: Set<String> = []
    /// Crashes with a stored attachment.
    private(set) var attached: Set<String> = []

    init(of folder: String) throws {
        let paths = StorePaths(root: folder)
        let file = try Connection(paths.crashes, .read)
        // Reads one snapshot.
        try file.execute("BEGIN")
        symbolicating = try file.statement("SELECT count(*) FROM to_symbolicate").first { $0.int(0) } ?? 0
        let found = try file.statement("PRAGMA integrity_check").all { $0.text(0) }
        if found != ["ok"] { problems.append("the crash file: \(found.prefix(3))") }
        for (what, sql) in CrashRecount.wrongs {
            let rows = try file.uncached(sql).all { $0.integer(0) }
            if !rows.isEmpty { problems.append("\(what): \(rows.prefix(5))") }
        }
        try collect(file)
        try compareCounts(file)
        try compareFiles(file, paths)
    }

    private mutating func collect(_ file: Connection) throws {
        try file.statement("SELECT app, public FROM crashes").each([]) { row in
            let id = row.isBlob(1) ? String(decoding: UUID128(networkBytes: row.bytes(1)).text, as: UTF8.self) : row.text(1)
            crashes["\(row.integer(0))/\(id)", default: 0] += 1
        }
        let files = "SELECT c.app, c.public FROM crashes c JOIN attachments a ON a.crash = c.id WHERE a.bytes > 0 AND typeof(c.public) = 'blob'"
        attached = Set(
            try file.statement(files).all { "\($0.integer(0))/" + String(decoding: UUID128(networkBytes: $0.bytes(1)).text, as: UTF8.self) })
        for (id, count) in crashes where count > 1 { problems.append("\(id) is stored \(count) times") }
        issues = Set(try file.statement("SELECT app, public FROM issues UNION SELECT app, public FROM former_issues").all(row: StoredCrashes.name))
        symbols = Set(try file.statement("SELECT app, debug_id FROM symbol_files").all(row: StoredCrashes.name))
    }

    private static func name(_ row: Row) -> String { "\(row.integer(0))/\(row.text(1))" }

    /// Without removed reports every counter matches the rows.
    private mutating func compareCounts(_ file: Connection) throws {
        let sql = """
            SELECT i.public, i.count, count(c.id) FROM issues i JOIN groupings g ON g.issue = i.id LEFT JOIN crashes c ON c.grouping = g.id
            GROUP BY i.id HAVING i.count <> count(c.id)
            """
        for row in try file.statement(sql).all(row: { "issue \($0.text(0)) counts \($0.int(1)) and has \($0.int(2))" }) { problems.append(row) }
        let lost = try file.statement("SELECT count(*) FROM crashes WHERE grouping NOT IN (SELECT id FROM groupings)").first { $0.int(0) } ?? 0
        if lost > 0 { problems.append("\(lost) crashes have no issue") }
    }

    /// Compares the rows of symbol files with the files and their hashes.
    private mutating func compareFiles(_ file: Connection, _ paths: StorePaths) throws {
        let known = try file.statement(
            """
            SELECT app, sha256, bytes FROM symbol_files UNION SELECT app, code, code_bytes FROM symbol_files WHERE code IS NOT NULL
            """
        ).all { ("\($0.integer(0))/\($0.text(1))", $0.integer(2)) }
        for (name, bytes) in known where Folder.size(of: "\(paths.symbols)/\(name)") != bytes { problems.append("symbol file \(name) is incomplete") }
    }
}
