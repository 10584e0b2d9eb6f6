// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import SQLite
import TestSupport

/// The first ceiling: the same rows inserted into a bare table, 2,000 a commit with a synced disk.
///
/// `--path batch` passes each commit's rows through a virtual table instead, to measure that alone.
enum BareTable {
    static func run(_ options: Options) throws {
        let folder = TemporaryFolder()
        let connection = try Connection(folder.path + "/bare.db", .write)
        try connection.execute(
            """
            PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;
            CREATE TABLE events (
                seq INTEGER PRIMARY KEY, app INTEGER, name INTEGER, time INTEGER, received INTEGER, user INTEGER, installation INTEGER,
                session INTEGER, context INTEGER, flags INTEGER, id BLOB, params TEXT) STRICT
            """)
        let insert = try connection.statement("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let batch = try BatchTable(on: connection)
        let rows = BareRows()
        let params = Array(#"{"screen_name":"Home2","plan":"pro","n":1,"ratio":0.1,"value":1.5,"currency":"EUR","text":"abcdef"}"#.utf8)
        var random = SystemRandomNumberGenerator()
        let start = ContinuousClock.now
        for first in stride(from: 0, to: options.events, by: 2_000) {
            try connection.begin()
            rows.rows.removeAll(keepingCapacity: true)
            for seq in first..<min(first + 2_000, options.events) {
                let key = Int64(seq % 100_000) &* 0x1f3_5ac1_77e1_4b2d
                let id = [random.next(), random.next()]
                guard options.path != "batch" else {
                    rows.rows.append(.init(seq: Int64(seq + 1), key: key, id: (id[0], id[1])))
                    continue
                }
                try insert.run(
                    [Int64(seq + 1), 1, Int64(seq % 50), 1_790_000_000_000, 1_790_000_000_000, key, key &+ 1, key &+ 2, 1, 0], id: id, text: params)
            }
            try batch.insert(rows, "INSERT INTO events SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 FROM batch")
            try connection.commit()
            if connection.walPages > 4_000 { try connection.checkpoint(.passive) }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print("bare table: \(Int(Double(options.events) / seconds)) rows/s")
    }
}

/// The same rows as a batch.
private final class BareRows: RowSource {
    struct Row {
        var seq: Int64
        var key: Int64
        var id: (UInt64, UInt64)
    }

    var rows: [Row] = []
    var rowCount: Int { rows.count }
    private let params = Array(#"{"screen_name":"Home2","plan":"pro","n":1,"ratio":0.1,"value":1.5,"currency":"EUR","text":"abcdef"}"#.utf8)

    func column(_ column: Int, row: Int, into cell: Cell) {
        switch column {
        case 0: cell.integer(rows[row].seq)
        case 2: cell.integer(rows[row].seq % 50)
        case 3, 4: cell.integer(1_790_000_000_000)
        case 5, 6, 7: cell.integer(rows[row].key)
        case 10: cell.uuid(high: rows[row].id.0, low: rows[row].id.1)
        case 11: cell.text(params, 0..<params.count)
        default: cell.integer(1)
        }
    }
}
