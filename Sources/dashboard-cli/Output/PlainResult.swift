// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Platform

/// A result as plain text.
enum PlainResult {
    /// Values verbatim, in columns.
    static func plain(_ result: JSONValue) -> String {
        let parts = ResultTables(result)
        let facts = TextTable.lines(parts.facts.map { [$0.name, $0.value] })
        return ([facts] + parts.tables.map { "\($0.name)\n\(TextTable.lines([$0.headings] + $0.rows))" }).joined(separator: "\n\n")
    }
}
