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
@testable import DocumentStore
@testable import EventStore
@testable import FileStore
@testable import MessageStore

/// Upgrades of older data folders that are interrupted.
@Suite(.namesFaultSeed) struct SchemaUpgradeTests {
    private static let environment = ProcessInfo.processInfo.environment
    /// `scripts/faults` cuts several times at every moment; otherwise some moments are tested.
    private static let isWhole = environment["SIGNALBOX_FAULT_CUTS"] != nil

    private static let main = """
        INSERT INTO apps (name, created) VALUES ('shop', 1);
        INSERT INTO keys (app, role, label, hash, hint, created, bundle_ids, origins, events_per_minute) VALUES (1, 'read', 'r', x'01', 'h', 1, '', '', 0);
        INSERT INTO people VALUES (1, 7, 1, 'alice', 1), (1, 8, 2, 'phone', 2);
        """
    /// Two webhook devices, an origin that no device names any more, replaced secrets, and a message to both.
    private static func messages(_ version: Int) -> String {
        // Since version 4 the replaced secrets are one text.
        let (column, secret, other) =
            version < 4
            ? ("old_secret, old_until", "x'0a0b', 4000000000000", "x'0c', 4000000000001")
            : ("replaced_secrets", "'4000000000000 1 0A0B'", "'4000000000001 2 0C'")
        return """
            INSERT INTO origins VALUES (1, 'http://a.example'), (2, 'http://gone.example'), (3, 'http://b.example');
            INSERT INTO registrations (app, token, kind, platform, origin, url, state, created, seen, scheme)
                VALUES (1, 't1', 1, 1, 1, 'http://a.example/1', 1, 1, 4e12, 0), (1, 't2', 1, 1, 3, 'http://b.example/1', 1, 1, 4e12, 0);
            UPDATE registrations SET (scheme, secret, \(column)) = (1, x'01', \(secret)) WHERE token = 't2';
            INSERT INTO app_secrets (app, scheme, secret, \(column)) VALUES (1, 2, x'02', \(other));
            INSERT INTO topics (app, name, created, subscribers) VALUES (1, 'news', 1, 2);
            INSERT INTO subscriptions (topic, registration, created) VALUES (1, 1, 1), (1, 2, 1);
            INSERT INTO messages (app, public, stage, topic_name, priority, ttl, created, expires, audience) VALUES (1, 'm1', 4, 'news', 0, 1, 1, 4e12, 2);
            INSERT INTO deliveries (message, registration, origin, state, changed) VALUES (1, 1, 1, 5, 1), (1, 2, 3, 5, 1);
            INSERT INTO message_counts VALUES (1, 5, 2);
            """
    }

    /// A collection that lost its documents, with the log of one, a document, the last batch of a client, and rules.
    private static func documents(_ version: Int) -> String {
        let rules = "INSERT INTO rules (app, revision, source, at) VALUES (1, 1, 'service cloud.firestore { }', 1);"
        return """
            INSERT INTO collections (app, path, grp, documents, bytes) VALUES (1, 'users', 'users', 0, 0);
            INSERT INTO documents VALUES (1, 1, x'616e61', 1, 1, x'7b7d');
            INSERT INTO changes VALUES (4000000000000000, 0, 1, x'626f62', 2, 1, 1, x'7b7d');
            INSERT INTO clients (app, client, batch, stamp, answer, at) VALUES (1, 'phone', 1, 1, x'5b5d', 4000000000000);
            \(version < 3 ? "" : rules)
            """
    }

    /// A small file, the log of its upload and of the deletion of another, and rules.
    private static let files = """
        INSERT INTO contents VALUES (1, x'01');
        INSERT INTO objects (app, path, content, size, type, sha256, crc32c, generation, metageneration, created, updated)
            VALUES (1, 'a', 1, 1, 'text/plain', x'4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a', 0, 4000000000000000, 1, 1, 1);
        INSERT INTO usage VALUES (0, '', 1, 1, 0, 0), (1, '', 1, 1, 0, 0);
        INSERT INTO changes (seq, app, path, what) VALUES (4000000000000000, 1, 'a', 1), (4000000000000001, 1, 'b', 2);
        UPDATE meta SET value = 4000000000000001 WHERE key = 'stamp';
        INSERT INTO rules (app, revision, source, at) VALUES (1, 1, 'service firebase.storage { }', 1);
        """

    private static let databases = ["main.db", "messages.db", "documents.db", "files.db"]
    private static let schemas = [MainDB.schema, MessageDB.schema, DocumentDB.schema, FileDB.schema]

    /// All versions but the newest of the file with the most versions; other files are never newer than one version before their newest.
    private static let versions = 1..<schemas.map(\.steps.count).reduce(1, max)

