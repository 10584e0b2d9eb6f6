// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

extension Connection {
    /// Registers a table by name. The connection retains it.
    package func serve(_ table: any RowTable, as name: String) throws(SQLiteError) {
        let slot = Unmanaged.passRetained(TableSlot(table))
        // SQLite calls the destructor when the connection closes, or at once on failure.
        let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { slot in
            if let slot { Unmanaged<TableSlot>.fromOpaque(slot).release() }
        }
        try check(sqlite3_create_module_v2(handle, name, RowTableModule.shared.pointer, slot.toOpaque(), release), nil)
    }
}

private final class TableSlot {
    let table: any RowTable

    init(_ table: any RowTable) {
        self.table = table
    }
}

/// SQLite's base structures of a virtual table and cursor, followed by our fields; the module allocates them.
private struct Table {
    var base = sqlite3_vtab()
    var slot: Unmanaged<TableSlot>
}

private struct Cursor {
    var base = sqlite3_vtab_cursor()
    /// Retained by the cursor until it is closed.
    var walk: Unmanaged<Walk>
}

/// A scan of a table.
private final class Walk {
    let slot: TableSlot
    private var rows: (any RowCursor)?
    private(set) var isOver = true
    private(set) var number: Int64 = 0

    init(_ slot: TableSlot) {
        self.slot = slot
    }

    func start(_ plan: TablePlan, _ values: [Value]) throws {
        let bounds = zip(plan.terms, values).map { TableBound(column: $0.column, comparison: $0.comparison, value: $1) }
        rows = try slot.table.rows(bounds, wanted: ColumnSet(bits: plan.wanted))
        number = 0
        try step()
    }

    func step() throws {
        number += 1
        isOver = try rows.map { try !$0.next() } ?? true
        if isOver { rows = nil }
    }

    func column(_ column: Int, into cell: Cell) throws {
        try rows?.column(column, into: cell)
    }
}

/// The callbacks of row tables. They are immutable and never freed, hence safe to share between threads.
private final class RowTableModule: @unchecked Sendable {
    static let shared = RowTableModule()
    let pointer: UnsafeMutablePointer<sqlite3_module>

    init() {
        // Without xCreate the table is eponymous: it exists by its name, and statements cannot create or drop one.
        var module = sqlite3_module()
        RowTableModule.setTable(&module)
        RowTableModule.setCursor(&module)
        RowTableModule.setRows(&module)
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: module)
    }

    private static func setTable(_ module: inout sqlite3_module) {
        module.xConnect = RowTableModule.connect
        module.xBestIndex = { table, info in
            guard let info, let slot = RowTableModule.slot(table) else { return SQLITE_ERROR }
            return plan(info, slot.table.columns)
        }
        module.xDisconnect = { table in
            UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: Table.self).deallocate()
            return SQLITE_OK
        }
    }

    private static func setCursor(_ module: inout sqlite3_module) {
        module.xOpen = { table, out in
            guard let out, let slot = RowTableModule.slot(table) else { return SQLITE_ERROR }
            let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
            cursor.initialize(to: Cursor(walk: .passRetained(Walk(slot))))
            out.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        module.xClose = { cursor in
            guard let cursor = UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self) else { return SQLITE_OK }
            cursor.pointee.walk.release()
            cursor.deallocate()
            return SQLITE_OK
        }
    }

    private static func setRows(_ module: inout sqlite3_module) {
        module.xFilter = { cursor, _, text, count, values in
            guard let text, let plan = TablePlan(String(cString: text)), plan.terms.count == Int(count) else { return SQLITE_ERROR }
            let values = (0..<Int(count)).map { Value(values?[$0]) }
            return RowTableModule.attempt(cursor) { try $0.start(plan, values) }
        }
        module.xNext = { cursor in RowTableModule.attempt(cursor) { try $0.step() } }
        module.xEof = { cursor in RowTableModule.walk(cursor)?.isOver == false ? 0 : 1 }
        module.xColumn = { cursor, context, column in
            guard let context else { return SQLITE_ERROR }
            return RowTableModule.attempt(cursor) { try $0.column(Int(column), into: Cell(context: context)) }
        }
        module.xRowid = { cursor, out in
            out?.pointee = RowTableModule.walk(cursor)?.number ?? 0
            return SQLITE_OK
        }
    }

    private static let connect:
        @convention(c) (
            OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<UnsafePointer<CChar>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> Int32 = { db, data, _, _, out, _ in
            guard let data, let out else { return SQLITE_ERROR }
            let slot = Unmanaged<TableSlot>.fromOpaque(data)
            let columns = slot.takeUnretainedValue().table.columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
            let code = sqlite3_declare_vtab(db, "CREATE TABLE rows(\(columns))")
            if code != SQLITE_OK { return code }
            let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
            table.initialize(to: Table(slot: slot))
            out.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
            return SQLITE_OK
        }

    private static func slot(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> TableSlot? {
        UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: Table.self).pointee.slot.takeUnretainedValue()
    }

    private static func walk(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Walk? {
        UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self).pointee.walk.takeUnretainedValue()
    }

    /// Returns only an error code, so that untrusted SQL does not learn file names.
    private static func attempt(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ body: (Walk) throws -> Void) -> Int32 {
        guard let walk = walk(cursor) else { return SQLITE_ERROR }
        do {
            try body(walk)
            return SQLITE_OK
        } catch {
            return (error as? SQLiteError)?.code.rawValue ?? SQLITE_ERROR
        }
    }
}

extension Value {
    /// A value held by SQLite during a call.
    fileprivate init(_ value: OpaquePointer?) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT: self = .utf8(bytes(of: value))
        case SQLITE_BLOB: self = .blob(bytes(of: value))
        default: self = .null
        }
    }
}

private func bytes(of value: OpaquePointer?) -> [UInt8] {
    guard let start = sqlite3_value_blob(value) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
}
