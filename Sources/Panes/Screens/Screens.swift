// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// Screens by views.
struct ScreensPane: Pane {
    static let name = "Screens"
    static let summary = "Screens by views and people."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the screen.", when: { $0.list.selected(in: $0.rows($1))?.isValue == true }) { pane, view in
                pane.list.selected(in: pane.rows(view)).map { .open(ScreenPane($0.name)) }
            }
        ]
        + PaneKey.range + [.compare] + PaneKey.list(\.list) { $0.rows($1) }

    private var list = Ranking.list

    private static let field = "params.screen_name"
    /// The number of screens with a chart in the list.
    private static let charted = 30
    private let views = MetricSelection(metric: .screenViews)

    private func screens(_ range: ViewRange) -> TopQuery { views.top("screens", of: ScreensPane.field, range, limit: 100) }

    private func people(_ range: ViewRange) -> TopQuery {
        MetricSelection(metric: .users, event: EventKind.screenView.name).top("screen_people", of: ScreensPane.field, range, limit: 100)
    }

    private func series(_ range: ViewRange) -> SeriesQuery {
        views.series("screen_series", range, by: ScreensPane.field, limit: ScreensPane.charted)
    }

    private func comparison(_ range: ViewRange) -> Comparison {
        Comparison("screens", views, range, by: ScreensPane.field, limit: ScreensPane.charted)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] {
        let shown = [screens(options.range).polled, series(options.range).polled, people(options.range).polled]
        return shown + (options.compares ? comparison(options.range).queries : [])
    }

    mutating func find(_ text: String) { list.find(text) }

    private func rows(_ view: PaneView) -> [Ranking.Row] {
        let items = view.results.value(screens(view.range))?.body.items ?? []
        let people = view.results.value(people(view.range))?.body.items ?? []
        let all = items.reduce(0) { $0 + $1.value.number }
        let comparison = view.options.compares ? comparison(view.range) : nil
        return items.map { item in
            let seenBy = people.first { $0.name == item.name && $0.name != BreakdownName.other }
            return Ranking.Row(
                name: item.name, value: item.value.number,
                more: [Numbers.percent(all > 0 ? item.value.number / all : 0), seenBy.map { Numbers.short($0.value.number) } ?? "–"],
                change: comparison?.change(of: item.name, view))
        }
    }

    func sheet(_ view: PaneView) -> Sheet? {
        guard let items = view.results.value(screens(view.range))?.body.items else { return nil }
        let people = view.results.value(people(view.range))?.body.items ?? []
        let rows = list.items(of: rows(view)).compactMap { row in items.first { $0.name == row.name } }
        return Sheet(
            ["screen", "views", "people"],
            rows.map { item in
                let seenBy = item.name == BreakdownName.other ? nil : people.first { $0.name == item.name }
                return [item.name, "\(Int(item.value.number))", seenBy.map { "\(Int($0.value.number))" } ?? ""]
            })
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let chart: PaneRow.Draw = { drawChart($0, in: $1, on: &$2) }
        let list: PaneRow.Draw = { drawList($0, in: $1, on: &$2) }
        let rows = [
            PaneRow([(1, chart)], least: 4, most: 40, rank: 1, weight: 3), PaneRow([(1, list)], least: 4, most: 100, rank: 0, weight: 4),
        ]
        PaneRow.draw(rows, view, in: area.inset(1), on: &frame)
    }

    private func drawChart(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let chosen = list.selected(in: rows(view))?.name
        let title = (chosen.map { "«\($0)» · views" } ?? "Views") + " \(view.aBucket)"
        guard let body = Block.open(title, view.rangeNote, series(view.range), view, in: area, on: &frame), let chosen else { return }
        guard let series = view.results.value(series(view.range))?.body.series.first(where: { $0.name == chosen }) else {
            return Block.say("Only the first \(ScreensPane.charted) screens have a chart here; enter opens this one.", in: body, on: &frame)
        }
        let compared = view.options.compares ? comparison(view.range) : nil
        SeriesChart(series, earlier: compared?.earlier(of: chosen, view), change: compared?.change(of: chosen, view)).draw(view, in: body, on: &frame)
    }

    private func drawList(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let rows = rows(view)
        let note = [view.since(view.results.value(screens(view.range))?.about), list.note].compactMap(\.self).joined(separator: " · ")
        guard let body = Block.open("Top screens", rows.isEmpty ? "" : note, screens(view.range), view, in: area, on: &frame) else { return }
        guard !rows.isEmpty else {
            return Block.say(
                "No screen views in this range. Send the event screen_view with params.screen_name, or choose a longer range.", in: body,
                on: &frame)
        }
        Ranking(headings: ["screen", "views", "share", "people"], rows: rows, compares: view.options.compares).draw(list, in: body, on: &frame)
    }
}
