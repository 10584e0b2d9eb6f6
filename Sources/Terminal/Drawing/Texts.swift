/// Which side of its room a text keeps to.
package enum Alignment: Sendable {
    case left, right
}

extension [Glyph] {
    package var width: Int { reduce(0) { $0 + $1.width } }

    /// Cut to a width, with an ellipsis where something is missing.
    package func cut(to width: Int) -> [Glyph] {
        guard self.width > width else { return self }
        guard width > 0 else { return [] }
        var kept: [Glyph] = []
        var room = width - 1
        for glyph in self {
            guard glyph.width <= room else { break }
            kept.append(glyph)
            room -= glyph.width
        }
        return kept + [Glyph(character: "…", width: 1)]
    }
}

extension Frame {
    /// A text that is cut where it does not fit; answers the columns it took.
    @discardableResult
    package mutating func text(_ text: some StringProtocol, in line: Rect, _ style: Style = .plain, _ alignment: Alignment = .left) -> Int {
        guard !line.isEmpty else { return 0 }
        let glyphs = text.glyphs.cut(to: line.width)
        return put(glyphs, alignment == .left ? line.x : line.x + line.width - glyphs.width, line.y, style)
    }

    /// Words broken into lines; answers how many lines they took.
    @discardableResult
    package mutating func paragraph(_ text: String, in area: Rect, _ style: Style = .plain) -> Int {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.width + 1 + word.width <= area.width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        for (row, line) in lines.prefix(area.height).enumerated() { self.text(line, in: Rect(area.x, area.y + row, area.width, 1), style) }
        return min(lines.count, area.height)
    }

    /// An empty box over whatever is there; answers the room inside.
    package mutating func box(_ title: String, in area: Rect, _ style: Style) -> Rect {
        guard area.width >= 2, area.height >= 2 else { return Rect(area.x, area.y, 0, 0) }
        let (right, bottom) = (area.x + area.width - 1, area.y + area.height - 1)
        clear(area)
        for y in area.y + 1..<bottom {
            for x in [area.x, right] { put("│", x, y, style) }
        }
        let side = String(repeating: "─", count: area.width - 2)
        put("╭\(side)╮", area.x, area.y, style)
        put("╰\(side)╯", area.x, bottom, style)
        text(" \(title) ", in: Rect(area.x + 2, area.y, area.width - 4, 1), .bold)
        return area.inset(1, 1)
    }

    /// A line from side to side with a title in it, and a note at its end where there is room.
    package mutating func rule(_ title: String, note: String = "", in line: Rect, _ style: Style, title titleStyle: Style = .bold) {
        guard !line.isEmpty else { return }
        put(repeatElement(Glyph(character: "─", width: 1), count: line.width), line.x, line.y, style)
        let room = line.inset(1)
        guard !title.isEmpty else { return }
        let taken = text(" \(title) ", in: room, titleStyle)
        if !note.isEmpty, note.width + 2 + taken < room.width { text(" \(note) ", in: room, style, .right) }
    }
}
