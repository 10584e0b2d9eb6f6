import JSON

/// Rows under headings, with values as programs want them.
struct Sheet: Equatable, Sendable {
    let headings: [String]
    let rows: [[String]]

    init(_ headings: [String], _ rows: [[String]]) {
        (self.headings, self.rows) = (headings, rows)
    }

    /// The first table of an answer, or else its facts.
    init(_ answer: JSONValue) {
        let parts = AnswerTables(answer)
        if let table = parts.tables.first {
            self.init(table.headings, table.rows)
        } else {
            self.init(parts.facts.map(\.name), [parts.facts.map(\.value)])
        }
    }

    /// Lines end as RFC 4180 has it.
    var csv: String { headings.isEmpty ? "" : Sheet.lines([headings]) + rowsCSV }
    /// For more below the same headings.
    var rowsCSV: String { Sheet.lines(rows) }

    static func lines(_ rows: [[String]]) -> String { rows.map { $0.map(Sheet.quoted).joined(separator: ",") + "\r\n" }.joined() }

    private static func quoted(_ text: String) -> String {
        // A spreadsheet would take these for the beginning of a formula.
        let isFormula = text.first.map { "=+@\t\r".contains($0) || ($0 == "-" && Double(text) == nil) } ?? false
        let safe = isFormula ? "'" + text : text
        let needsQuotes = safe.unicodeScalars.contains { [",", "\"", "\n", "\r"].contains($0) }
        return needsQuotes ? "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" : safe
    }
}
