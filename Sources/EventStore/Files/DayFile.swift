// SPDX-License-Identifier: Apache-2.0

import Database
import Events
package import Platform
import SQLite

/// The file of the open day with its lookup tables.
///
/// It belongs to the writer's thread.
final class DayFile {
    let day: Day
    let db: DayDB
    let batch: BatchTable
    var words: WordTable
    var contexts: ContextTable

    init(_ day: Day, at path: String) throws {
        self.day = day
        db = try DayDB.open(writing: path, cacheKiB: 16_384)
        batch = try BatchTable(on: db.connection)
        words = try WordTable(db)
        contexts = ContextTable(db)
    }

    /// Drops the cached contents of the file after a rollback.
    func forget() throws {
        words = try WordTable(db)
        contexts = ContextTable(db)
    }

    /// The version in a context; nil for none.
    func version(of context: UInt32) -> [UInt8]? {
        let find = "SELECT app_version FROM contexts WHERE id = ?"
        return try? db.statement(find).first(.integer(Int64(context))) { $0.isNull(0) ? nil : $0.bytes(0) } ?? nil
    }

    /// The highest number in this file.
    func lastSeq() throws -> Int64 { try db.lastSeq() }

    /// Moves the write-ahead log into the file and empties it, when the day ends.
    func close() throws {
        try db.connection.checkpoint(.truncate)
    }
}

extension DayDB {
    /// The highest number of an event or a quarantined record; 0 in an empty file.
    func lastSeq() throws -> Int64 {
        let sql = "SELECT max(ifnull((SELECT max(seq) FROM events), 0), ifnull((SELECT max(seq) FROM quarantine), 0))"
        return try statement(sql).first { $0.integer(0) } ?? 0
    }
}

/// Event names and screens by key.
///
/// Each text is stored once per file; rows refer to it by a small number.
struct WordTable {
    package enum Kind: Int64 {
        case name = 1
        case screen = 2
    }

    private let db: DayDB
    private var numbers = KeyTable()
    private var counts: [Int64: [Kind: Int]] = [:]

    init(_ db: DayDB) throws {
        self.db = db
        try db.statement("SELECT app, kind, count(*) FROM words GROUP BY app, kind").each([]) { row in
            if let kind = Kind(rawValue: row.integer(1)) { counts[row.integer(0), default: [:]][kind] = row.int(2) }
        }
    }

    /// Returns the number of a text.
    ///
    /// Returns nil if the app has reached its limit of different texts today.
    mutating func number(_ kind: Kind, app: Int64, key: UInt64, limit: Int, text: () -> String) throws -> UInt32? {
        if let known = numbers[key] { return known }
        if let stored = try db.statement("SELECT id FROM words WHERE key = ?").first(.key(key), row: { $0.integer(0) }) {
            return remember(key, stored)
        }
        guard count(kind, app: app) < limit else { return nil }
        let insert = "INSERT INTO words (app, kind, key, text) VALUES (?, ?, ?, ?) RETURNING id"
        let made = try db.statement(insert).first(.integer(app), .integer(kind.rawValue), .key(key), .text(text())) { $0.integer(0) }
        guard let made else { return nil }
        counts[app, default: [:]][kind, default: 0] += 1
        return remember(key, made)
    }

    /// Returns whether a text has a number.
    func has(_ key: UInt64) throws -> Bool {
        if numbers[key] != nil { return true }
        return try db.statement("SELECT 1 FROM words WHERE key = ?").first(.key(key), row: { _ in true }) ?? false
    }

    /// The number of different texts of an app today.
    func count(_ kind: Kind, app: Int64) -> Int { counts[app]?[kind] ?? 0 }

    private mutating func remember(_ key: UInt64, _ number: Int64) -> UInt32 {
        let small = UInt32(truncatingIfNeeded: number)
        numbers.set(key, small)
        return small
    }
}

/// Contexts by key.
///
/// An app has few in a day, so rows refer to all eight fields by one small number.
struct ContextTable {
    private let db: DayDB
    private var numbers = KeyTable()
    private static let limit = 65_536

    init(_ db: DayDB) {
        self.db = db
    }

    mutating func number(app: Int64, _ context: EventContext, text: (ByteRange) -> String) throws -> UInt32 {
        if context.key == 0 { return 0 }
        if let known = numbers[context.key] { return known }
        let number = try stored(app: app, context, text: text)
        if numbers.count >= ContextTable.limit { numbers = KeyTable() }
        numbers.set(context.key, number)
        return number
    }

    private func stored(app: Int64, _ context: EventContext, text: (ByteRange) -> String) throws -> UInt32 {
        let find = "SELECT id FROM contexts WHERE key = ?"
        if let id = try db.statement(find).first(.key(context.key), row: { $0.integer(0) }) { return UInt32(truncatingIfNeeded: id) }
        let insert = """
            INSERT INTO contexts (app, key, \(EventContext.fields.joined(separator: ", ")))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """
        let values: [Value] = [.integer(app), .key(context.key)] + context.values.map { $0.isEmpty ? .null : .text(text($0)) }
        return try db.statement(insert).first(values) { UInt32(truncatingIfNeeded: $0.integer(0)) } ?? 0
    }
}

extension DayDB {
    /// Returns the day on which a file received its newest event.
    ///
    /// It is later than the file's own day if the clock was not trusted at once.
    ///
    /// A day after `until` comes from a clock that was ahead, and is ignored.
    package func lastDayOfReceipt(in day: Day, until today: Day) throws -> Day {
        let newest = try statement("SELECT received FROM events ORDER BY seq DESC LIMIT 1").first { Timestamp(milliseconds: $0.integer(0)) }
        return newest.map { Day(of: $0) }.flatMap { day < $0 && $0 <= today ? $0 : nil } ?? day
    }
}
