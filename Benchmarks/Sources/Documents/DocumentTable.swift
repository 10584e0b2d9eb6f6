// SPDX-License-Identifier: Apache-2.0

import Database
import DocumentStore
import Foundation
import Platform
import SQLite
import TestSupport

/// The ceiling of documents: the same rows in the tables of `documents.db`, without HTTP, JSON and rules.
enum DocumentTable {
    private static let text = String(repeating: "words ", count: 150)

    /// Writes documents (`--events`) of about 1 KB, some (`--batch`) in a commit, with entries in indexes (`--targets`), to a table that has
    /// some (`--initial`).
    ///
    /// With `--path bare` only the table of documents is written. With `--path runs` a commit appends its entries to a log, and 400,000 at a
    /// time are put into the indexes in the order of their keys.
    static func write(_ options: Options) throws {
        let folder = TemporaryFolder()
        let file = try DocumentDB.open(writing: folder.path + "/documents.db", cacheKiB: options.cacheKiB, pageBytes: options.pageBytes)
        let table = try Table(file.connection, options)
        try table.fill()
        let start = monotonicSeconds()
        var slowest = 0.0
        for first in stride(from: options.initial, to: options.initial + options.events, by: options.batch) {
            let begin = monotonicSeconds()
            try table.commit(first..<min(first + options.batch, options.initial + options.events))
            slowest = max(slowest, monotonicSeconds() - begin)
        }
        let rate = Int(Double(options.events) / (monotonicSeconds() - start))
        print("\(options.name): \(rate) documents/s, slowest commit \(Int(slowest * 1_000)) ms")
    }

    /// The tables of `documents.db` with prepared statements.
    private struct Table {
        private let connection: Connection
        private let options: Options
        private let read, put, log, count, entry, append: Statement
        private let pending = Pending()

        private final class Pending {
            var entries: [(key: [UInt8], number: Int64)] = []
        }

        init(_ connection: Connection, _ options: Options) throws {
            (self.connection, self.options) = (connection, options)
            try connection.execute(
                "INSERT INTO collections VALUES (1, 1, 'items', 'items', 0, 0); CREATE TABLE runs (n INTEGER PRIMARY KEY, keys BLOB)")
            read = try connection.statement("SELECT id, created, version, body FROM documents WHERE collection = ? AND id = ?")
            put = try connection.statement("INSERT INTO documents (collection, id, created, version, body) VALUES (1, ?, ?, ?, ?) RETURNING number")
            log = try connection.statement(
                "INSERT INTO changes (stamp, n, collection, id, kind, created, version, before) VALUES (?, ?, 1, ?, 1, 0, 0, NULL)")
            count = try connection.statement("UPDATE collections SET documents = documents + 1, bytes = bytes + ? WHERE number = 1")
            entry = try connection.statement("INSERT INTO entries (key, number, cut) VALUES (?, ?, 0)")
            append = try connection.statement("INSERT INTO runs (keys) VALUES (?)")
        }

        /// Writes the first documents, and their entries in order, without syncing.
        func fill() throws {
            if options.initial == 0 { return }
            try connection.execute("PRAGMA synchronous = OFF")
            for first in stride(from: 0, to: options.initial, by: 20_000) {
                try connection.begin()
                for number in first..<min(first + 20_000, options.initial) { _ = try add(number) }
                try connection.commit()
                try connection.checkpoint(.passive)
            }
            for index in 0..<options.targets {
                let keys = (0..<options.initial).map { (DocumentTable.entry(index, $0, DocumentTable.key($0, options)), Int64($0 + 1)) }
                try connection.begin()
                for (key, number) in keys.sorted(by: { $0.0.lexicographicallyPrecedes($1.0) }) { try entry.run(.blob(key), .integer(number)) }
                try connection.commit()
                try connection.checkpoint(.passive)
            }
            try connection.execute("PRAGMA synchronous = FULL")
        }

        func commit(_ numbers: Range<Int>) throws {
            try connection.begin()
            var keys: [UInt8] = []
            for number in numbers {
                let row = try add(number)
                if options.path == "bare" { continue }
                for index in 0..<options.targets {
                    let key = DocumentTable.entry(index, number, DocumentTable.key(number, options))
                    if options.path == "runs" {
                        keys += key
                        pending.entries.append((key, row))
                    } else {
                        try entry.run(.blob(key), .integer(row))
                    }
                }
            }
            if !keys.isEmpty { try append.run(.blob(keys)) }
            if pending.entries.count >= 400_000 { try merge() }
            try connection.commit()
            if connection.walPages > options.checkpointPages { try connection.checkpoint(.passive) }
        }

