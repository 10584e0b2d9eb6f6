// SPDX-License-Identifier: Apache-2.0

import Panes
import Terminal

/// A chart of the report: lines or columns, legend, summary and table.
struct Chart: Sendable {
    struct Bucket: Sendable, Equatable {
        /// The label on the axis.
        let label: String
        /// The name in texts.
        let name: String
        /// Whether the bucket is running.
        let isOpen: Bool
    }

    struct Series: Sendable {
        let name: String
        /// Nil for unknown values.
        let values: [Double?]
        /// Whether the columns hang below the axis, such as churn.
        var isBelow = false
    }

    enum Kind: Sendable {
        case lines, columns
    }

    let title: String
    let kind: Kind
    let buckets: [Bucket]
    let series: [Series]
    /// The start of the axis.
    var floor = 0.0
    var ceiling: Double?
    let format: @Sendable (Double) -> String

    var figure: HTML {
        let isAlone = series.count < 2
        let words = isAlone ? [HTML.element("p", .text(summary))] : []
        let caption = HTML.element("figcaption", [.element("h3", .text(title))] + words)
        let legend = isAlone ? [] : [HTML.element("ul", ["class": "legend"], series.indices.map(entry))]
        return .element("figure", [caption] + legend + [picture, table])
    }

    /// The legend entry of a series.
    private func entry(_ index: Int) -> HTML {
        let drawn: HTML =
            kind == .lines
            ? .empty("line", ["class": "line s\(index)", "x1": "1", "x2": "23", "y1": "6", "y2": "6"])
            : .empty("rect", ["class": "f\(index)", "x": "6", "width": "12", "height": "12", "rx": "3"])
        let key = HTML.element("svg", ["class": "key", "viewBox": "0 0 24 12", "aria-hidden": "true"], drawn)
        return .element("li", key, .element("b", .text(series[index].name)), .text(" " + extent(of: series[index])))
    }

    private func extent(of series: Series) -> String {
        let known = series.values.compactMap { $0 }
        guard let low = known.min(), let high = known.max(), let last = known.last else { return "–" }
        return "\(low == high ? format(low) : "\(format(low)) to \(format(high))"), last \(format(last))"
    }

    private var picture: HTML {
        let plot = Plot(self)
        let box = "0 0 \(Int(Plot.width)) \(Int(Plot.height))"
        let attributes: HTML.Attributes = ["class": "chart", "viewBox": box, "role": "img", "aria-label": "\(title). \(summary)"]
        return .element("svg", attributes, plot.axes + (kind == .lines ? plot.lines : plot.columns) + plot.tips)
    }

    // MARK: Texts

    /// The lowest, highest and last value of each series.
    var summary: String {
        series.map { series in (self.series.count > 1 ? "\(series.name): " : "") + summary(of: series) }.joined(separator: " ")
    }

    private func summary(of series: Series) -> String {
        let known = zip(buckets, series.values).compactMap { bucket, value in value.map { (bucket, $0) } }
        guard let last = known.last else { return "Nothing." }
        let closed = known.filter { !$0.0.isOpen }
        let ending = "ast \(format(last.1))\(last.0.isOpen ? " so far" : "")."
        guard closed.count > 1, let low = closed.min(by: { $0.1 < $1.1 }), let high = closed.max(by: { $0.1 < $1.1 }), low.1 != high.1 else {
            return "L" + ending
        }
        return "Lowest \(format(low.1)) (\(low.0.name)), highest \(format(high.1)) (\(high.0.name)), l\(ending)"
    }

    /// The values as a table, also for screen readers.
    private var table: HTML {
        let head = HTML.element(
            "tr", [.element("th", ["scope": "col"], "from")] + series.map { .element("th", ["scope": "col", "class": "number"], .text($0.name)) })
        let rows = buckets.indices.map { index in
            let cells = series.map { HTML.element("td", ["class": "number"], .text($0.values[index].map(format) ?? "–")) }
            return HTML.element("tr", [.element("th", ["scope": "row"], .text(buckets[index].name + (buckets[index].isOpen ? " …" : "")))] + cells)
        }
        let table = HTML.element("table", .element("caption", .text(title)), .element("thead", head), .element("tbody", rows))
        return .element("details", .element("summary", "Show table"), .element("div", ["class": "scroll"], table))
    }
}
