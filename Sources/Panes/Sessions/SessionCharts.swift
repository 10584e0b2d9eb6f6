// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// Charts of sessions over time.
struct SessionCharts: Sendable {
    private let points: [SessionsResult.Point]
    private let earlier: [SessionsResult.Point]?

    /// `earlier` has as many buckets before, without the last.
    init(_ points: [SessionsResult.Point], earlier: [SessionsResult.Point]?) {
        (self.points, self.earlier) = (points, earlier)
    }

    func sessions(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let values = points.map { Double($0.figures.sessions) }
        let over = values.dropLast()
        let note = "\(Numbers.short(over.min() ?? 0))–\(Numbers.short(values.max() ?? 0)) · last \(Numbers.short(over.last ?? 0))"
        draw(
            view.aBucket.prefix(1).uppercased() + view.aBucket.dropFirst(), note, values, earlier?.map { Double($0.figures.sessions) }, view,
            in: area, on: &frame)
    }

    /// In hours, minutes or seconds; buckets without sessions have no point.
    func length(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let longest = points.map(\.figures.p90Seconds).max() ?? 0
        let (unit, seconds) = longest >= 7_200 ? ("hours", 3_600.0) : longest >= 120 ? ("minutes", 60) : ("seconds", 1)
        let lines = [\SessionsResult.Figures.medianSeconds, \.p90Seconds].map { path in
            points.map { $0.figures.sessions > 0 ? $0.figures[keyPath: path] / seconds : nil }
        }
        let (head, body) = area.split(rows: 1)
        frame.rule("Length in \(unit)", in: head, Theme.faint, title: Theme.title)
        LineChart(lines, from: start(view), to: "now", names: ["◆ p50", "▲ p90"], marks: LineChart.shapes).draw(
            in: body, on: &frame, Theme.lines, axis: Theme.faint)
    }

    func engaged(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let shares = { (points: [SessionsResult.Point]) in points.map { $0.figures.sessions > 0 ? $0.figures.engagedShare * 100 : nil } }
        let known = shares(points.dropLast()).compactMap(\.self)
        let note =
            known.isEmpty
            ? "" : [known.min(), known.max()].map { Numbers.grouped($0 ?? 0) }.joined(separator: "–") + " · last \(Numbers.grouped(known.last ?? 0))"
        draw("Engaged in %", note, shares(points), earlier.map(shares), view, in: area, on: &frame)
    }

    private func start(_ view: PaneView) -> String { points.first.map { view.bucket($0.t.time) } ?? "" }

    private func draw(
        _ title: String, _ note: String, _ values: [Double?], _ earlier: [Double?]?, _ view: PaneView, in area: Rect, on frame: inout Frame
    ) {
        let (head, body) = area.split(rows: 1)
        frame.rule(title, note: note, in: head, Theme.faint, title: Theme.title)
        guard let earlier else {
            return AreaChart(values, from: start(view), to: "now").draw(in: body, on: &frame, Theme.chart, axis: Theme.faint)
        }
        LineChart([earlier + [nil], values], from: start(view), to: "now", names: ["▼ before", "◆ now"], marks: ["▼", "◆"])
            .draw(in: body, on: &frame, [Theme.faint, Theme.chart], axis: Theme.faint)
    }
}
