// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Terminal

/// A series over time with its figures, and the previous period as a second line.
struct SeriesChart {
    let points: [SeriesResult.Point]
    var total: Double?
    /// The previous period.
    var earlier: [Double?]?
    var change: Change?
    /// Further figures.
    var more: [Captions.Figure] = []

    init(_ series: SeriesResult.Series, earlier: [Double?]? = nil, change: Change? = nil, more: [Captions.Figure] = []) {
        (points, total) = (series.points, series.total.known)
        (self.earlier, self.change, self.more) = (earlier, change, more)
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let values = points.map(\.value.known)
        guard let first = points.first, area.height > 0 else { return }
        let (head, body) = area.split(rows: area.height >= 4 ? 1 : 0)
        Captions(figures(values)).draw(in: head, on: &frame)
        let start = view.bucket(first.t.time)
        guard let earlier else { return draw(values, from: start, in: body, on: &frame) }
        LineChart([earlier, values], from: start, to: "now", names: ["▼ before", "◆ now"], marks: ["▼", "◆"])
            .draw(in: body, on: &frame, [Theme.faint, Theme.chart], axis: Theme.faint)
    }

    /// Draws an area, or a line with gaps if values are missing. An area would show a gap like a zero.
    private func draw(_ values: [Double?], from start: String, in area: Rect, on frame: inout Frame) {
        guard values.contains(nil) else {
            return AreaChart(values, from: start, to: "now").draw(in: area, on: &frame, Theme.chart, axis: Theme.faint)
        }
        LineChart([values], from: start, to: "now").draw(in: area, on: &frame, [Theme.chart], axis: Theme.faint)
    }

    /// The running bucket does not count for minimum and last value.
    private func figures(_ values: [Double?]) -> [Captions.Figure] {
        let over = values.count > 1 ? values.dropLast() : values[...]
        let figures = [
            ("min", over.compactMap(\.self).min()), ("max", values.compactMap(\.self).max()), ("last", over.last ?? nil),
        ].map { Captions.Figure($0, Numbers.short($1)) }
        return [Captions.Figure("total", Numbers.short(total), change)] + figures + more
    }
}

extension PaneView {
    /// `an hour`, `a day`: for titles of charts.
    var aBucket: String { range.interval == "hour" ? "an hour" : "a \(range.interval)" }

    /// The range, or what it is compared with.
    var rangeNote: String {
        options.compares ? "vs previous \(range.name.hasPrefix("1 ") ? String(range.name.dropFirst(2)) : range.name)" : range.name
    }

    /// The start of a ranking, which is rounded to a quarter of an hour; only shown for ranges of minutes.
    func since(_ about: ResultRange?) -> String? {
        range.interval == "minute" ? about.map { "since \(clock($0.from.time))" } : nil
    }

    /// The start of a bucket, as short as the range allows.
    func bucket(_ time: Timestamp) -> String {
        switch range.interval {
        case "minute": clock(time)
        case "hour": range.buckets <= 24 ? clock(time) : "\(day(time)) \(clock(time))"
        default: range.buckets <= 30 ? day(time) : String((zone?.local(time) ?? time).rfc3339.prefix(10))
        }
    }
}
