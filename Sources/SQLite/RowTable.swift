// SPDX-License-Identifier: Apache-2.0

/// A read-only virtual table over rows supplied by code, for untrusted SQL.
package protocol RowTable: AnyObject {
    var columns: [TableColumn] { get }
    /// Returns a cursor over rows within the bounds. It may include more rows, because SQLite checks each again.
    func rows(_ bounds: [TableBound], wanted: ColumnSet) throws -> any RowCursor
}

/// A cursor, initially before the first row.
package protocol RowCursor: AnyObject {
    /// Advances; returns `false` after the last row.
    func next() throws -> Bool
    /// Writes a value of the current row; otherwise it is NULL.
    func column(_ column: Int, into cell: Cell) throws
}

package struct TableColumn: Sendable {
    /// The comparisons that the table can search by.
    package enum Search: Sendable {
        case none, equality, range
    }

    package let name: String
    /// The declaration in `CREATE TABLE` form.
    package let type: String
    package let search: Search

    package init(_ name: String, _ type: String, _ search: Search = .none) {
        self.name = name
        self.type = type
        self.search = search
    }
}

/// The bounds of a query on a column.
package struct TableBound: Sendable {
    package enum Comparison: String, Sendable {
        case equal = "="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    package let column: Int
    package let comparison: Comparison
    package let value: Value
}

/// The set of columns that a query reads. Columns after the first 63 always count as read.
package struct ColumnSet: Sendable {
    let bits: UInt64

    package func contains(_ column: Int) -> Bool {
        bits & 1 << UInt64(min(column, 63)) != 0
    }

    package func contains(any columns: some Sequence<Int>) -> Bool {
        columns.contains { contains($0) }
    }
}
