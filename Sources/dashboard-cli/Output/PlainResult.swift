// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Platform

/// An answer for programs and files.
enum PlainResult {
    /// Values as they came, in columns.
    static func plain(_ answer: JSONValue) -> String {
        let parts = ResultTables(answer)
        let facts = TextTable.lines(parts.facts.map { [$0.name, $0.value] })
        return ([facts] + parts.tables.map { "\($0.name)\n\(TextTable.lines([$0.headings] + $0.rows))" }).joined(separator: "\n\n")
    }
}
