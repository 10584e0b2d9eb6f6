import Foundation
import Platform
import SQLite
import TestSupport

/// The first ceiling: the same rows into a bare table by prepared inserts, 2,000 a commit, the disk waited for each time.
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
        let params = Array(#"{"screen_name":"Home2","plan":"pro","n":1,"ratio":0.1,"value":1.5,"currency":"EUR","text":"abcdef"}"#.utf8)
        var random = SystemRandomNumberGenerator()
        let start = ContinuousClock.now
        for first in stride(from: 0, to: options.events, by: 2_000) {
            try connection.begin()
            for seq in first..<min(first + 2_000, options.events) {
                let key = Int64(seq % 100_000) &* 0x1f3_5ac1_77e1_4b2d
                let id = [random.next(), random.next()]
                try insert.run([Int64(seq + 1), 1, Int64(seq % 50), 1_790_000_000_000, 1_790_000_000_000, key, key &+ 1, key &+ 2, 1, 0], id: id, text: params)
            }
            try connection.commit()
            if connection.walPages > 4_000 { try connection.checkpoint(.passive) }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print("bare table: \(Int(Double(options.events) / seconds)) rows/s")
    }
}
