// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import Testing

@Suite struct ConfinementTests {
    private static let values: [Value] = [
        "", "a", "A", "aab", "baa", "äb", "aäböä a", "%a_", "a%", "*ä?", "[a-c]*", "a\\%", "\\", 12, 1, .real(1.5), .blob([0x61]),
    ]

    private static func answers(_ sql: String, to values: [Value] = values, isConfined: Bool) throws -> [String] {
        let connection = try Connection(":memory:", .read)
        let functions: Set = ["trim", "ltrim", "rtrim", "instr", "replace", "like", "glob", "quote"]
        let bounds = SQLBounds(tables: [], functions: functions, seconds: 60, memory: 64 << 20, valueBytes: 1_000, statementBytes: 1_000)
        let confinement = isConfined ? try Confinement(connection, bounds) : nil
        return try withExtendedLifetime(confinement) {
            let statement = try connection.only("SELECT quote(\(sql))")
            return try values.flatMap { first in
                try values.map { second in try statement.first(first, second) { $0.text(0) } ?? "nothing" }
            }
        }
    }

    @Test(arguments: [
        "trim(?1, ?2)", "ltrim(?1, ?2)", "rtrim(?1, ?2)", "instr(?1, ?2)", "replace(?1, ?2, '<ä>')", "replace(?1, 'a', ?2)", "?1 LIKE ?2",
        "?1 LIKE ?2 ESCAPE '\\'", "?1 GLOB ?2",
    ])
    func `replacement functions return the same results as SQLite's`(sql: String) throws {
        let own = try Self.answers(sql, isConfined: false)
        #expect(try Self.answers(sql, isConfined: true) == own)
        #expect(Set(own).count > 1)
        #expect(try Set(Self.answers(sql, to: [nil, "a"], isConfined: true)) == Set(Self.answers(sql, to: [nil, "a"], isConfined: false)))
    }

    @Test(arguments: ["replace(quote(?1), ?2, '\(String(repeating: "x", count: 1_000))')", "?1 LIKE '\(String(repeating: "x", count: 257))' OR ?2"])
    func `replacement functions have SQLite's limits`(sql: String) {
        #expect(throws: SQLiteError.self) { try Self.answers(sql, isConfined: true) }
    }

    private static let counting = "WITH RECURSIVE n(i, t) AS (SELECT 1, ?1 UNION ALL SELECT i + 1, t FROM n LIMIT 10000)"

    private typealias Outcome = (answer: Int?, excess: Confinement.Excess?)

    private static func count(_ sql: String, _ value: Value, meanwhile: () throws -> Void = {}) throws -> Outcome {
        let connection = try Connection(":memory:", .read)
        try connection.execute("PRAGMA temp_store = MEMORY")
        let bounds = SQLBounds(tables: [], functions: ["count"], seconds: 60, memory: 4 << 20, valueBytes: 10_000, statementBytes: 1_000)
        let confinement = try Confinement(connection, bounds)
        return try withExtendedLifetime(confinement) {
            try meanwhile()
            let answer = try? connection.only(sql).first(value) { $0.int(0) }
            return (answer, confinement.excess)
        }
    }

    @Test func `a query is charged for its own memory only`() throws {
        let own = try Self.count("\(Self.counting) SELECT count(*) FROM (SELECT DISTINCT i, t FROM n)", .text(String(repeating: "x", count: 5_000)))
        #expect(own.answer == nil && own.excess == .memory)

        let other = Other(try Connection(":memory:", .write))
        let beside = try Self.count("\(Self.counting) SELECT count(*) FROM n", 1) {
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                try? other.connection.execute("CREATE TABLE kept AS SELECT zeroblob(16 << 20)")
                done.signal()
            }
            done.wait()
        }
        #expect(beside.answer == 10_000 && beside.excess == nil)
        #expect(try other.connection.only("SELECT length(\"zeroblob(16 << 20)\") FROM kept").first { $0.int(0) } == 16 << 20)
    }

    /// This connection is used by one thread at a time.
    private struct Other: @unchecked Sendable {
        let connection: Connection

        init(_ connection: Connection) { self.connection = connection }
    }
}
