// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import SQLite
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// Recounts the rows of a data folder with simple queries and compares the result with all counters.
struct Recount {
    /// The differences; empty for a consistent folder.
    private(set) var problems: [String] = []
    /// The stored IDs with their number of occurrences.
    private(set) var ids: [String: Int] = [:]
    private var sales: [Int64: RecountedSale] = [:]
    /// The withdrawn purchases that the files list.
    private var withdrawn: Set<Int64> = []

    private let hash: KeyedHash
    /// After an erasure the events are removed and their dedupe keys remain.
    private let isAfterErasure: Bool
    /// After an anonymisation the keys of transactions are those of the person before.
    private let isRenamed: Bool

    init(of folder: String, isAfterErasure: Bool = false, isRenamed: Bool = false) throws {
        self.isAfterErasure = isAfterErasure
        self.isRenamed = isRenamed
        let paths = StorePaths(root: folder)
        let main = try Connection(paths.main, .read)
        hash = KeyedHash(seed: try main.statement("SELECT value FROM meta WHERE key = 'hash_seed'").first { $0.key(0) } ?? 0)
        try checkIntegrity(main, "main")
        var lastSeq: Int64 = 0
        for day in try paths.days() {
            let file = try Connection(paths.file(of: day), .read)
            try checkIntegrity(file, day.text)
            try collect(file)
            try listWithdrawn(file, day.text)
            try compareRollups(file, day.text)
            try compareActives(file, day.text)
            try compareSeen(file, day)
            problems += try SessionRecount(file, day.text).problems
            let seqs = try file.statement("SELECT seq FROM events UNION ALL SELECT seq FROM quarantine ORDER BY 1").all { $0.integer(0) }
            if let first = seqs.first, first <= lastSeq { problems.append("\(day.text): numbers do not increase from day to day") }
            if Set(seqs).count != seqs.count { problems.append("\(day.text): a number is assigned twice") }
            lastSeq = seqs.last ?? lastSeq
        }
        problems += RecountedSale.problems(sales, withdrawn)
        for (id, count) in ids where count > 1 { problems.append("\(id) is stored \(count) times") }
    }

    private mutating func checkIntegrity(_ file: Connection, _ name: String) throws {
        let found = try file.statement("PRAGMA integrity_check").all { $0.text(0) }
        if found != ["ok"] { problems.append("\(name): \(found.prefix(3))") }
    }

    private mutating func collect(_ file: Connection) throws {
        try file.statement("SELECT d.id, e.app FROM events e JOIN details d USING (seq)").each([]) { row in
            let id = row.isBlob(0) ? String(decoding: UUID128(networkBytes: row.bytes(0)).text, as: UTF8.self) : row.text(0)
            ids["\(row.integer(1))/\(id)", default: 0] += 1
        }
        try file.statement(RecountedSale.select).each([]) { row in sales[row.integer(0)] = RecountedSale(row) }
        let rows = try file.statement("SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM details)").first { [$0.int(0), $0.int(1)] }
        if let rows, rows[0] != rows[1] { problems.append("\(rows[0]) events have \(rows[1]) details") }
    }

    /// Reads a file's list of withdrawn purchases into a temporary table of what they were counted for.
    private mutating func listWithdrawn(_ file: Connection, _ name: String) throws {
        try file.execute("CREATE TEMP TABLE corrections (metric, app, time, word, n, amount)")
        let insert = try file.statement("INSERT INTO corrections VALUES (?, ?, ?, ?, ?, ?)")
        let word = try file.statement("SELECT id FROM words WHERE app = ? AND kind = 1 AND text = ?")
        let seqs = try file.statement("SELECT seq FROM withdrawn").all { $0.integer(0) }
        for seq in seqs {
            withdrawn.insert(seq)
            guard let sale = sales[seq] else {
                if !isAfterErasure { problems.append("\(name): the withdrawn purchase \(seq) does not exist") }
                continue
            }
            let number = try word.first(.integer(sale.app), .text(sale.name)) { $0.integer(0) } ?? 0
            for part in sale.corrections(word: number) {
                try insert.run(integers: [part.metric.rawValue, sale.app, sale.time, part.word, part.count, part.amount])
            }
        }
    }

