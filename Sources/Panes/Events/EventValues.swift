// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// The series of a field's values: the largest as lines with letters, all as rows.
struct EventValues {
    private let series: [SeriesResult.Series]
    private let metric: QueryMetric

    init(_ series: [SeriesResult.Series], _ metric: QueryMetric) {
        (self.series, self.metric) = (series, metric)
    }

    private static let letters = LineChart.letters.prefix(6).map(String.init)

    /// The series with a line. `(other)` has none: it would hide them.
    private var lined: [SeriesResult.Series] {
        Array(series.filter { $0.name != BreakdownName.other }.prefix(EventValues.letters.count))
    }

    static func headings(_ metric: QueryMetric) -> [String] { (metric == .events ? ["share"] : []) + ["max", "last"] }

    func rows(_ comparison: Comparison?, _ view: PaneView) -> [Ranking.Row] {
        let all = series.reduce(0) { $0 + $1.total.number }
        return series.map { one in
            let values = one.points.map(\.value.known)
            let share = metric == .events ? [Numbers.percent(all > 0 ? one.total.number / all : 0)] : []
            let figures = [values.compactMap(\.self).max(), values.dropLast().last ?? nil].map { Numbers.short($0) }
            let line = lined.firstIndex { $0.name == one.name }
            return Ranking.Row(
                name: one.name ?? "", value: one.total.number, mark: line.map { EventValues.letters[$0] } ?? "", more: share + figures,
                change: comparison?.change(of: one.name, view), style: line.map { Theme.lines[$0] } ?? .plain)
        }
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let first = lined.first?.points.first else { return Block.say("No event has this field in this range.", in: area, on: &frame) }
        let (legend, chart) = area.split(rows: area.height >= 4 ? 1 : 0)
        var rest = legend
        for ((one, letter), style) in zip(zip(lined, EventValues.letters), Theme.lines) {
            let text = "\(letter) \(one.name ?? "") \(Numbers.short(one.total.number))"
            // Series that do not fit are in the rows below.
            guard text.width <= rest.width else { break }
            rest = rest.split(columns: frame.text(text, in: rest, style) + 3).rest
        }
        LineChart(
            lined.map { $0.points.map(\.value.known) }, from: view.bucket(first.t.time), to: "now", names: EventValues.letters,
            marks: LineChart.letters
        )
        .draw(in: chart, on: &frame, Theme.lines, axis: Theme.faint)
    }
}
