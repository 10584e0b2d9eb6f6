// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Terminal

/// Number, length and engagement of sessions.
struct SessionsPane: Pane {
    typealias SessionsQuery = DaemonQuery<RangedResult<SessionsResult>>

    static let name = "Sessions"
    static let summary = "Number, length and engagement of sessions."

    static let keys: [PaneKey<Self>] =
        PaneKey.range + [.compare]
        + PaneKey.moves(when: { !$0.points($1).isEmpty }) { $0.selection.move($1, in: $0.ids($0.points($2))) }

    private var selection = Selection()

    private func sessions(_ range: ViewRange) -> SessionsQuery { query("sessions", range, (range.from, "now")) }
    /// The complete buckets: the running one would look like a fall.
    private func over(_ range: ViewRange) -> SessionsQuery { query("sessions_over", range, range.over.now) }
    private func before(_ range: ViewRange) -> SessionsQuery { query("sessions_before", range, range.over.before) }

    private func query(_ name: String, _ range: ViewRange, _ times: (from: String, to: String)) -> SessionsQuery {
        DaemonQuery(name, "/v1/query/sessions", [("from", times.from), ("to", times.to), ("interval", range.interval)], every: 10)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] {
        let compared = options.compares ? [over(options.range).polled, before(options.range).polled] : []
        return [sessions(options.range).polled] + compared
    }

    /// Newest first.
    private func points(_ view: PaneView) -> [SessionsResult.Point] {
        (view.results.value(sessions(view.range))?.body.points ?? []).reversed()
    }

    private func ids(_ points: [SessionsResult.Point]) -> [String] { points.map(\.t.time.rfc3339) }

    private func charts(_ view: PaneView) -> SessionCharts? {
        let earlier = view.options.compares ? view.results.value(before(view.range))?.body.points : nil
        return view.results.value(sessions(view.range)).map { SessionCharts($0.body.points, earlier: earlier) }
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let room = area.inset(1)
        let query = sessions(view.range)
        guard let body = Block.open(title, view.rangeNote, query, view, in: room, on: &frame), let result = view.results.value(query),
            let charts = charts(view)
        else { return }
        guard result.body.total.sessions > 0 else {
            return Block.say(
                "No sessions in this range. Send events with a user_id or an installation_id, or choose a longer range.", in: body, on: &frame)
        }
        let figures: PaneRow.Draw = { drawFigures(result.body.total, $0, in: $1, on: &$2) }
        let list: PaneRow.Draw = { drawList($0, in: $1, on: &$2) }
        let count: PaneRow.Draw = { charts.sessions($0, in: $1, on: &$2) }
        let length: PaneRow.Draw = { charts.length($0, in: $1, on: &$2) }
        let engaged: PaneRow.Draw = { charts.engaged($0, in: $1, on: &$2) }
        let height = view.options.compares ? 3 : 2
        let isWide = body.width >= 110
        let rows = [
            PaneRow([(1, figures)], least: height, most: height, rank: 0),
            PaneRow(isWide ? [(1, count), (1, length), (1, engaged)] : [(1, count), (1, length)], least: 4, most: 16, rank: 1, weight: 2),
            PaneRow([(1, list)], least: 3, most: 100, rank: 2, weight: 3),
        ]
        PaneRow.draw(rows, view, in: body, on: &frame)
    }

    private func drawFigures(_ total: SessionsResult.Figures, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (now, before) = (view.results.value(over(view.range))?.body.total, view.results.value(before(view.range))?.body.total)
        let change: (KeyPath<SessionsResult.Figures, Double>) -> Change? = { path in
            guard view.options.compares, let now, let before else { return nil }
            return Change(now[keyPath: path], before: before[keyPath: path])
        }
        let figures = [
            Captions.Figure("sessions", Numbers.short(total.sessions), change(\.count)),
            Captions.Figure("people", Numbers.short(total.users), change(\.people)),
            Captions.Figure("per person", Numbers.decimals(total.perUser, 1), change(\.perUser)),
            Captions.Figure("median", Numbers.duration(seconds: Int(total.medianSeconds)), change(\.medianSeconds)),
            Captions.Figure("p90", Numbers.duration(seconds: Int(total.p90Seconds)), change(\.p90Seconds)),
            Captions.Figure("engaged", Numbers.percent(total.engagedShare), change(\.engagedShare)),
        ].prefix(max(1, area.width / 12))
        for (figure, place) in zip(figures, area.columns(figures.map { _ in 1 }, gap: 1)) {
            let lines = (0..<3).map { Rect(place.x, place.y + $0, place.width, 1) }
            frame.text(figure.name, in: lines[0], Theme.faint)
            frame.text(figure.value, in: lines[1], .bold)
            if let change = figure.change { frame.text(change.text, in: lines[2], change.style) }
        }
    }

    private func drawList(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let points = points(view)
        let (head, body) = area.split(rows: 1)
        frame.rule("By \(view.range.interval)", note: "newest first", in: head, Theme.faint, title: Theme.title)
        let columns = [Table.Column("from")] + ["sessions", "people", "per person", "median", "p90", "engaged"].map { Table.Column($0, .right) }
        let cells = points.map { point in
            let of = point.figures
            let texts = [Numbers.short(of.sessions), Numbers.short(of.users)]
            // Without sessions there is no median and no share.
            guard of.sessions > 0 else { return [view.bucket(point.t.time)] + texts + ["–", "–", "–", "–"] }
            let lengths = [of.medianSeconds, of.p90Seconds].map { Numbers.duration(seconds: Int($0)) }
            return [view.bucket(point.t.time)] + texts + [Numbers.decimals(of.perUser, 1)] + lengths + [Numbers.percent(of.engagedShare)]
        }
        let most = Double(points.map(\.figures.sessions).max() ?? 0)
        let table = SelectableTable(columns, cells, chosen: selection.index(in: ids(points)))
        table.draw(in: body, on: &frame, keeping: body.width >= 100 ? table.spare(of: body.width) : 0) { row, line, frame in
            frame.bar(Double(points[row].figures.sessions), of: most, in: line, row == 0 ? Theme.open : Theme.bars)
        }
    }
}

extension SessionsResult.Figures {
    fileprivate var count: Double { Double(sessions) }
    fileprivate var people: Double { Double(users) }
}
