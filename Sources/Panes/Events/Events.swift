// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Terminal

/// Event counts over time: all events or one, in total or broken down by a field.
struct EventsPane: Pane {
    static let name = "Events"
    static let summary = "Event counts by name, over time and by field."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the event.", when: { $0.openable($1) != nil }) { pane, view in
                pane.openable(view).map { .open(EventsPane(event: $0, metric: pane.counted.metric)) }
            }
        ]
        + PaneKey.range + [
            .compare, PaneKey("n", "event", "Shows one event.") { pane, view in .prompt(pane.eventPrompt(view)) },
            PaneKey("b", "by", "Breaks the events down by a field.") { pane, _ in .prompt(pane.fieldPrompt) },
            PaneKey("m", "metric", "Counts events, people or sessions.") { pane, _ in
                pane.countNextMetric()
                return nil
            }, PaneKey("f", "figure", "Shows a figure over the numbers of a parameter.") { pane, _ in .prompt(pane.figurePrompt) },
        ]
        + PaneKey.list(\.list) { pane, view in pane.hasList ? pane.rows(view) : [] }

    private var counted: MetricSelection
    /// The field of the breakdown.
    private var field: String?
    private var list = Ranking.list

    init(event: String? = nil, metric: QueryMetric = .events) {
        counted = MetricSelection(metric: metric, event: event)
    }

    mutating func find(_ text: String) { list.find(text) }

    /// One event without a breakdown shows platforms and versions instead of a list.
    private var hasList: Bool { counted.event == nil || field != nil }

    /// The event that the selected row names; rows of other fields name none.
    private func openable(_ view: PaneView) -> String? {
        guard counted.event == nil, field == nil || field == "name", let row = list.selected(in: rows(view)), row.isValue else { return nil }
        return row.name
    }

    private mutating func countNextMetric() {
        let metrics: [QueryMetric] = [.events, .users, .sessions]
        counted.metric = metrics[((metrics.firstIndex(of: counted.metric) ?? 0) + 1) % metrics.count]
    }

    // MARK: Prompts

    private func eventPrompt(_ view: PaneView) -> Prompt {
        let known = (view.results.value(names(view.range))?.body.items ?? []).map(\.name).filter { $0 != BreakdownName.other }
        return Prompt("Event", "The name of an event (empty: all).", text: counted.event ?? "", words: known) { [self] text in
            var changed = self
            changed.counted.event = text.isEmpty ? nil : text
            changed.list = Ranking.list
            return .replace(changed)
        }
    }

    private var fieldPrompt: Prompt {
        .field(field) { [self] field in
            var changed = self
            changed.field = field
            changed.list = Ranking.list
            return .replace(changed)
        }
    }

    private var figurePrompt: Prompt {
        let current = if case .number(let figure) = counted.metric { figure.text } else { "" }
        let words = NumberMetric.Function.allCases.map { "\($0.rawValue)(params." }
        return Prompt("Figure", "Such as p95(params.load_ms) (empty: counts events).", text: current, limit: 1_000, words: words) { [self] text in
            var changed = self
            changed.list = Ranking.list
            changed.counted.metric = .events
            if let figure = NumberMetric(text.trimmed) {
                changed.counted.metric = .number(figure)
            } else if !text.trimmed.isEmpty {
                return .unavailable("«\(text)» is not a figure; use one like sum(params.score) or p95(params.load_ms).")
            }
            return .replace(changed)
        }
    }

    // MARK: Queries

    func queries(_ options: ViewOptions) -> [PolledQuery] {
        let shown =
            field.map { [counted.series("event_values", options.range, by: $0).polled] } ?? [counted.series("event_series", options.range).polled]
        let parts = hasList ? [] : shares(options.range).map(\.query.polled)
        let compared =
            !options.compares ? [] : comparison(options.range).queries + (field == nil && hasList ? comparisonOfNames(options.range).queries : [])
        return shown + [names(options.range).polled] + parts + compared
    }

    /// The event names; also completions of the prompt.
    private func names(_ range: ViewRange) -> TopQuery {
        MetricSelection(metric: counted.metric).top("event_names", of: "name", range, limit: 100)
    }

    private func shares(_ range: ViewRange) -> [ShareList] {
        [
            ShareList(title: "Platforms", query: counted.top("event_platforms", of: "context.platform", range, limit: 20)),
            ShareList(title: "Versions", query: counted.top("event_versions", of: "context.app_version", range, limit: 20)),
        ]
    }

    private func comparison(_ range: ViewRange) -> Comparison {
        Comparison(field == nil ? "event_series" : "event_values", counted, range, by: field)
    }

    private func comparisonOfNames(_ range: ViewRange) -> Comparison {
        Comparison("event_names", counted, range, by: "name", limit: 30)
    }

    // MARK: Drawing

    private func rows(_ view: PaneView) -> [Ranking.Row] {
        guard let field else { return nameRows(view) }
        let values = view.results.value(counted.series("event_values", view.range, by: field))?.body.series ?? []
        return EventValues(values, counted.metric).rows(view.options.compares ? comparison(view.range) : nil, view)
    }

    private func nameRows(_ view: PaneView) -> [Ranking.Row] {
        let items = view.results.value(names(view.range))?.body.items ?? []
        let all = items.reduce(0) { $0 + $1.value.number }
        let comparison = view.options.compares ? comparisonOfNames(view.range) : nil
        return items.map { item in
            // Shares of people would add up to more than 100 %.
            let share = counted.metric == .events ? [Numbers.percent(all > 0 ? item.value.number / all : 0)] : []
            return Ranking.Row(
                name: item.name, value: item.value.number, more: share, change: comparison?.change(of: item.name, view))
        }
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let chart: PaneRow.Draw = { drawChart($0, in: $1, on: &$2) }
        let list: PaneRow.Draw = { drawList($0, in: $1, on: &$2) }
        let shares = shares(view.range).map { shares in (1, { shares.draw($0, in: $1, on: &$2) } as PaneRow.Draw) }
        let rows = [
            PaneRow([(1, chart)], least: 4, most: 60, rank: 0, weight: 3),
            hasList ? PaneRow([(1, list)], least: 4, most: 100, rank: 1, weight: 4) : PaneRow(shares, least: 3, most: 21, rank: 1, weight: 2),
        ]
        PaneRow.draw(rows, view, in: area.inset(1), on: &frame)
    }

    private func name(of view: PaneView) -> String {
        let parts = [counted.event.map { "«\($0)»" }, "\(words) \(view.aBucket)", field.map { "by \($0)" }]
        let text = parts.compactMap(\.self).joined(separator: " · ")
        // The name of a figure, such as `p95(params.load_ms)`, is case-sensitive.
        if case .number = counted.metric { return text }
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private func drawChart(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let query = field.map { counted.series("event_values", view.range, by: $0) } ?? counted.series("event_series", view.range)
        guard let body = Block.open(name(of: view), view.rangeNote, query, view, in: area, on: &frame), let result = view.results.value(query)?.body
        else { return }
        guard field == nil else { return EventValues(result.series, counted.metric).draw(view, in: body, on: &frame) }
        guard let series = result.series.first else { return }
        let compared = view.options.compares ? comparison(view.range) : nil
        SeriesChart(series, earlier: compared?.earlier(of: nil, view), change: compared?.change(of: nil, view)).draw(view, in: body, on: &frame)
    }

    private func drawList(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let rows = rows(view)
        let since = field == nil ? view.since(view.results.value(names(view.range))?.about) : nil
        let note = rows.isEmpty ? "" : [since, list.note].compactMap(\.self).joined(separator: " · ")
        let body: Rect?
        if let field {
            body = Block.open("Values", note, counted.series("event_values", view.range, by: field), view, in: area, on: &frame)
        } else {
            body = Block.open("Top events", note, names(view.range), view, in: area, on: &frame)
        }
        guard let body else { return }
        guard !rows.isEmpty else {
            return Block.say("No events in this range. Send events to POST /v1/events, or choose a longer range.", in: body, on: &frame)
        }
        let more = field == nil ? (counted.metric == .events ? ["share"] : []) : EventValues.headings(counted.metric)
        Ranking(headings: [field ?? "event", words] + more, rows: rows, compares: view.options.compares).draw(list, in: body, on: &frame)
    }

    private var words: String { counted.metric == .users ? "people" : counted.metric.text }
}
