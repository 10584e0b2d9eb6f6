// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

@Suite struct ConnectionTests {
    @Test func `a released connection is closed with its cached statements`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/a.db"
        for _ in 0..<20 {
            let connection = try Connection(path, .write)
            try connection.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER)")
            try connection.statement("INSERT INTO t VALUES (?)").run(1)
            _ = try connection.uncached("SELECT n FROM t").all { $0.int(0) }
        }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        #expect(open.filter { $0.hasPrefix(path) }.isEmpty)
    }

    @Test func `a statement keeps its connection alive`() throws {
        let folder = TemporaryFolder()
        let numbers = try Connection(folder.path + "/a.db", .write).statement("SELECT 1 UNION SELECT 2").all { $0.int(0) }
        #expect(numbers == [1, 2])
    }

    @Test func `a reader cannot write`() throws {
        let folder = TemporaryFolder()
        try Connection(folder.path + "/a.db", .write).execute("CREATE TABLE t (n INTEGER)")
        #expect(throws: SQLiteError.self) { try Connection(folder.path + "/a.db", .read).execute("INSERT INTO t VALUES (1)") }
    }

    @Test func `a statement beyond its time limit is interrupted`() throws {
        let folder = TemporaryFolder()
        let connection = try Connection(folder.path + "/a.db", .write)
        connection.limit(seconds: 0.02)
        let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let error = #expect(throws: SQLiteError.self) { try connection.statement(endless).run() }
        #expect(error?.code == .interrupted)
    }

    @Test func `bound values are returned unchanged`() throws {
        let folder = TemporaryFolder()
        let connection = try Connection(folder.path + "/a.db", .write)
        let statement = try connection.statement("SELECT ?, ?, ?, ?, ?")
        let row = try statement.first(.integer(-1), .text("ä\0b"), .blob([0, 255]), .null, .words([1, .max])) { row in
            (row.integer(0), row.text(1), row.bytes(2), row.isNull(3), row.words(4))
        }
        let found = try #require(row)
        #expect(found.0 == -1 && found.1 == "ä\0b" && found.2 == [0, 255] && found.3 && found.4 == [1, .max])
    }
}
