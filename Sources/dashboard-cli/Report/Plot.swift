// SPDX-License-Identifier: Apache-2.0

import Panes
import Terminal

/// The layout of a chart as SVG.
struct Plot {
    static let width = 640.0
    static let height = 240.0
    private static let (left, right, top, bottom) = (58.0, 16.0, 18.0, 26.0)

    private let chart: Chart
    private let low: Double
    private let high: Double

    init(_ chart: Chart) {
        self.chart = chart
        let sums = chart.buckets.indices.map { index in
            (up: Plot.sum(chart, index, below: false), down: Plot.sum(chart, index, below: true))
        }
        let most = chart.kind == .columns ? sums.map(\.up).max() ?? 0 : chart.series.flatMap(\.values).compactMap { $0 }.max() ?? 0
        let least = chart.kind == .columns ? sums.map(\.down).max() ?? 0 : -(chart.series.flatMap(\.values).compactMap { $0 }.min() ?? 0)
        high = chart.ceiling ?? Numbers.roundUp(most)
        low = least > 0 ? -Numbers.roundUp(least) : chart.floor
    }

    private static func sum(_ chart: Chart, _ index: Int, below: Bool) -> Double {
        chart.series.filter { $0.isBelow == below }.reduce(0) { $0 + ($1.values[index] ?? 0) }
    }

    // MARK: Coordinates

    private var slot: Double { (Plot.width - Plot.left - Plot.right) / Double(max(1, chart.buckets.count)) }
    private func x(_ index: Int) -> Double { Plot.left + (Double(index) + 0.5) * slot }

    private func y(_ value: Double) -> Double {
        let share = (value - low) / max(high - low, .leastNormalMagnitude)
        return Plot.top + (1 - share) * (Plot.height - Plot.top - Plot.bottom)
    }

    private static func text(_ place: Double) -> String { "\((place * 10).rounded() / 10)" }

    // MARK: Axes

    var axes: [HTML] {
        let rules = marks.flatMap { mark -> [HTML] in
            let place = Plot.text(y(mark))
            let rule: HTML.Attributes = [
                "class": mark == 0 ? "base" : "rule", "x1": Plot.text(Plot.left), "x2": Plot.text(Plot.width - Plot.right), "y1": place, "y2": place,
            ]
            let label: HTML.Attributes = ["class": "end", "x": Plot.text(Plot.left - 8), "y": Plot.text(y(mark) + 4)]
            return [.empty("line", rule), .element("text", label, .text(mark == 0 ? "0" : chart.format(abs(mark))))]
        }
        return rules
            + named.map { index in
                .element("text", ["class": "middle", "x": Plot.text(x(index)), "y": Plot.text(Plot.height - 6)], .text(chart.buckets[index].label))
            }
    }

    private var marks: [Double] {
        let foot = max(low, 0)
        // Half of one is no valid count.
        let upper = high - foot > 1 || chart.ceiling != nil ? [foot, (foot + high) / 2, high] : [foot, high]
        // Two labels need a line each.
        return low < 0 && y(low) - y(0) > 14 ? [low] + upper : upper
    }

    /// About five labeled buckets, evenly spaced.
    private var named: [Int] {
        let step = max(1, (chart.buckets.count + 5) / 6)
        return Array(stride(from: (chart.buckets.count - 1) % step, to: chart.buckets.count, by: step))
    }

    // MARK: Lines

    var lines: [HTML] {
        let area = chart.series.count == 1 ? [filled(chart.series[0])] : []
        return area + chart.series.indices.flatMap(line) + (chart.series.count == 1 ? marks(chart.series[0]) : [])
    }

    private func points(_ series: Chart.Series) -> [(index: Int, value: Double)] {
        series.values.enumerated().compactMap { index, value in value.map { (index, $0) } }
    }

    private func path(_ points: some Sequence<(index: Int, value: Double)>) -> String {
        points.map { "\(Plot.text(x($0.index))),\(Plot.text(y($0.value)))" }.joined(separator: " ")
    }

