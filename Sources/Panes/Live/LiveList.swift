// SPDX-License-Identifier: Apache-2.0

import Terminal

/// The lines of the stream. Only visible lines are formatted, because there may be thousands.
struct LiveList {
    private let entries: [TailEntry]
    private let chosen: Int?
    private static let narrow = 60

    init(_ entries: [TailEntry], chosen: Int?) {
        (self.entries, self.chosen) = (entries, chosen)
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (marks, room) = area.split(columns: 2)
        let isNarrow = room.width < LiveList.narrow
        let heading = isNarrow ? [(0, "time"), (9, "what")] : [(0, "time"), (13, "what"), (34, "who"), (52, "details")]
        frame.put(TailLine.frame(heading.map { .init(column: $0, text: $1, style: Theme.faint) }, width: room.width), in: room.split(rows: 1).top)
        let height = max(0, room.height - 1)
        // The selected line is in the middle where possible.
        let first = max(0, min((chosen ?? 0) - height / 2, entries.count - height))
        for (row, entry) in entries[first...].prefix(height).enumerated() {
            let line = Rect(room.x, room.y + 1 + row, room.width, 1)
            frame.put(TailLine.frame(entry.line.parts(view.zone, now: view.now, isNarrow: isNarrow), width: line.width), in: line)
            guard first + row == chosen else { continue }
            frame.put(">", marks.x, line.y, Theme.key)
            frame.restyle(line) { $0 = Style(.standard, .reverse) }
        }
    }
}