    @Test(arguments: versions)
    func `after a power cut during an upgrade the next start completes it with every row`(version: Int) async throws {
        let folder = TemporaryFolder()
        let data = try Self.make(in: folder, version)
        var disk = try VolatileDisk(root: folder.path, folder: data, files: Self.databases)
        let shim = FaultShim(watching: folder.path)
        let child = try await DaemonProcess.start(in: data, environment: shim.environment)
        await child.killHard()
        let wanted = try Self.dumps(data)
        #expect(wanted.map(\.version) == Self.schemas.map(\.steps.count))
        #expect(wanted[2].tables["documents"]?.count == 1 && wanted[2].tables["changes"]?.count == 1 && wanted[2].tables["sizes"] == [])
        #expect(wanted[2].tables["clients"] == ["1, 'phone', 1, 1, X'5B5D', 4000000000000, 0"])
        // Only later versions store the generation of a change, and the author of rules.
        #expect(wanted[3].tables["objects"]?.count == 1 && wanted[3].tables["changes"]?.count { $0.hasSuffix(", NULL") } == 2)
        let rules = [wanted[2], wanted[3]].map { $0.tables["rules"]?.filter { $0.hasSuffix(", 1, NULL, NULL") }.count }
        #expect(rules == [Self.documentsVersion(version) < 3 ? 0 : 1, 1])
        for (table, secret) in [("registrations", "'4000000000000 1 0A0B'"), ("app_secrets", "'4000000000001 2 0C'")] {
            #expect(wanted[1].tables[table]?.contains { $0.contains(secret) } == true)
        }
        var random = SeededGenerator(FaultSeed.value &+ UInt64(version))
        let entries = DiskJournal(shim.journal).entries
        for (moment, entry) in entries.enumerated() {
            disk.apply(entry)
            let isCut = Self.isWhole || Int.random(in: 0..<max(1, entries.count / 4), using: &random) == 0 || moment == entries.count - 1
            for _ in 0..<(isCut ? Self.isWhole ? 5 : 1 : 0) {
                let left = TemporaryFolder()
                try disk.cut(into: left.path, &random)
                #expect(try await Self.openedAndClosed(left.path + "/data") == wanted, "at \(entry.place)")
            }
        }
    }

    @Test(arguments: versions)
    func `after a kill before any file change of an upgrade the next start completes it with every row`(version: Int) async throws {
        let whole = TemporaryFolder()
        let data = try Self.make(in: whole, version)
        let shim = FaultShim(watching: whole.path)
        await (try DaemonProcess.start(in: data, environment: shim.environment)).killHard()
        let (wanted, calls) = (try Self.dumps(data), shim.calls)
        for call in KilledCalls.some(of: calls, about: 2, isWhole: Self.isWhole) {
            let folder = TemporaryFolder()
            let data = try Self.make(in: folder, version)
            let shim = FaultShim(watching: folder.path)
            shim.kill(at: call)
            do { await (try DaemonProcess.start(in: data, environment: shim.environment)).killHard() } catch is DaemonProcess.Failure {}
            #expect(try await Self.openedAndClosed(data) == wanted, "at call \(call) of \(calls), \(String(describing: shim.failedCall))")
        }
    }

    @Test func `after a kill while the pages of a file are cleaned the next start cleans the rest`() async throws {
        let whole = TemporaryFolder()
        let (data, dirtied) = try Self.makeUnclean(in: whole)
        let shim = FaultShim(watching: whole.path)
        await (try DaemonProcess.start(in: data, environment: shim.environment)).killHard()
        #expect(try dirtied > 50 && Self.copies(in: data) == 0)
        var wereInTheMiddle = 0
        for call in stride(from: 1, through: shim.calls, by: max(1, shim.calls / 10)) {
            let folder = TemporaryFolder()
            let (data, dirtied) = try Self.makeUnclean(in: folder)
            let shim = FaultShim(watching: folder.path)
            shim.kill(at: call)
            do { await (try DaemonProcess.start(in: data, environment: shim.environment)).killHard() } catch is DaemonProcess.Failure {}
            if try (1..<dirtied).contains(Self.copies(in: data)) { wereInTheMiddle += 1 }
            // It also checks the integrity of the files.
            let documents = try await Self.openedAndClosed(data)[2].tables["documents"]
            #expect(try documents?.count == 400 && Self.copies(in: data) == 0, "at call \(call)")
        }
        #expect(wereInTheMiddle > 0)
    }

    private static let copy = Data("annsecretword".utf8)

