// SPDX-License-Identifier: Apache-2.0

import Panes
import Terminal

/// A ranking with bars.
struct RankingTable {
    struct Row {
        let name: HTML
        let value: Double
        var change: ReportChange?
        var more: [String] = []
    }

    let title: String
    let column: String
    /// The headings after the value.
    var headings: [String] = []
    let rows: [Row]
    let format: (Double) -> String
    var compares = true

    var table: HTML {
        let most = max(rows.map(\.value).max() ?? 0, .leastNormalMagnitude)
        let heads =
            [HTML.element("th", ["scope": "col"], .text(column)), .element("th", ["scope": "col", "class": "bars"], .none), number("total")]
            + headings.map(number) + (compares ? [number("change")] : [])
        let body = rows.map { row in
            // The bar is hidden from screen readers: the number says the same.
            let bar = HTML.element("span", ["class": "bar", "style": "width:\(Int((row.value / most * 100).rounded()))%"], .none)
            let cells: [HTML] = [
                .element("th", ["scope": "row"], row.name), .element("td", ["class": "bars", "aria-hidden": "true"], bar),
                .element("td", ["class": "number strong"], .text(format(row.value))),
            ]
            let more = row.more.map { HTML.element("td", ["class": "number"], .text($0)) }
            let change = compares ? [HTML.element("td", ["class": "number"], row.change?.html ?? "–")] : []
            return HTML.element("tr", cells + more + change)
        }
        let table = HTML.element(
            "table", ["class": "ranking"], .element("caption", .text(title)), .element("thead", .element("tr", heads)), .element("tbody", body))
        return .element("div", ["class": "scroll"], table)
    }

    private func number(_ heading: String) -> HTML { .element("th", ["scope": "col", "class": "number"], .text(heading)) }
}

/// A table of names and figures.
struct FigureTable {
    let title: String
    let headings: [String]
    /// The first column is the name; the others are numbers unless listed in `texts`.
    let rows: [[HTML]]
    var texts: Set<String> = []

    var table: HTML {
        let head = headings.enumerated().map { index, heading in
            HTML.element("th", ["scope": "col", "class": kind(index)], .text(heading))
        }
        let body = rows.map { row in
            HTML.element(
                "tr",
                row.enumerated().map { index, cell in
                    index == 0 ? .element("th", ["scope": "row"], cell) : .element("td", ["class": kind(index)], cell)
                })
        }
        let table = HTML.element("table", .element("caption", .text(title)), .element("thead", .element("tr", head)), .element("tbody", body))
        return .element("div", ["class": "scroll"], table)
    }

    private func kind(_ index: Int) -> String { index == 0 || texts.contains(headings[index]) ? "text" : "number" }
}
