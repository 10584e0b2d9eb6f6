// SPDX-License-Identifier: Apache-2.0

import Terminal

/// Labeled values, one a line.
struct FieldList {
    private let lines: [(name: String, value: String, style: Style)]

    /// Leaves out fields without a value.
    init(_ lines: KeyValuePairs<String, String?>, styles: [String: Style] = [:]) {
        self.lines = lines.compactMap { name, value in value.map { (name, $0, styles[name] ?? .plain) } }
    }

    var height: Int { lines.count }

    /// Draws as many fields as fit above `height` rows. Returns the area below.
    func draw(in area: Rect, leaving height: Int, on frame: inout Frame) -> Rect {
        let (room, rest) = area.split(rows: min(lines.count, max(2, area.height - height)))
        let names = min(10, area.width / 3)
        for (row, line) in lines.prefix(room.height).enumerated() {
            let (name, value) = Rect(room.x, room.y + row, room.width, 1).split(columns: names)
            frame.text(line.name, in: name.split(columns: names - 1).left, Theme.faint)
            frame.text(line.value, in: value, line.style)
        }
        return rest
    }
}
