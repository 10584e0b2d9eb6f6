// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// A source of rows that a statement reads as the table `batch`. Example: `INSERT INTO t SELECT c0, c1 FROM batch` inserts all rows with one
/// step and without binds.
package protocol RowSource: AnyObject {
    var rowCount: Int { get }
    /// Writes the value of a column; otherwise it is NULL.
    func column(_ column: Int, row: Int, into cell: Cell)
}

/// The virtual table `batch` of a connection.
package final class BatchTable {
    package static let columns = 16
    private let connection: Connection
    /// Its address is the module's client data, so it must outlive the connection; `connection` ensures that.
    private let slot = BatchSlot()

    package init(on connection: Connection) throws(SQLiteError) {
        self.connection = connection
        let data = Unmanaged.passUnretained(slot).toOpaque()
        try connection.check(sqlite3_create_module_v2(connection.handle, "batch", BatchTable.module.pointer, data, nil), nil)
    }

    /// Runs a statement that reads `batch` with the rows of a source.
    package func insert(_ source: some RowSource, _ sql: String) throws(SQLiteError) {
        if source.rowCount == 0 { return }
        slot.source = source
        slot.count = source.rowCount
        defer { slot.source = nil }
        try connection.statement(sql).run()
    }

    private static let module = BatchModule()
}

private final class BatchSlot {
    var source: (any RowSource)?
    var count = 0
}

/// SQLite's base structures of a virtual table and cursor, followed by our fields; the module allocates them.
private struct Table {
    var base = sqlite3_vtab()
    var slot: Unmanaged<BatchSlot>
}

private struct Cursor {
    var base = sqlite3_vtab_cursor()
    var row = 0
    var slot: Unmanaged<BatchSlot>
}

/// The callbacks of the virtual table. They are immutable and never freed, hence safe to share between threads.
private final class BatchModule: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<sqlite3_module>

    init() {
        var module = sqlite3_module()
        module.iVersion = 1
        BatchModule.setTable(&module)
        BatchModule.setCursor(&module)
        BatchModule.setRows(&module)
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: module)
    }

    private static func setTable(_ module: inout sqlite3_module) {
        module.xConnect = { db, data, _, _, out, _ in
            guard let data, let out else { return SQLITE_ERROR }
            let names = (0..<BatchTable.columns).map { "c\($0)" }.joined(separator: ",")
            let code = sqlite3_declare_vtab(db, "CREATE TABLE batch(\(names))")
            if code != SQLITE_OK { return code }
            let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
            table.initialize(to: Table(slot: Unmanaged<BatchSlot>.fromOpaque(data)))
            out.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
            return SQLITE_OK
        }
        module.xBestIndex = { _, info in
            info?.pointee.estimatedCost = 1
            return SQLITE_OK
        }
        module.xDisconnect = { table in
            UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: Table.self).deallocate()
            return SQLITE_OK
        }
    }

    private static func setCursor(_ module: inout sqlite3_module) {
        module.xOpen = { table, out in
            guard let table, let out else { return SQLITE_ERROR }
            let slot = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.slot
            let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
            cursor.initialize(to: Cursor(slot: slot))
            out.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        module.xClose = { cursor in
            BatchModule.cursor(cursor)?.deallocate()
            return SQLITE_OK
        }
    }

    /// Iterates over the rows of the source.
    private static func setRows(_ module: inout sqlite3_module) {
        module.xFilter = { cursor, _, _, _, _ in
            BatchModule.cursor(cursor)?.pointee.row = 0
            return SQLITE_OK
        }
        module.xNext = { cursor in
            BatchModule.cursor(cursor)?.pointee.row += 1
            return SQLITE_OK
        }
        module.xEof = { cursor in
            guard let cursor = BatchModule.cursor(cursor) else { return 1 }
            return cursor.pointee.row >= cursor.pointee.slot._withUnsafeGuaranteedRef { $0.count } ? 1 : 0
        }
        module.xColumn = { cursor, context, column in
            guard let cursor = BatchModule.cursor(cursor), let context else { return SQLITE_ERROR }
            let row = cursor.pointee.row
            cursor.pointee.slot._withUnsafeGuaranteedRef { $0.source?.column(Int(column), row: row, into: Cell(context: context)) }
            return SQLITE_OK
        }
        module.xRowid = { cursor, out in
            out?.pointee = Int64(BatchModule.cursor(cursor)?.pointee.row ?? 0)
            return SQLITE_OK
        }
    }

    private static func cursor(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<Cursor>? {
        UnsafeMutableRawPointer(base)?.assumingMemoryBound(to: Cursor.self)
    }
}
