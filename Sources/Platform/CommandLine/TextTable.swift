// SPDX-License-Identifier: Apache-2.0

/// A table of text columns.
package enum TextTable {
    /// Creates a table with headings; empty columns are left out.
    package static func lines(_ headings: [String], _ rows: [[String]]) -> String {
        let used = headings.indices.filter { column in rows.isEmpty || rows.contains { !$0[column].isEmpty } }
        return lines(([headings] + rows).map { row in used.map { row[$0] } })
    }

    package static func lines(_ rows: [[String]]) -> String {
        let cells = rows.map { $0.map { TerminalText(cell: $0) } }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in cells.map { $0.count > column ? $0[column].text.count : 0 }.max() ?? 0 }
        return cells.map { line($0, widths) }.joined(separator: "\n")
    }

    private static func line(_ row: [TerminalText], _ widths: [Int]) -> String {
        var text = ""
        for (cell, width) in zip(row, widths) { text += cell.text + String(repeating: " ", count: width - cell.text.count + 2) }
        while text.last == " " { text.removeLast() }
        return text
    }
}