    /// Compares every roll-up with its rows in both directions.
    private mutating func compareRollups(_ file: Connection, _ name: String) throws {
        let late = EventFlags.late.rawValue
        let counted = [
            (RollupMetric.events, "SELECT app, time, name AS word, 0 AS amount FROM events"),
            (.late, "SELECT app, time, 0 AS word, 0 AS amount FROM events WHERE flags & \(late)"),
            (
                .screens,
                """
                SELECT e.app, e.time, s.id AS word, 0 AS amount FROM events e JOIN words n ON n.id = e.name AND n.text = 'screen_view'
                JOIN details d USING (seq) JOIN words s ON s.app = e.app AND s.kind = 2 AND s.text = json_extract(d.params, '$.screen_name')
                """
            ),
            (
                .purchases,
                """
                SELECT e.app, e.time, p.currency AS word, p.amount FROM events e JOIN purchases p USING (seq)
                WHERE p.currency != 0 AND p.kind != \(EventKind.refund.rawValue)
                """
            ),
            (
                .refunds,
                """
                SELECT e.app, e.time, p.currency AS word, p.amount FROM events e JOIN purchases p USING (seq)
                WHERE p.currency != 0 AND p.kind = \(EventKind.refund.rawValue)
                """
            ),
        ]
        for (metric, rows) in counted + [(.withdrawn, "SELECT app, time, 0 AS word, 0 AS amount FROM events WHERE 0")] {
            for grain in [Grain.minute, .hour, .day] {
                let unit = grain.milliseconds
                let all = """
                    SELECT app, time, word, 1 AS n, amount FROM (\(rows))
                    UNION ALL SELECT app, time, word, n, amount FROM corrections WHERE metric = \(metric.rawValue)
                    """
                let recount = "SELECT app, time / \(unit), word, sum(n), sum(amount) FROM (\(all)) GROUP BY 1, 2, 3 HAVING sum(n) != 0"
                let kept = """
                    SELECT app, bucket, word, count, amount FROM rollups
                    WHERE metric = \(metric.rawValue) AND grain = \(grain.rawValue) AND count != 0
                    """
                for (one, other) in [(recount, kept), (kept, recount)] {
                    let differing = try file.uncached("SELECT count(*) FROM (\(one) EXCEPT \(other))").first { $0.int(0) } ?? 0
                    if differing > 0 { problems.append("\(name): \(differing) buckets of \(metric) by \(grain) differ") }
                }
            }
        }
    }

    private mutating func compareActives(_ file: Connection, _ name: String) throws {
        var recounted: [ActiveQuarters.Entry: [UInt64]] = [:]
        let all = "SELECT app, time, installation, user FROM events UNION ALL SELECT app, time, installation, user FROM aliases"
        try file.statement("SELECT * FROM (\(all)) WHERE installation != 0 OR user != 0").each([]) { row in
            let quarter = Int(row.integer(1) % Day.milliseconds / 900_000)
            let entry = ActiveQuarters.Entry(
                app: row.integer(0), day: Int32(row.integer(1) / Day.milliseconds), installation: row.key(2), user: row.key(3))
            recounted[entry, default: [0, 0]][quarter / 48] |= 1 << UInt64(quarter % 48)
        }
        var kept: [ActiveQuarters.Entry: [UInt64]] = [:]
        for table in ["actives", "presence"] {
            try file.statement("SELECT app, day, installation, user, early, late FROM \(table)").each([]) { row in
                let entry = ActiveQuarters.Entry(app: row.integer(0), day: Int32(row.integer(1)), installation: row.key(2), user: row.key(3))
                kept[entry, default: [0, 0]][0] |= row.key(4)
                kept[entry, default: [0, 0]][1] |= row.key(5)
            }
        }
        if kept != recounted { problems.append("\(name): actives have \(kept.count) persons, the recount \(recounted.count)") }
    }

    /// Compares the dedupe keys with the IDs of stored events and transactions.
    private mutating func compareSeen(_ file: Connection, _ day: Day) throws {
        var keys: [Int64: [UInt64]] = [:]
        try file.statement("SELECT kind, keys FROM seen").each([]) { row in keys[row.integer(0), default: []] += row.words(1) }
        let ids = keys[DedupeKind.ids.rawValue] ?? []
        if Set(ids).count != ids.count { problems.append("\(day.text): a dedupe key exists twice") }
        let events = try file.statement("SELECT e.app, d.id FROM events e JOIN details d USING (seq)").all { row in
            let app = AppID(rawValue: row.integer(0))
            guard row.isBlob(1) else { return hash(.eventID, app: app, row.bytes(1).span) }
            return hash(.eventID, app: app, UUID128(networkBytes: row.bytes(1)))
        }
        compare(events, with: ids, "ids", day.text)
        if isRenamed { return }
        let known = Set(keys[DedupeKind.transactions.rawValue] ?? [])
        let stored = try file.statement(RecountedSale.select).all { RecountedSale($0).keys(on: day, known) }.flatMap(\.self)
        compare(stored, with: Array(known), "transactions", day.text)
    }

    private mutating func compare(_ stored: [UInt64], with keys: [UInt64], _ what: String, _ name: String) {
        let (stored, keys) = (Set(stored), Set(keys))
        if !stored.isSubset(of: keys) { problems.append("\(name): \(stored.subtracting(keys).count) \(what) have no key") }
        if !isAfterErasure, stored != keys { problems.append("\(name): \(keys.subtracting(stored).count) keys of \(what) have no row") }
    }
}