        private func merge() throws {
            pending.entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
            for (key, number) in pending.entries { try entry.run(.blob(key), .integer(number)) }
            try connection.execute("DELETE FROM runs")
            pending.entries = []
        }

        private func add(_ number: Int) throws -> Int64 {
            let (id, body) = (
                DocumentTable.key(number, options), Array(#"{"n":\#(number),"category":"c\#(number % 10_000)","text":"\#(text)"}"#.utf8)
            )
            let stamp = Value.integer(Int64(1_790_000_000_000_000 + number))
            if options.path != "bare" { try read.rows([.integer(1), .blob(id)]) { _ in true } }
            let row = try put.first(.blob(id), stamp, stamp, .blob(body)) { $0.integer(0) } ?? 0
            if options.path != "bare" {
                try log.run(stamp, .integer(0), .blob(id))
                try count.run(.integer(Int64(body.count)))
            }
            return row
        }
    }

    /// Reads a table of documents (`--events`) with a plain index: the first 20 of an equality with an order, and a scan with `json_extract`.
    static func read(_ options: Options) throws {
        let folder = TemporaryFolder()
        let connection = try Connection(folder.path + "/table.db", .write)
        try connection.execute(
            """
            PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384;
            CREATE TABLE items (number INTEGER PRIMARY KEY, category TEXT, price INTEGER, body BLOB) STRICT;
            """)
        let insert = try connection.statement("INSERT INTO items (category, price, body) VALUES (?, ?, ?)")
        try connection.begin()
        for number in 0..<options.events {
            let (category, price) = ("c\(key(number) % 10_000)", key(number) >> 20 % 1_000_000)
            let body = #"{"category":"\#(category)","price":\#(price),"text":"\#(text.prefix(200))"}"#
            try insert.run(.text(category), .integer(Int64(price)), .blob(Array(body.utf8)))
        }
        try connection.commit()
        try connection.execute("CREATE INDEX items_by_price ON items (category, price)")
        let query = try connection.statement("SELECT number, body FROM items WHERE category = ? ORDER BY price DESC LIMIT 20")
        try time("\(options.name), 20 of an index", options.requests) { number in
            try query.rows([.text("c\(key(number) % 10_000)")]) { row in row.bytes(1).count >= 0 }
        }
        let count = try connection.statement("SELECT count(*) FROM items WHERE category >= 'c1' AND category < 'c2'")
        try time("\(options.name), count of a tenth by index", 5) { _ in try count.rows([]) { _ in true } }
        let scan = try connection.statement("SELECT count(*) FROM items WHERE json_extract(body, '$.price') = ?")
        try time("\(options.name), scan", 3) { number in try scan.rows([.integer(Int64(number))]) { _ in true } }
    }

    private static func time(_ name: String, _ times: Int, _ body: (Int) throws -> Void) rethrows {
        var latencies: [Double] = []
        let start = monotonicSeconds()
        for number in 0..<times {
            let begin = monotonicSeconds()
            try body(number)
            latencies.append(monotonicSeconds() - begin)
        }
        let rate = Int(Double(times) / (monotonicSeconds() - start))
        print("\(name): \(rate)/s, p50 / p99 / p99.9 \(LoadGenerator.Result.percentiles(latencies)) ms")
    }

    private static func key(_ number: Int) -> Int { Int(truncatingIfNeeded: (UInt64(number + 1) &* 0xff51_afd7_ed55_8ccd) >> 2) }

    private static func key(_ number: Int, _ options: Options) -> [UInt8] {
        let text = String(options.randomIDs ? key(number) : number, radix: 16)
        return [0x20] + Array((String(repeating: "0", count: 20 - text.utf8.count) + text).utf8)
    }

    private static func entry(_ index: Int, _ number: Int, _ id: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, UInt8(index), 0, 0, 0, 0, 0, 0, 0, 1, 0x19]
        withUnsafeBytes(of: (key(number &+ index &* 7_919)).bigEndian) { bytes += $0 }
        return bytes + id
    }
}
