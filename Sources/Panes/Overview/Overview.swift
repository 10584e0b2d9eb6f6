// SPDX-License-Identifier: Apache-2.0

import API
import Platform
package import Terminal

/// Key figures, charts and rankings of the app.
package struct OverviewPane: Pane {
    package static let name = "Overview"
    package static let summary = "Key figures of the app on one screen; the default command."

    package static let keys: [PaneKey<Self>] =
        (PaneKey<Self>.range + [.compare]).map { $0.when { _, view in view.seesFigures } }
        + MessagesPane.keys.map { $0.inside(\.messages) { _, view in !view.seesFigures } }

    /// Shown instead for keys that may not query.
    private var messages = MessagesPane()

    package func queries(_ options: ViewOptions) -> [PolledQuery] { OverviewQueries(options.range).polled + messages.queries(options) }

    package func followUps(_ view: PaneView) -> [PolledQuery] {
        view.seesFigures ? OverviewQueries.peopleSoFar(view)?.polled ?? [] : messages.followUps(view)
    }

    package mutating func find(_ text: String) {
        messages.find(text)
    }

    package func sheet(_ view: PaneView) -> Sheet? { view.seesFigures ? nil : messages.sheet(view) }

    package func sheetPages(_ view: PaneView) -> SheetPages? { view.seesFigures ? nil : messages.sheetPages(view) }

    // MARK: Drawing

    package func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard view.seesFigures else { return drawWithoutFigures(view, in: area, on: &frame) }
        PaneRow.draw(rows(OverviewQueries(view.range), in: area.size), view, in: area.inset(area.width >= 60 ? 1 : 0), on: &frame)
    }

    /// Explains the role, and shows messages.
    private func drawWithoutFigures(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let room = area.inset(1)
        let role = view.role?.rawValue ?? ""
        let (head, body) = room.split(rows: 1)
        frame.rule("This key cannot query figures", note: "role \(role)", in: head, Theme.faint, title: Theme.title)
        let does =
            view.whyNotSend == nil
            ? "sends messages and shows their deliveries" : view.role == .accounts ? "shows and changes accounts: `:accounts`" : "only sends data"
        var lines = frame.paragraph(
            "Events, people, revenue and crashes need a key with the role read or admin: log in with `dashboard-cli login`. A key with the role \(role) \(does).",
            in: body)
        guard view.whyNotSend == nil else { return }
        if body.height > lines + 8 {
            let rest = body.split(rows: lines + 1).rest
            lines += 1 + frame.paragraph("Available: Topics (0), Messages and Deliveries (tab), and these messages:", in: rest, Theme.faint) + 1
        }
        messages.draw(view, in: area.split(rows: 1 + lines).rest, on: &frame)
    }

    private func rows(_ queries: OverviewQueries, in size: Size) -> [PaneRow] {
        let chart: PaneRow.Draw = { OverviewBlocks.events(queries, $0, in: $1, on: &$2) }
        let bars: PaneRow.Draw = { OverviewBlocks.days(queries.days, $0, in: $1, on: &$2) }
        let names: PaneRow.Draw = { OverviewBlocks.top("Top events", queries.topEvents, Theme.chart, $0, in: $1, on: &$2) }
        let screens: PaneRow.Draw = { OverviewBlocks.top("Top screens", queries.topScreens, Theme.bars, $0, in: $1, on: &$2) }
        let money: PaneRow.Draw = { OverviewBlocks.revenue(queries.revenue, $0, in: $1, on: &$2) }
        let sent: PaneRow.Draw = { [messages] in MessagesBlock(messages.query).draw($0, in: $1, on: &$2) }
        let quarantined: PaneRow.Draw = { OverviewBlocks.quarantine(queries.quarantine, $0, in: $1, on: &$2) }
        let foot = PaneRow([(1, { OverviewBlocks.system(SystemResponse.query, $0, in: $1, on: &$2) })], least: 1, most: 1, rank: 2)

        let cards = cards(queries, across: size.width)
        if size.width < 60 {
            return cards + [
                PaneRow([(1, chart)], least: 4, most: 12, rank: 3, weight: 2), PaneRow([(1, sent)], least: 3, most: 5, rank: 6, weight: 1),
                PaneRow([(1, names)], least: 4, most: 13, rank: 4, weight: 2), PaneRow([(1, bars)], least: 5, most: 9, rank: 7, weight: 1),
                PaneRow([(1, screens)], least: 4, most: 13, rank: 8, weight: 2), PaneRow([(1, money)], least: 3, most: 6, rank: 9, weight: 1),
                PaneRow([(1, quarantined)], least: 3, most: 8, rank: 10, weight: 1), foot,
            ]
        }
        return cards + [
            PaneRow([(3, chart), (2, bars)], least: 6, most: 48, rank: 2, weight: 3),
            PaneRow([(1, names), (1, screens)], least: 4, most: 13, rank: 4, weight: 2),
            PaneRow([(1, money), (1, sent), (1, quarantined)], least: 3, most: 6, rank: 3, weight: 1), foot,
        ]
    }

    /// The key figures in as many rows as the width needs.
    private func cards(_ queries: OverviewQueries, across width: Int) -> [PaneRow] {
        let names = width < 76 ? OverviewFigures.Name.narrow : OverviewFigures.Name.wide
        let perRow = width >= 160 ? 8 : width >= 76 ? 4 : width >= 45 ? 3 : 2
        return stride(from: 0, to: names.count, by: perRow).map { start in
            let row = names[start..<min(start + perRow, names.count)]
            let draw: PaneRow.Draw = { view, area, frame in
                let figures = OverviewFigures(queries, view)
                let places = area.columns(row.map(\.weight), gap: 2)
                for (name, place) in zip(row, places) { figures.card(name).draw(in: place, on: &frame) }
            }
            // On small terminals the first two rows have priority.
            return PaneRow([(1, draw)], least: 2, most: 3, rank: start / perRow < 2 ? start / perRow : 5, weight: 1)
        }
    }
}

extension PaneView {
    /// Whether the key may query; true until the role is known.
    var seesFigures: Bool { role.map { $0 == .read || $0 == .admin } ?? true }
}
