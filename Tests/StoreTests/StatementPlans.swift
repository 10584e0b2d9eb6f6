// SPDX-License-Identifier: Apache-2.0

import SQLite
import TestSupport

@testable import Database

/// The query plans of statements in an empty file, which must not depend on what tables hold.
struct StatementPlans {
    private let folder = TemporaryFolder()
    private let file: Connection

    init(_ apply: (Connection) throws -> Void) throws {
        file = try Connection(folder.path + "/empty.db", .write)
        try apply(file)
    }

    /// The steps of a statement, such as `SEARCH d USING INDEX deliveries_due (origin=? AND due<?)`.
    func steps(_ sql: String) throws -> [String] {
        try file.uncached("EXPLAIN QUERY PLAN " + sql).all { $0.text(3) }
    }

    /// Returns the statements that scan a table or index which is neither `small` nor an index of pending work.
    func scans(_ statements: Set<String>, small: Set<String>, ofWork: Set<String>) throws -> [String] {
        try statements.filter { sql in
            guard !sql.hasPrefix("PRAGMA") else { return false }
            return try steps(sql).contains { $0.hasPrefix("SCAN ") && !isBounded($0, small, ofWork) }
        }
    }

    private func isBounded(_ scan: String, _ small: Set<String>, _ ofWork: Set<String>) -> Bool {
        let words = scan.split(separator: " ").map(String.init)
        if small.contains(words[1]) || scan.contains("VIRTUAL TABLE") || scan == "SCAN CONSTANT ROW" { return true }
        return words.firstIndex(of: "INDEX").map { ofWork.contains(words[$0 + 1]) } ?? false
    }
}
