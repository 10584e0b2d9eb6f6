// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// Rows under headings, with values as programs want them.
struct Sheet: Equatable, Sendable {
    let headings: [String]
    let rows: [[String]]

    init(_ headings: [String], _ rows: [[String]]) {
        (self.headings, self.rows) = (headings, rows)
    }

    /// The first table of an answer, or else its facts.
    init(_ answer: JSONValue) {
        let parts = ResultTables(answer)
        if let table = parts.tables.first {
            self.init(table.headings, table.rows)
        } else {
            self.init(parts.facts.map(\.name), [parts.facts.map(\.value)])
        }
    }

    var csv: String { headings.isEmpty ? "" : Sheet.lines([headings]) + rowsCSV }
    /// For more below the same headings.
    var rowsCSV: String { Sheet.lines(rows) }

    static func lines(_ rows: [[String]]) -> String {
        String(decoding: rows.flatMap { CSVCell.record($0.map { CSVCell($0) }) }, as: UTF8.self)
    }
}
