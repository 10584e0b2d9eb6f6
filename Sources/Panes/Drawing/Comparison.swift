// SPDX-License-Identifier: Apache-2.0

import Events

/// The buckets that are over beside just as many before them: the one that has only begun would make everything seem to fall.
struct Comparison: Sendable {
    private let now: SeriesQuery
    private let before: SeriesQuery
    private let field: String?

    /// With a field, of each of its values that count most.
    init(_ name: String, _ counted: MetricSelection, _ range: ViewRange, by field: String? = nil, limit: Int = 10) {
        now = counted.over("\(name)_over", range, by: field, limit: limit)
        before = counted.before("\(name)_before", range, by: field, limit: limit)
        self.field = field
    }

    var queries: [PolledQuery] { [now.polled, before.polled] }

    /// Nil where one of both is not known; `(other)` is not the same values in both.
    func change(of value: String? = nil, _ view: PaneView) -> Change? {
        guard value != BreakdownName.other, let now = series(now, value, view), let before = series(before, value, view) else { return nil }
        return Change(now.total.number, before: before.total.number)
    }

    /// The series before, as long as the one that is shown; what is not among its values was not there, unless others are counted together.
    func earlier(of value: String? = nil, _ view: PaneView) -> [Double?]? {
        if let found = series(before, value, view) { return found.points.map(\.value.number) + [nil] }
        guard let all = view.results.value(before)?.body.series, !all.contains(where: { $0.name == BreakdownName.other }) else { return nil }
        return Array(repeating: 0, count: view.range.buckets - 1) + [nil]
    }

    /// The whole has the name of the event, if one was asked for.
    private func series(_ query: SeriesQuery, _ value: String?, _ view: PaneView) -> SeriesAnswer.Series? {
        view.results.value(query)?.body.series.first { field == nil || $0.name == value }
    }
}