    private func filled(_ series: Chart.Series) -> HTML {
        let points = points(series)
        guard let first = points.first, let last = points.last, points.count > 1 else { return .none }
        let foot = Plot.text(y(max(low, 0)))
        return .empty(
            "polygon", ["class": "area f0", "points": "\(Plot.text(x(first.index))),\(foot) \(path(points)) \(Plot.text(x(last.index))),\(foot)"])
    }

    /// The line to the running bucket is dashed, and its dot is hollow.
    private func line(_ index: Int) -> [HTML] {
        let points = points(chart.series[index])
        guard let last = points.last else { return [] }
        let isOpen = chart.buckets[last.index].isOpen
        let closed = isOpen ? Array(points.dropLast()) : points
        let dot: HTML.Attributes = [
            "class": isOpen ? "dot open s\(index)" : "dot f\(index)", "cx": Plot.text(x(last.index)), "cy": Plot.text(y(last.value)), "r": "3.5",
        ]
        return [
            .empty("polyline", ["class": "line s\(index)", "points": path(closed)]),
            .empty("polyline", ["class": "line open s\(index)", "points": path(isOpen ? points.suffix(2) : [])]), .empty("circle", dot),
        ]
    }

    /// The highest and lowest points with their values.
    private func marks(_ series: Chart.Series) -> [HTML] {
        let closed = points(series).filter { !chart.buckets[$0.index].isOpen }
        guard let high = closed.max(by: { $0.value < $1.value }), let low = closed.min(by: { $0.value < $1.value }), high.value != low.value else {
            return []
        }
        return [(high, -8.0), (low, 16.0)].flatMap { point, offset -> [HTML] in
            [
                .empty("circle", ["class": "dot f0", "cx": Plot.text(x(point.index)), "cy": Plot.text(y(point.value)), "r": "3"]),
                label(point.value, at: point.index, y(point.value) + offset),
            ]
        }
    }

    private func label(_ value: Double, at index: Int, _ y: Double) -> HTML {
        let place = min(max(x(index), Plot.left + 22), Plot.width - Plot.right - 22)
        return .element("text", ["class": "middle mark", "x": Plot.text(place), "y": Plot.text(y)], .text(chart.format(value)))
    }

    // MARK: Columns

    var columns: [HTML] {
        let bars = chart.buckets.indices.flatMap { index -> [HTML] in
            var (up, down) = (0.0, 0.0)
            return chart.series.indices.compactMap { number in
                guard let value = chart.series[number].values[index], value > 0 else { return nil }
                let isBelow = chart.series[number].isBelow
                let (from, to) = isBelow ? (down - value, down) : (up, up + value)
                if isBelow { down -= value } else { up += value }
                return column(index, number, y(to), y(from))
            }
        }
        let highest = chart.buckets.indices.map { ($0, Plot.sum(chart, $0, below: false)) }.max { $0.1 < $1.1 }
        guard let highest, highest.1 > 0 else { return bars }
        return bars + [label(highest.1, at: highest.0, y(highest.1) - 5)]
    }

    private func column(_ index: Int, _ series: Int, _ top: Double, _ foot: Double) -> HTML {
        let width = min(slot * 0.72, 56)
        let name = "column f\(series)\(chart.buckets[index].isOpen ? " unfinished s\(series)" : "")"
        return .empty(
            "rect",
            [
                "class": name, "x": Plot.text(x(index) - width / 2), "y": Plot.text(top), "width": Plot.text(width),
                "height": Plot.text(max(0.5, foot - top)),
            ])
    }

    // MARK: Tooltips

    /// The tooltips of the buckets.
    var tips: [HTML] {
        chart.buckets.indices.map { index in
            let values = chart.series.compactMap { series in
                series.values[index].map { "\(chart.series.count > 1 ? series.name + " " : "")\(chart.format($0))" }
            }
            let bucket = chart.buckets[index]
            let text = "\(bucket.name)\(bucket.isOpen ? ", in progress" : ""): \(values.isEmpty ? "–" : values.joined(separator: ", "))"
            let place: HTML.Attributes = [
                "class": "tip", "x": Plot.text(Plot.left + Double(index) * slot), "y": Plot.text(Plot.top), "width": Plot.text(slot),
                "height": Plot.text(Plot.height - Plot.top - Plot.bottom),
            ]
            return .element("rect", place, .element("title", .text(text)))
        }
    }
}
