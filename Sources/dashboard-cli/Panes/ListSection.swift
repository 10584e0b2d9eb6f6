// SPDX-License-Identifier: Apache-2.0

import Terminal

/// Rows of one kind, of which the chosen one is told wholly below where a row cannot.
struct ListSection: Sendable {
    struct Row: Sendable {
        /// Tells it from the others when the list changes.
        let id: String
        let cells: [String]
        let whole: String
        let style: Style

        init(_ id: String, _ cells: [String], whole: String = "", _ style: Style = .plain) {
            (self.id, self.cells, self.whole, self.style) = (id, cells, whole, style)
        }
    }

    let title: String
    let columns: [Table.Column]
    let rows: [Row]
    /// What is said where there are none.
    let nothing: String

    init(_ title: String, _ columns: [Table.Column], _ rows: [Row], nothing: String) {
        (self.title, self.columns, self.rows, self.nothing) = (title, columns, rows, nothing)
    }

    var ids: [String] { rows.map(\.id) }

    func draw(chosen: Int?, in area: Rect, on frame: inout Frame) {
        guard !rows.isEmpty else { return Block.say(nothing, in: area, on: &frame) }
        let (list, foot) = area.split(rows: area.height - footHeight(in: area))
        SelectableTable(columns, rows.map(\.cells), chosen: chosen) { rows[$0].style }.draw(in: list, on: &frame)
        guard !foot.isEmpty, let chosen else { return }
        frame.rule("", in: foot.split(rows: 1).top, Theme.faint)
        frame.paragraph(rows[chosen].whole, in: foot.split(rows: 1).rest)
    }

    /// The same for all rows, so that nothing jumps when another is chosen.
    private func footHeight(in area: Rect) -> Int {
        guard area.height >= 8, rows.contains(where: { !$0.whole.isEmpty }) else { return 0 }
        return 1 + min(area.height / 3, max(2, area.height - 2 - rows.count))
    }
}

/// Which of several listings is shown, and which row of it is chosen.
struct SectionedList: Sendable {
    private var place = 0
    private var choice = Selection()

    func listing(of listings: [ListSection]) -> ListSection { listings[min(place, listings.count - 1)] }

    func index(in listings: [ListSection]) -> Int? { choice.index(in: listing(of: listings).ids) }

    func row(in listings: [ListSection]) -> ListSection.Row? {
        index(in: listings).map { listing(of: listings).rows[$0] }
    }

    mutating func perform(_ command: DashboardCommand, in listings: [ListSection]) {
        if command == .section {
            (place, choice) = ((place + 1) % listings.count, Selection())
        } else {
            choice.move(command, in: listing(of: listings).ids)
        }
    }

    /// The title of the one that is shown, and how many rows the others have.
    func draw(_ listings: [ListSection], in area: Rect, on frame: inout Frame) {
        let shown = listing(of: listings)
        let others = listings.filter { $0.title != shown.title }.map { "\($0.title) \($0.rows.count)" }
        let (head, body) = area.split(rows: 1)
        frame.rule(shown.title, note: "v: \(others.joined(separator: " · "))", in: head, Theme.faint, title: Theme.title)
        shown.draw(chosen: index(in: listings), in: body, on: &frame)
    }
}
