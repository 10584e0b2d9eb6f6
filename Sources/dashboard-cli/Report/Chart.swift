// SPDX-License-Identifier: Apache-2.0

import Panes
import Terminal

/// Values over time as lines or columns, with all that is needed to read them.
struct Chart: Sendable {
    struct Bucket: Sendable, Equatable {
        /// On the axis.
        let label: String
        /// In sentences.
        let name: String
        /// Whether it has only begun.
        let isOpen: Bool
    }

    struct Series: Sendable {
        let name: String
        /// Nil where nothing is known.
        let values: [Double?]
        /// Columns that hang below the others, such as what was lost.
        var isBelow = false
    }

    enum Kind: Sendable {
        case lines, columns
    }

    let title: String
    let kind: Kind
    let buckets: [Bucket]
    let series: [Series]
    /// Where the axis begins, if not at 0.
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

    /// How a series is drawn, what it is, and how far it goes.
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

    // MARK: In words

    /// Lowest, highest and last of each series.
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

    /// The same values for those who would rather read, or hear, them.
    private var table: HTML {
        let head = HTML.element(
            "tr", [.element("th", ["scope": "col"], "from")] + series.map { .element("th", ["scope": "col", "class": "number"], .text($0.name)) })
        let rows = buckets.indices.map { index in
            let cells = series.map { HTML.element("td", ["class": "number"], .text($0.values[index].map(format) ?? "–")) }
            return HTML.element("tr", [.element("th", ["scope": "row"], .text(buckets[index].name + (buckets[index].isOpen ? " …" : "")))] + cells)
        }
        let table = HTML.element("table", .element("caption", .text(title)), .element("thead", head), .element("tbody", rows))
        return .element("details", .element("summary", "as a table"), .element("div", ["class": "scroll"], table))
    }
}
