// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// A cursor over the rows of some days' files, one file at a time.
final class EventsCursor: RowCursor {
    private let context: QueryContext
    private var days: ArraySlice<Day>
    private let query: EventsQuery
    /// The rows of the file being read.
    private var current: (rows: Statement, texts: KeyTexts)?
    private var row: Row?

    init(_ context: QueryContext, _ days: [Day], _ query: EventsQuery) {
        self.context = context
        self.days = days[...]
        self.query = query
    }

    func next() throws -> Bool {
        while true {
            row = try current?.rows.next()
            if row != nil { return true }
            current = nil
            guard let day = days.popFirst() else { return false }
            guard let file = try context.session.day(day) else { continue }
            let rows = try file.uncached(query.sql)
            try rows.start(query.values)
            current = (rows, KeyTexts(file, app: context.app))
        }
    }

    func column(_ column: Int, into cell: Cell) throws {
        guard let row, let current else { return }
        switch column {
        case EventColumn.id where row.isBlob(1):
            cell.text(String(decoding: UUID128(networkBytes: row.bytes(1)).text, as: UTF8.self))
        case EventColumn.user, EventColumn.installation, EventColumn.session:
            if let text = try current.texts.text(of: row.key(Int32(column))) { cell.text(text) }
        case EventColumn.params where row.isBlob(Int32(column)):
            let json = try row.params(Int32(column))
            if json.count < EventsTable.longestValue { cell.text(String(decoding: json, as: UTF8.self)) }
        case EventColumn.currency where !row.isNull(Int32(column)):
            cell.text(EventsCursor.currency(UInt32(truncatingIfNeeded: row.integer(Int32(column)))))
        default: cell.copy(row, column)
        }
    }

    /// Returns a currency code from three letters packed big-endian.
    private static func currency(_ packed: UInt32) -> String {
        String(decoding: [16, 8, 0].map { UInt8(truncatingIfNeeded: packed >> $0) }, as: UTF8.self)
    }
}

/// The texts of user, installation and session keys in one file.
private final class KeyTexts {
    private let file: DayDB
    private let app: AppID
    private var lookup: Statement?
    private var recent: [UInt64: String] = [:]
    private static let recentLimit = 10_000

    init(_ file: DayDB, app: AppID) {
        self.file = file
        self.app = app
    }

    func text(of key: UInt64) throws -> String? {
        if key == 0 { return nil }
        if let known = recent[key] { return known }
        if lookup == nil { lookup = try makeLookup() }
        guard let text = try lookup?.first(.key(key), row: { $0.text(0) }) else { return nil }
        if recent.count >= KeyTexts.recentLimit { recent.removeAll(keepingCapacity: true) }
        recent[key] = text
        return text
    }

    /// Prepares the look-up of a key.
    ///
    /// Today's table of texts has no index, because intake appends to it. The query then builds an indexed copy in a temporary table.
    private func makeLookup() throws -> Statement {
        if try file.has(.ids) { return try file.statement("SELECT id FROM ids WHERE key = ? LIMIT 1") }
        try file.execute("CREATE TEMP TABLE texts (key INTEGER PRIMARY KEY, id TEXT NOT NULL)")
        try file.statement("INSERT OR IGNORE INTO texts SELECT key, id FROM ids WHERE app = ? ORDER BY key").run(.integer(app.rawValue))
        return try file.statement("SELECT id FROM texts WHERE key = ?")
    }
}
