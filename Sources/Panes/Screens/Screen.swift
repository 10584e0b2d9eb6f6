// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// A screen: views, people, platforms and versions.
struct ScreenPane: Pane {
    static let name = "Screen"
    static let summary = "One screen: views, people, platforms and versions."

    static let keys: [PaneKey<Self>] = PaneKey.range + [.compare]

    private let name: String
    private let views: MetricSelection

    init(_ name: String) {
        self.name = name
        views = MetricSelection(metric: .screenViews, filter: "params.screen_name=\(ScreenPane.escaped(name))")
    }

    /// A bar separates alternatives in a filter unless it follows a backslash.
    private static func escaped(_ name: String) -> String {
        name.flatMap { $0 == "|" || $0 == "\\" ? ["\\", $0] : [$0] }.reduce(into: "") { $0.append($1) }
    }

    private func series(_ range: ViewRange) -> SeriesQuery { views.series("screen", range) }

    private func people(_ range: ViewRange) -> SeriesQuery {
        MetricSelection(metric: .users, event: EventKind.screenView.name, filter: views.filter).series("screen_viewers", range)
    }

    private func shares(_ range: ViewRange) -> [ShareList] {
        [
            ShareList(title: "Platforms", query: views.top("screen_platforms", of: "context.platform", range, limit: 20)),
            ShareList(title: "Versions", query: views.top("screen_versions", of: "context.app_version", range, limit: 20)),
        ]
    }

    private func comparison(_ options: ViewOptions) -> Comparison? { options.compares ? Comparison("screen", views, options.range) : nil }

    func queries(_ options: ViewOptions) -> [PolledQuery] {
        [series(options.range).polled, people(options.range).polled] + shares(options.range).map(\.query.polled)
            + (comparison(options)?.queries ?? [])
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let chart: PaneRow.Draw = { drawChart($0, in: $1, on: &$2) }
        let shares = shares(view.range).map { shares in (1, { shares.draw($0, in: $1, on: &$2) } as PaneRow.Draw) }
        let rows = [PaneRow([(1, chart)], least: 4, most: 60, rank: 0, weight: 3), PaneRow(shares, least: 3, most: 21, rank: 1, weight: 2)]
        PaneRow.draw(rows, view, in: area.inset(1), on: &frame)
    }

    private func drawChart(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let query = series(view.range)
        guard let body = Block.open("«\(name)» · views \(view.aBucket)", view.rangeNote, query, view, in: area, on: &frame),
            let series = view.results.value(query)?.body.series.first
        else { return }
        let people = view.results.value(people(view.range))?.body.series.first?.total.number
        let comparison = comparison(view.options)
        SeriesChart(
            series, earlier: comparison?.earlier(of: nil, view), change: comparison?.change(of: nil, view),
            more: people.map { [Captions.Figure("people", Numbers.short($0))] } ?? []
        ).draw(view, in: body, on: &frame)
    }
}
