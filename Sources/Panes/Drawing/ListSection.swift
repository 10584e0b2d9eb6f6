// SPDX-License-Identifier: Apache-2.0

import Terminal

/// A list of a pane. The full text of the selected row is shown below it.
struct ListSection: Sendable {
    struct Row: Sendable {
        /// Identifies the row when the list changes.
        let id: String
        let cells: [String]
        let whole: String
        /// The lines that `enter` opens; `whole` unless the row has more to show.
        let lines: String
        let style: Style

        init(_ id: String, _ cells: [String], whole: String = "", lines: String? = nil, _ style: Style = .plain) {
            (self.id, self.cells, self.whole, self.lines, self.style) = (id, cells, whole, lines ?? whole, style)
        }
    }

    let title: String
    let columns: [Table.Column]
    let rows: [Row]
    /// The placeholder of an empty list.
    let nothing: String
    /// The part of a longer list that the rows are: `newest 100`.
    let part: String?

    init(_ title: String, _ columns: [Table.Column], _ rows: [Row], nothing: String, part: String? = nil) {
        (self.title, self.columns, self.rows, self.nothing, self.part) = (title, columns, rows, nothing, part)
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

    /// The same height for all rows, so that the list does not jump.
    private func footHeight(in area: Rect) -> Int {
        guard area.height >= 8, rows.contains(where: { !$0.whole.isEmpty }) else { return 0 }
        return 1 + min(area.height / 3, max(2, area.height - 2 - rows.count))
    }
}

/// The shown one of several lists, and its selected row.
struct SectionedList: Sendable {
    private var place = 0
    private var selection = Selection()

    func section(of sections: [ListSection]) -> ListSection { sections[min(place, sections.count - 1)] }

    func index(in sections: [ListSection]) -> Int? { selection.index(in: section(of: sections).ids) }

    func row(in sections: [ListSection]) -> ListSection.Row? {
        index(in: sections).map { section(of: sections).rows[$0] }
    }

    mutating func showNext(of sections: [ListSection]) {
        precondition(!sections.isEmpty, "there is no next list without lists")
        (place, selection) = ((place + 1) % sections.count, Selection())
    }

    mutating func select(_ row: String) {
        selection.select(row)
    }

    mutating func move(_ move: Selection.Move, in sections: [ListSection]) {
        selection.move(move, in: section(of: sections).ids)
    }

    /// Draws the shown list; the note counts the rows of the others.
    func draw(_ sections: [ListSection], in area: Rect, on frame: inout Frame) {
        let shown = section(of: sections)
        let others = sections.filter { $0.title != shown.title }.map { "\($0.title) \($0.part ?? "\($0.rows.count)")" }
        let note = [shown.part, "v: \(others.joined(separator: " · "))"].compactMap(\.self).joined(separator: " · ")
        let (head, body) = area.split(rows: 1)
        frame.rule(shown.title, note: note, in: head, Theme.faint, title: Theme.title)
        shown.draw(chosen: index(in: sections), in: body, on: &frame)
    }
}
