// SPDX-License-Identifier: Apache-2.0

/// A read-only table whose rows our code finds, for SQL that somebody else has written.
package protocol RowTable: AnyObject {
    var columns: [TableColumn] { get }
    /// The rows that satisfy the bounds; more are allowed, for SQLite looks at each again.
    func rows(_ bounds: [TableBound], wanted: ColumnSet) throws -> any RowCursor
}

/// Walks over rows; begins before the first.
package protocol RowCursor: AnyObject {
    /// False behind the last row.
    func next() throws -> Bool
    /// Gives a value of the row it stands on; a column not given is NULL.
    func column(_ column: Int, into cell: Cell) throws
}

package struct TableColumn: Sendable {
    /// By which comparisons the table finds rows faster.
    package enum Search: Sendable {
        case none, equality, range
    }

    package let name: String
    /// As in `CREATE TABLE`.
    package let type: String
    package let search: Search

    package init(_ name: String, _ type: String, _ search: Search = .none) {
        self.name = name
        self.type = type
        self.search = search
    }
}

/// What a question demands of a column.
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

/// Which of a table's first 63 columns are read; the others always count as read.
package struct ColumnSet: Sendable {
    let bits: UInt64

    package func contains(_ column: Int) -> Bool {
        bits & 1 << UInt64(min(column, 63)) != 0
    }

    package func contains(any columns: some Sequence<Int>) -> Bool {
        columns.contains { contains($0) }
    }
}
