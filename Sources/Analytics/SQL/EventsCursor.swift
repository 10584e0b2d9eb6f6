// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// A cursor over the events of some days' files, one file at a time.
final class EventsCursor: RowCursor {
    /// The file being read.
    private final class File {
        let texts: FileTexts
        let keys: KeyTexts
        private(set) var batch = EventBatch()
        private let source: any EventSource

        init(_ file: DayDB, _ request: EventRequest, _ withdrawn: WithdrawnRows) throws {
            texts = FileTexts(file)
            keys = KeyTexts(file, app: request.app)
            source = try file.source(request, withdrawn: .leftOut(withdrawn))
        }

        func next() throws -> Bool { try source.next(into: &batch) }
    }

    private let context: QueryContext
    private var days: ArraySlice<Day>
    private let request: EventRequest
    private var current: File?
    /// The row within the batch.
    private var row = 0

    init(_ context: QueryContext, _ days: [Day], _ request: EventRequest) {
        self.context = context
        self.days = days[...]
        self.request = request
    }

    func next() throws -> Bool {
        row += 1
        while true {
            if let current, row < current.batch.count { return true }
            row = 0
            if try current?.next() == true { continue }
            current = nil
            guard let day = days.popFirst() else { return false }
            guard let file = try context.session.day(day) else { continue }
            current = try File(file, request, context.snapshot.withdrawn(of: day, context.session))
        }
    }

    func column(_ column: Int, into cell: Cell) throws {
        guard let file = current else { return }
        switch column {
        case EventColumn.seq: cell.integer(file.batch.seqs[row])
        case EventColumn.id: cell.text(copying: file.batch.ids[row])
        case EventColumn.name: if let text = try file.texts.name(file.batch.names[row]) { cell.text(copying: text) }
        case EventColumn.time: cell.integer(file.batch.times[row])
        case EventColumn.received: cell.integer(file.batch.received[row])
        case EventColumn.user: try set(cell, file.batch.users[row])
        case EventColumn.installation: try set(cell, file.batch.installations[row])
        case EventColumn.session: try set(cell, file.batch.sessions[row])
        case EventColumn.contexts:
            let value = try file.texts.context(file.batch.contexts[row])[column - EventColumn.contexts.lowerBound]
            if let value { cell.text(copying: value) }
        case EventColumn.params:
            let json = file.batch.params[row]
            if !json.isEmpty, json.count < EventsTable.longestValue { cell.text(copying: json) }
        case EventColumn.late: cell.integer(file.batch.flags[row].contains(.late) ? 1 : 0)
        case EventColumn.clock: cell.integer(file.batch.flags[row].contains(.clock) ? 1 : 0)
        case EventColumn.corrected: cell.integer(file.batch.flags[row].contains(.corrected) ? 1 : 0)
        default:
            guard let purchase = file.batch.purchases[row], purchase.currency != 0 else { return }
            column == EventColumn.amount ? cell.integer(purchase.amount) : cell.text(Currency.text(purchase.currency))
        }
    }

    private func set(_ cell: Cell, _ key: UInt64) throws {
        if let text = try current?.keys.text(of: key) { cell.text(text) }
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
