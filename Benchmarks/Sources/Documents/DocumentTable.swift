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

    /// Writes documents (`--events`) of about 1 KB, some (`--batch`) in a commit, with entries in indexes (`--targets`).
    ///
    /// With `--path bare` only the table of documents is written.
    static func write(_ options: Options) throws {
        let folder = TemporaryFolder()
        let file = try DocumentDB.open(writing: folder.path + "/documents.db", cacheKiB: 4_096)
        let connection = file.connection
        try connection.execute("INSERT INTO collections VALUES (1, 1, 'items', 'items', 0, 0)")
        let read = try connection.statement("SELECT id, created, version, body FROM documents WHERE collection = ? AND id = ?")
        let put = try connection.statement("INSERT INTO documents (collection, id, created, version, body) VALUES (1, ?, ?, ?, ?) RETURNING number")
        let log = try connection.statement(
            "INSERT INTO changes (stamp, n, collection, id, kind, created, version, before) VALUES (?, ?, 1, ?, 1, 0, 0, NULL)")
        let count = try connection.statement("UPDATE collections SET documents = documents + 1, bytes = bytes + ? WHERE number = 1")
        let entry = try connection.statement("INSERT INTO entries (key, number, cut) VALUES (?, ?, 0)")
        let start = monotonicSeconds()
        for first in stride(from: 0, to: options.events, by: options.batch) {
            try connection.begin()
            for number in first..<min(first + options.batch, options.events) {
                let (id, body) = (key(number, options), Array(#"{"n":\#(number),"category":"c\#(number % 10_000)","text":"\#(text)"}"#.utf8))
                let stamp = Value.integer(Int64(1_790_000_000_000_000 + number))
                if options.path != "bare" { try read.rows([.integer(1), .blob(id)]) { _ in true } }
                let row = try put.first(.blob(id), stamp, stamp, .blob(body)) { $0.integer(0) } ?? 0
                if options.path == "bare" { continue }
                try log.run(stamp, .integer(0), .blob(id))
                for index in 0..<options.targets { try entry.run(.blob(self.entry(index, number, id)), .integer(row)) }
                try count.run(.integer(Int64(body.count)))
            }
            try connection.commit()
            if connection.walPages > 1_000 { try connection.checkpoint(.passive) }
        }
        print("\(options.name): \(Int(Double(options.events) / (monotonicSeconds() - start))) documents/s")
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