    private static func copies(in data: String) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: data + "/documents.db")).occurrences(of: copy)
    }

    /// Creates a folder as a release left it that did not clean pages, and returns its path and the number of pages with copies of rows.
    private static func makeUnclean(in folder: TemporaryFolder) throws -> (data: String, dirtied: Int) {
        let data = try make(in: folder, versions.upperBound - 1)
        let path = data + "/documents.db"
        let database = try Connection(path, .write)
        try database.execute(
            """
            WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 400)
            INSERT INTO documents SELECT n, 1, CAST('d' || n AS BLOB), 1, 1, CAST('{"t":"' || hex(zeroblob(1000)) || '"}' AS BLOB) FROM numbers
            """)
        try database.checkpoint(.truncate)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let content = [UInt8](try #require(try file.readToEnd()))
        var dirtied = 0
        for page in stride(from: 0, to: content.count, by: databasePageBytes) {
            let gap = content[page..<page + databasePageBytes].withUnsafeBytes { PageGap.range(of: $0, isFirst: page == 0) }
            guard let gap, gap.count >= copy.count else { continue }
            try file.seek(toOffset: UInt64(page + gap.lowerBound))
            try file.write(contentsOf: copy)
            dirtied += 1
        }
        return (data, dirtied)
    }

    @Test(arguments: ["main.db", "messages.db", "crashes.db", "audit.db", "accounts.db", "documents.db", "files.db", "functions.db", "events/today"])
    func `a file of a newer version is rejected with an error and left unchanged`(name: String) async throws {
        let folder = TemporaryFolder()
        #expect(await (try DaemonProcess.start(in: folder.path)).stop() == 0)
        let paths = StorePaths(root: folder.path)
        let path = name == "events/today" ? paths.file(of: try #require(try paths.days().last)) : folder.path + "/" + name
        try Connection(path, .write).execute("PRAGMA user_version = 99")
        let before = try Self.dump(path)
        let (code, log) = try await DaemonProcess.run(in: folder.path)
        #expect(code == 1)
        let isSentence = log.hasPrefix("ingestd: ") && log.filter(\.isNewline).count == 1
        #expect(isSentence && log.contains("was written by a newer ingestd (schema 99"), "\(log)")
        #expect(try Self.dump(path) == before)
    }

    /// Creates a folder as that version left it and returns its path.
    private static func make(in folder: TemporaryFolder, _ version: Int) throws -> String {
        let data = folder.path + "/data"
        try Folder.make(data)
        try make(data + "/main.db", MainDB.schema, version, main)
        let messagesVersion = min(version, MessageDB.schema.steps.count - 1)
        try make(data + "/messages.db", MessageDB.schema, messagesVersion, messages(messagesVersion))
        try make(data + "/documents.db", DocumentDB.schema, documentsVersion(version), documents(documentsVersion(version)))
        try make(data + "/files.db", FileDB.schema, min(version, FileDB.schema.steps.count - 1), files)
        return data
    }

    private static func documentsVersion(_ version: Int) -> Int { min(version, DocumentDB.schema.steps.count - 1) }

    private static func make(_ path: String, _ newest: Migration, _ version: Int, _ rows: String) throws {
        let file = try Connection(path, .write)
        try file.execute("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        try Migration(steps: Array(newest.steps.prefix(version))).apply(to: file)
        try file.execute(rows)
        try file.checkpoint(.truncate)
    }

    private struct Dump: Equatable {
        var version: Int
        var tables: [String: [String]]
    }

    /// The contents of a folder's files after one more start.
    private static func openedAndClosed(_ data: String) async throws -> [Dump] {
        let store = try Stores(data) { fatalError($0) }
        store.close()
        await store.run()
        return try dumps(data)
    }

    private static func dumps(_ data: String) throws -> [Dump] {
        try databases.map { try dump(data + "/" + $0) }
    }

    /// The contents of a file, without values that change with each start.
    private static func dump(_ path: String) throws -> Dump {
        let file = try Connection(path, .read)
        #expect(try file.statement("PRAGMA integrity_check").all { $0.text(0) } == ["ok"])
        var tables: [String: [String]] = [:]
        let names = try file.statement("SELECT name FROM sqlite_schema WHERE type = 'table' AND name != 'meta'").all { $0.text(0) }
        for name in names {
            let columns = try file.uncached("SELECT name FROM pragma_table_info('\(name)')").all { $0.text(0) }
            let row = columns.map { "quote(\($0))" }.joined(separator: " || ', ' || ")
            tables[name] = try file.uncached("SELECT \(row) FROM \(name) ORDER BY 1").all { $0.text(0) }
        }
        return Dump(version: try file.statement("PRAGMA user_version").first { $0.int(0) } ?? -1, tables: tables)
    }
}
