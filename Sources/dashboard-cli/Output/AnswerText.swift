import JSON
import Platform

/// An answer for programs and files.
enum AnswerText {
    /// Values as they came, in columns.
    static func plain(_ answer: JSONValue) -> String {
        let parts = AnswerTables(answer)
        let facts = TextTable.lines(parts.facts.map { [$0.name, $0.value] })
        return ([facts] + parts.tables.map { "\($0.name)\n\(TextTable.lines([$0.headings] + $0.rows))" }).joined(separator: "\n\n")
    }

    /// The first table, or else the facts; lines end as RFC 4180 has it.
    static func csv(_ answer: JSONValue) -> String {
        let parts = AnswerTables(answer)
        let table = parts.tables.first ?? AnswerTable(name: "", headings: parts.facts.map(\.name), rows: [parts.facts.map(\.value)])
        return ([table.headings] + table.rows).map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        // A spreadsheet would take these for the beginning of a formula.
        let isFormula = text.first.map { "=+@\t\r".contains($0) || ($0 == "-" && Double(text) == nil) } ?? false
        let safe = isFormula ? "'" + text : text
        let needsQuotes = safe.unicodeScalars.contains { [",", "\"", "\n", "\r"].contains($0) }
        return needsQuotes ? "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" : safe
    }
}
