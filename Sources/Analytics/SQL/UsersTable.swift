// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Platform
import SQLite

/// The virtual table `users` of SQL queries: a row for each user and each installation of an app.
final class UsersTable: RowTable {
    private let main: MainDB
    private let app: AppID
    private let hash: KeyedHash

    init(_ main: MainDB, app: AppID, _ hash: KeyedHash) {
        self.main = main
        self.app = app
        self.hash = hash
    }

    let columns = [
        TableColumn("user_id", "TEXT", .equality), TableColumn("installation_id", "TEXT", .equality), TableColumn("first_seen", "INTEGER"),
        TableColumn("properties", "TEXT"),
    ]

    func rows(_ bounds: [TableBound], wanted: ColumnSet) throws -> any RowCursor {
        let properties = """
            (SELECT json_group_object(q.name, json(q.value)) FROM properties q
             WHERE q.app = p.app AND q.person = p.key AND q.value IS NOT NULL)
            """
        var sql = """
            SELECT CASE p.kind WHEN \(IDRows.Kind.user.rawValue) THEN p.id END, CASE p.kind WHEN \(IDRows.Kind.installation.rawValue) THEN p.id END,
                   p.first_seen, \(wanted.contains(3) ? properties : "NULL")
            FROM people p WHERE p.app = ?
            """
        var values: [Value] = [.integer(app.rawValue)]
        for bound in bounds {
            sql += " AND p.key = ?"
            values.append(.key(hash(bound.column == 0 ? .user : .installation, app: app, bound.value.text.span)))
        }
        return try StatementCursor(main.uncached(sql), values)
    }
}

/// A cursor over the rows of one statement.
private final class StatementCursor: RowCursor {
    private let statement: Statement
    private var row: Row?

    init(_ statement: Statement, _ values: [Value]) throws {
        self.statement = statement
        try statement.start(values)
    }

    func next() throws -> Bool {
        row = try statement.next()
        return row != nil
    }

    func column(_ column: Int, into cell: Cell) {
        if let row { cell.copy(row, column) }
    }
}

extension Value {
    /// The value as it is compared with a text column.
    var text: [UInt8] {
        switch self {
        case .utf8(let bytes), .blob(let bytes): bytes
        case .text(let text): Array(text.utf8)
        case .integer(let number): Array(String(number).utf8)
        case .real(let number): Array(String(number).utf8)
        case .null, .words: []
        }
    }
}
