// SPDX-License-Identifier: Apache-2.0

package import JSON

/// A list of a result as rows with headings.
package struct ResultTable: Sendable, Equatable {
    package enum Kind: Sendable {
        /// Headings are names of fields.
        case fields
        /// A row for each time, a column for each series.
        case series
        /// A row for each cohort: start, size, and the share of each period.
        case cohorts
        /// Rows of a SQL query, shown verbatim.
        case verbatim
    }

    package let name: String
    package var headings: [String]
    package var rows: [[String]]
    package var kind = Kind.fields
}

/// Any result as facts and tables, without knowledge of the query.
package struct ResultTables: Sendable, Equatable {
    package private(set) var facts: [(name: String, value: String)] = []
    package private(set) var tables: [ResultTable] = []

    package init(_ result: JSONValue) {
        if let columns = result["columns"], let rows = result["rows"] {
            let rows = rows.elements.map { $0.elements.map(\.text) }
            tables = [ResultTable(name: "rows", headings: columns.elements.map(\.text), rows: rows, kind: .verbatim)]
            facts = result.text("truncated") == "true" ? [("truncated", "true")] : []
        } else {
            add(result, prefix: "")
        }
    }

    package static func == (a: ResultTables, b: ResultTables) -> Bool {
        a.facts.elementsEqual(b.facts) { $0 == $1 } && a.tables == b.tables
    }

    private mutating func add(_ object: JSONValue, prefix: String) {
        for (name, value) in object.fields {
            if !value.fields.isEmpty {
                add(value, prefix: prefix + name + ".")
            } else if value.isListOfObjects {
                add(prefix + name, value.elements)
            } else {
                facts.append((prefix + name, value.text))
            }
        }
    }

    private mutating func add(_ name: String, _ elements: [JSONValue]) {
        let inner = elements.lazy.flatMap(\.fields).first { $0.value.isListOfObjects }?.name
        switch inner {
        case nil: tables.append(ResultTables.flat(name, elements))
        case "points" where elements.allSatisfy { $0["points"]?.elements.allSatisfy { $0["value"] != nil } ?? false }:
            tables.append(ResultTables.across(name, elements, inner: "points", key: "t", cell: "value"))
        case "cells": tables.append(ResultTables.cohorts(name, elements))
        case let inner?:
            tables.append(ResultTables.flat(name, elements))
            for element in elements {
                let title = [name, element.fields.first?.value.text ?? "", inner].joined(separator: " ")
                tables.append(ResultTables.flat(title, element[inner]?.elements ?? []))
            }
        }
    }

    /// A row for each element, a column for every field that occurs.
    private static func flat(_ name: String, _ elements: [JSONValue]) -> ResultTable {
        var headings: [String] = []
        for element in elements {
            for field in element.fields where !field.value.isListOfObjects && !headings.contains(field.name) { headings.append(field.name) }
        }
        return ResultTable(name: name, headings: headings, rows: elements.map { element in headings.map { element.text($0) } })
    }

    /// A row for each time, a column for each series.
    private static func across(_ name: String, _ elements: [JSONValue], inner: String, key: String, cell: String) -> ResultTable {
        let moments = elements.first?[inner]?.elements.map { $0.text(key) } ?? []
        let titles = elements.map { element in
            let words = ["name", "currency"].map { element.text($0) }.filter { !$0.isEmpty }
            return words.isEmpty ? cell : words.joined(separator: " ")
        }
        let columns = elements.map { $0[inner]?.elements.map { $0.text(cell) } ?? [] }
        var rows = moments.enumerated().map { index, moment in [moment] + columns.map { $0.indices.contains(index) ? $0[index] : "" } }
        if elements.contains(where: { $0["total"] != nil }) { rows.append(["total"] + elements.map { $0.text("total") }) }
        return ResultTable(name: name, headings: [key] + titles, rows: rows, kind: .series)
    }

    /// A row for each cohort, a column for each period. An asterisk marks running periods.
    private static func cohorts(_ name: String, _ elements: [JSONValue]) -> ResultTable {
        let cells = elements.map { $0["cells"]?.elements ?? [] }
        let periods = cells.map(\.count).max() ?? 0
        let rows = zip(elements, cells).map { element, cells in
            let shares = cells.map { $0.text("share") + ($0.text("complete") == "false" ? "*" : "") }
            return [element.text("t"), element.text("size")] + shares + Array(repeating: "", count: periods - cells.count)
        }
        return ResultTable(name: name, headings: ["t", "size"] + (0..<periods).map { "share \($0)" }, rows: rows, kind: .cohorts)
    }
}

extension JSONValue {
    fileprivate var isListOfObjects: Bool { json.first == UInt8(ascii: "[") && (json.count == 2 || elements.contains { !$0.fields.isEmpty }) }
}
