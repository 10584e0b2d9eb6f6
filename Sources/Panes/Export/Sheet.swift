// SPDX-License-Identifier: Apache-2.0

package import JSON
import Platform

/// Rows with headings and machine-readable values, for CSV.
package struct Sheet: Equatable, Sendable {
    package let headings: [String]
    package let rows: [[String]]

    package init(_ headings: [String], _ rows: [[String]]) {
        (self.headings, self.rows) = (headings, rows)
    }

    /// The first table of a result, or else its facts.
    package init(_ result: JSONValue) {
        let parts = ResultTables(result)
        if let table = parts.tables.first {
            self.init(table.headings, table.rows)
        } else {
            self.init(parts.facts.map(\.name), [parts.facts.map(\.value)])
        }
    }

    package var csv: String { headings.isEmpty ? "" : Sheet.lines([headings]) + rowsCSV }
    /// The rows without headings, to append.
    package var rowsCSV: String { Sheet.lines(rows) }

    package static func lines(_ rows: [[String]]) -> String {
        String(decoding: rows.flatMap { CSVCell.record($0.map { CSVCell($0) }) }, as: UTF8.self)
    }
}

/// The pages of a list as sheets, for an export of the whole list. Rows are in the daemon's order.
package struct SheetPages: Sendable {
    /// Pages are larger than those on the screen, but bounded: rows of the quarantine contain whole events.
    static let rowsPerPage = 500
    /// An export ends after this number of rows.
    package static let mostRows = 100_000
    /// The usual number of requests after which an export ends. A daemon may return smaller pages than requested.
    private static let mostPages = 1_000

    /// Returns the query for the page after a cursor, or for the first page.
    package let query: @Sendable (String?) -> PolledQuery
    /// Returns the cursor of the next page.
    package let next: @Sendable (QueryResult) -> String?
    package let sheet: @Sendable (QueryResult) -> Sheet
    /// Returns the query in place of a page that is too large.
    package let smaller: (@Sendable (String?) -> PolledQuery)?
    /// The number of requests after which the export ends.
    package var most = SheetPages.mostPages
}
