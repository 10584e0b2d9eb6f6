// SPDX-License-Identifier: Apache-2.0

import Panes
import Terminal

/// The help: all available keys, in columns and pages.
struct HelpSheet {
    private let rows: [(keys: String, meaning: String)]
    private let keyWidth: Int
    private let columnWidth: Int
    private let columns: Int
    private let height: Int
    private static let (gap, border) = (3, Size(4, 2))

    init(_ bindings: [KeyBinding], in room: Size) {
        rows = bindings.map { ($0.names, $0.help) }
        keyWidth = (rows.map(\.keys.width).max() ?? 0) + 2
        let widest = keyWidth + (rows.map(\.meaning.width).max() ?? 0)
        let (width, most) = (room.width - HelpSheet.border.width, max(1, room.height - HelpSheet.border.height))
        let wanted = (rows.count + most - 1) / most
        // Texts are never cut: narrow terminals get pages instead of columns.
        columns = max(1, min(wanted, (width + HelpSheet.gap) / (widest + HelpSheet.gap)))
        columnWidth = min(widest, width)
        height = columns < wanted ? most : (rows.count + columns - 1) / columns
    }

    var pages: Int { (rows.count + columns * height - 1) / (columns * height) }

    func draw(page: Int, in area: Rect, on frame: inout Frame) {
        let page = min(page, pages - 1)
        let width = min(area.width, columns * (columnWidth + HelpSheet.gap) - HelpSheet.gap + HelpSheet.border.width)
        let height = min(area.height, height + HelpSheet.border.height)
        let box = Rect(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height)
        let title = pages > 1 ? "Keys, page \(page + 1) of \(pages): ? for more" : "Keys"
        let room = frame.box(title, in: box, Theme.faint).inset(1)
        for (place, row) in rows.dropFirst(page * columns * self.height).prefix(columns * self.height).enumerated() {
            let (column, line) = place.quotientAndRemainder(dividingBy: self.height)
            let left = room.split(columns: column * (columnWidth + HelpSheet.gap)).rest.split(columns: columnWidth).left
            let part = Rect(left.x, room.y + line, left.width, line < room.height ? 1 : 0)
            frame.text(row.keys, in: part, Theme.key)
            frame.text(row.meaning, in: part.split(columns: keyWidth).rest)
        }
    }
}
