// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct MigrationTests {
    private static let first = "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)"
    private static let second = "CREATE TABLE b (y INTEGER) STRICT; INSERT INTO b SELECT x FROM a; DROP TABLE a"

    private static func open(_ path: String) throws -> Connection {
        let connection = try Connection(path, .write)
        try connection.execute("PRAGMA journal_mode = WAL")
        return connection
    }

    private static func state(_ connection: Connection) throws -> (version: Int, tables: [String]) {
        let version = try connection.statement("PRAGMA user_version").first { $0.int(0) } ?? -1
        return (version, try connection.uncached("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").all { $0.text(0) })
    }

    @Test func `each step runs once from any version`() throws {
        let folder = TemporaryFolder()
        let connection = try Self.open(folder.path + "/file.db")
        try Migration(steps: [Self.first]).apply(to: connection)
        #expect(try Self.state(connection) == (1, ["a"]))
        for _ in 0..<2 {
            try Migration(steps: [Self.first, Self.second]).apply(to: connection)
            #expect(try Self.state(connection) == (2, ["b"]))
        }
    }

    @Test func `a newer schema is rejected and left unchanged`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/file.db"
        let connection = try Self.open(path)
        try Migration(steps: [Self.first, Self.second]).apply(to: connection)
        #expect(throws: StoreError.newerSchema(path: path, found: 2, known: 1)) { try Migration(steps: [Self.first]).apply(to: connection) }
        #expect(try Self.state(connection) == (2, ["b"]))
    }

    @Test func `a failed step is rolled back, and earlier steps stay`() throws {
        let folder = TemporaryFolder()
        let connection = try Self.open(folder.path + "/file.db")
        let broken = "CREATE TABLE half (x INTEGER) STRICT; INSERT INTO nowhere VALUES (1)"
        #expect(throws: SQLiteError.self) { try Migration(steps: [Self.first, broken]).apply(to: connection) }
        #expect(try Self.state(connection) == (1, ["a"]))
        #expect(!connection.inTransaction)
        try Migration(steps: [Self.first, Self.second]).apply(to: connection)
        #expect(try Self.state(connection) == (2, ["b"]))
    }

    @Test func `a step interrupted by a kill is repeated at the next start`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/file.db"
        let connection = try Self.open(path)
        try Migration(steps: [Self.first]).apply(to: connection)
        try connection.begin()
        try connection.execute(Self.second)
        // A copy of the files now, with the step committed or not.
        let left = folder.path + "/left.db"
        for suffix in ["", "-wal"] {
            try File(left + suffix, .create).write(try File(path + suffix, .read).read(at: 0, count: Int(Folder.size(of: path + suffix))))
        }
        let next = try Self.open(left)
        #expect(try Self.state(next) == (1, ["a"]))
        try Migration(steps: [Self.first, Self.second]).apply(to: next)
        #expect(try Self.state(next) == (2, ["b"]))
        connection.rollback()
    }

    @Test func `a data folder of a newer version is not opened`() async throws {
        let folder = TemporaryFolder()
        try await withStore(in: folder) { _ in }
        let main = StorePaths(root: folder.path).main
        try Connection(main, .write).execute("PRAGMA user_version = 99")
        #expect(throws: StoreError.newerSchema(path: main, found: 99, known: MainDB.schema.steps.count)) {
            try Stores(folder.path) { fatalError($0) }
        }
    }

    private struct Words: TypedDatabase {
        static let schema = Migration(steps: ["CREATE TABLE words (word TEXT) STRICT"])
        let connection: Connection
    }

    private static func occurrences(of word: String, in path: String) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: path)).occurrences(of: Data(word.utf8))
    }

    @Test func `a file of a release that left copies of moved rows is cleaned when it is opened`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/words.db"
        do {
            let file = try Words.open(writing: path)
            try file.statement("INSERT INTO words VALUES (?)").run("kept")
            try file.connection.checkpoint(.truncate)
        }
        // The second page is the table's. Its pointers are at the begin, its cells at the end.
        func leaveACopy() throws {
            let bytes = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try bytes.seek(toOffset: UInt64(databasePageBytes + 4_096))
            try bytes.write(contentsOf: Data("annsecretword".utf8))
            try bytes.close()
            #expect(try Self.occurrences(of: "annsecretword", in: path) == 1)
        }
        try leaveACopy()
        // The mark of a clean file says that there is nothing to do.
        try Words.open(writing: path).connection.execute("PRAGMA application_id = 0")
        #expect(try Self.occurrences(of: "annsecretword", in: path) == 1)
        for _ in 0..<2 {
            let file = try Words.open(writing: path)
            #expect(try Self.occurrences(of: "annsecretword", in: path) == 0)
            #expect(try file.statement("SELECT word FROM words").all { $0.text(0) } == ["kept"])
            #expect(try file.statement("PRAGMA integrity_check").first { $0.text(0) } == "ok")
        }
    }
}
