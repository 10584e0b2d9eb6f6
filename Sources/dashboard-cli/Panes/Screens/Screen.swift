// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// One screen: how often it is looked at, by how many, where and in which versions.
struct ScreenPane: Pane {
    let title = "Screen"
    private let name: String
    private let views: Counted

    init(_ name: String) {
        self.name = name
        views = Counted(metric: .screenViews, filter: "params.screen_name=\(name)")
    }

    private func series(_ range: ShownRange) -> SeriesAsk { views.series("screen", range) }

    private func people(_ range: ShownRange) -> SeriesAsk {
        Counted(metric: .users, event: EventKind.screenView.name, filter: views.filter).series("screen_viewers", range)
    }

    private func shares(_ range: ShownRange) -> [Shares] {
        [
            Shares(title: "Platforms", ask: views.top("screen_platforms", of: "context.platform", range, limit: 20)),
            Shares(title: "Versions", ask: views.top("screen_versions", of: "context.app_version", range, limit: 20)),
        ]
    }

    private func comparison(_ look: Look) -> Comparison? { look.compares ? Comparison("screen", views, look.range) : nil }

    func asks(_ look: Look) -> [StandingAsk] {
        [series(look.range).standing, people(look.range).standing] + shares(look.range).map(\.ask.standing) + (comparison(look)?.asks ?? [])
    }

    func commands(_ view: PaneView) -> Set<DashboardCommand> { DashboardCommand.looks.union([.compare]) }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let chart: PaneRow.Draw = { drawChart($0, in: $1, on: &$2) }
        let shares = shares(view.range).map { shares in (1, { shares.draw($0, in: $1, on: &$2) } as PaneRow.Draw) }
        let rows = [PaneRow([(1, chart)], least: 4, most: 60, rank: 0, weight: 3), PaneRow(shares, least: 3, most: 21, rank: 1, weight: 2)]
        PaneRow.draw(rows, view, in: area.inset(1), on: &frame)
    }

    private func drawChart(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let ask = series(view.range)
        guard let body = Block.open("«\(name)» · views \(view.aBucket)", view.rangeNote, ask, view, in: area, on: &frame),
            let series = view.answers.value(ask)?.body.series.first
        else { return }
        let people = view.answers.value(people(view.range))?.body.series.first?.total.number
        let comparison = comparison(view.look)
        SeriesChart(
            series, earlier: comparison?.earlier(of: nil, view), change: comparison?.change(of: nil, view),
            more: people.map { [Captions.Figure("people", Numbers.short($0))] } ?? []
        ).draw(view, in: body, on: &frame)
    }
}
