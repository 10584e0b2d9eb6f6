// SPDX-License-Identifier: Apache-2.0

import Events

/// A comparison of the complete buckets of a range with as many before them. The running bucket is left out: it would look like a fall.
struct Comparison: Sendable {
    private let now: SeriesQuery
    private let before: SeriesQuery
    private let field: String?
    /// The value of buckets without events; nil for figures that do not exist without numbers.
    private let absent: Double?

    /// With a field, compares each of its most frequent values.
    init(_ name: String, _ counted: MetricSelection, _ range: ViewRange, by field: String? = nil, limit: Int = 10) {
        now = counted.over("\(name)_over", range, by: field, limit: limit)
        before = counted.before("\(name)_before", range, by: field, limit: limit)
        self.field = field
        absent = if case .number(let figure) = counted.metric, figure.function != .sum { nil } else { 0 }
    }

    var queries: [PolledQuery] { [now.polled, before.polled] }

    /// Nil if one side is unknown, and for `(other)`, which stands for different values on both sides.
    func change(of value: String? = nil, _ view: PaneView) -> Change? {
        guard value != BreakdownName.other, let now = series(now, value, view), let before = series(before, value, view) else { return nil }
        guard let now = now.total.known, let before = before.total.known else { return nil }
        return Change(now, before: before)
    }

    /// The previous series, as long as the shown one. A value that it lacks counts as zero or missing, unless it may be part of `(other)`.
    func earlier(of value: String? = nil, _ view: PaneView) -> [Double?]? {
        if let found = series(before, value, view) { return found.points.map(\.value.known) + [nil] }
        guard let all = view.results.value(before)?.body.series, !all.contains(where: { $0.name == BreakdownName.other }) else { return nil }
        return Array(repeating: absent, count: view.range.buckets - 1) + [nil]
    }

    /// Without a field there is one series.
    private func series(_ query: SeriesQuery, _ value: String?, _ view: PaneView) -> SeriesResult.Series? {
        view.results.value(query)?.body.series.first { field == nil || $0.name == value }
    }
}
