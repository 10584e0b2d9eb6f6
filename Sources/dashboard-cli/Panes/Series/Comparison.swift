import Events

/// The buckets that are over beside just as many before them: the one that has only begun would make everything seem to fall.
struct Comparison: Sendable {
    private let now: SeriesAsk
    private let before: SeriesAsk

    /// With a field, of each of its values that count most.
    init(_ name: String, _ counted: Counted, _ range: ShownRange, by field: String? = nil, limit: Int = 10) {
        now = counted.over("\(name)_over", range, by: field, limit: limit)
        before = counted.before("\(name)_before", range, by: field, limit: limit)
    }

    var asks: [StandingAsk] { [now.standing, before.standing] }

    /// Nil where one of both is not known; `(other)` is not the same values in both.
    func change(of name: String? = nil, _ view: PaneView) -> Change? {
        guard name != BreakdownName.other, let now = series(now, name, view), let before = series(before, name, view) else { return nil }
        return Change(now.total.number, before: before.total.number)
    }

    /// The series before, as long as the one that is shown.
    func earlier(of name: String? = nil, _ view: PaneView) -> [Double?]? {
        series(before, name, view).map { $0.points.map(\.value.number) + [nil] }
    }

    private func series(_ ask: SeriesAsk, _ name: String?, _ view: PaneView) -> SeriesAnswer.Series? {
        view.answers.value(ask)?.body.series.first { $0.name == name }
    }
}
