// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

@Suite struct CleanFilesTests {
    private static let word = "annsecretword"

    private static func page(_ bytes: [Int: Int], count: Int = 512) -> [UInt8] {
        var page = [UInt8](repeating: 0xee, count: count)
        for (offset, byte) in bytes { page[offset] = UInt8(byte) }
        return page
    }

    private static func gap(_ page: [UInt8], isFirst: Bool = false) -> Range<Int>? {
        page.withUnsafeBytes { PageGap.range(of: $0, isFirst: isFirst) }
    }

    @Test func `the gap of a page is between its pointers and its cells`() {
        for (kind, header) in [(2, 12), (5, 12), (10, 8), (13, 8)] {
            #expect(Self.gap(Self.page([0: kind, 3: 0, 4: 3, 5: 1, 6: 0x80])) == (header + 6)..<0x180, "\(kind)")
            #expect(Self.gap(Self.page([100: kind, 103: 0, 104: 0, 105: 2, 106: 0]), isFirst: true) == (100 + header)..<512, "\(kind)")
        }
        #expect(Self.gap(Self.page([0: 13, 3: 0, 4: 0, 5: 0, 6: 0], count: 65_536)) == 8..<65_536)
    }

    @Test func `a page that is none of a table, or damaged, has no gap`() {
        for kind in 0...255 where ![2, 5, 10, 13].contains(kind) {
            #expect(Self.gap(Self.page([0: kind, 3: 0, 4: 0, 5: 2, 6: 0])) == nil, "\(kind)")
        }
        #expect(Self.gap(Self.page([0: 13, 3: 0, 4: 0, 5: 2, 6: 1])) == nil, "cells begin behind the end")
        #expect(Self.gap(Self.page([0: 13, 3: 1, 4: 0, 5: 1, 6: 0])) == nil, "pointers reach beyond the first cell")
        #expect(Self.gap(Self.page([0: 13, 3: 0, 4: 0, 5: 0, 6: 0])) == nil, "a page of 65,536 bytes that has 512")
        #expect(Self.gap([]) == nil)
        #expect(Self.gap([13, 0, 0]) == nil)
    }

    private static func filled(_ path: String, seed: Int) throws -> Connection {
        let connection = try Connection(path, .write)
        try connection.execute(
            "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; CREATE TABLE t (k INTEGER PRIMARY KEY, v TEXT);"
                + "CREATE INDEX v ON t (v)")
        try connection.begin()
        let insertion = try connection.statement("INSERT INTO t VALUES (?, ?)")
        // Each key once, in an order in which pages are split at many places.
        for number in 1..<2_003 {
            let key = number * 733 % 2_003
            let text = (key % 2 == 0 ? word : "bob") + String(repeating: "p", count: key * seed * 7_919 % 900)
            try insertion.run(.integer(Int64(key)), .text(text))
        }
        try connection.commit()
        return connection
    }

    private static func occurrences(in path: String) throws -> Int {
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        var (count, from) = (0, 0)
        while let found = content.range(of: Data(word.utf8), in: from..<content.count) { (count, from) = (count + 1, found.upperBound) }
        return count
    }

    @Test(arguments: 1...4) func `no copy of a deleted row stays in the file`(seed: Int) throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/a.db"
        let connection = try Self.filled(path, seed: seed)
        try connection.checkpoint(.truncate)
        #expect(try Self.occurrences(in: path) >= 2_002)
        try connection.execute("DELETE FROM t WHERE k % 2 = 0")
        try connection.checkpoint(.truncate)
        #expect(try Self.occurrences(in: path) == 0)
        #expect(try connection.statement("PRAGMA integrity_check").first { $0.text(0) } == "ok")
        #expect(try connection.statement("SELECT count(*) FROM t").first { $0.int(0) } == 1_001)
    }

    @Test func `copies in gaps of an earlier release's file are overwritten`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/a.db"
        let connection = try Self.filled(path, seed: 5)
        try connection.execute("DELETE FROM t WHERE k % 2 = 0")
        try connection.checkpoint(.truncate)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let content = [UInt8](try #require(try file.readToEnd()))
        var dirtied = 0
        for page in stride(from: 0, to: content.count, by: 8_192) {
            let gap = content[page..<page + 8_192].withUnsafeBytes { PageGap.range(of: $0, isFirst: page == 0) }
            guard let gap, gap.count >= Self.word.utf8.count else { continue }
            try file.seek(toOffset: UInt64(page + gap.lowerBound))
            try file.write(contentsOf: Data(Self.word.utf8))
            dirtied += 1
        }
        #expect(try dirtied > 100 && Self.occurrences(in: path) == dirtied)
        try connection.cleanPages()
        #expect(try Self.occurrences(in: path) == 0)
        #expect(try connection.statement("PRAGMA integrity_check").first { $0.text(0) } == "ok")
        #expect(try Connection(path, .read).statement("SELECT count(*) FROM t").first { $0.int(0) } == 1_001)
    }
}
