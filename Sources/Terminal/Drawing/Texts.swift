// SPDX-License-Identifier: Apache-2.0

/// Which side of its room a text keeps to.
package enum Alignment: Sendable {
    case left, right
}

/// Where a text is cut that is too long.
package enum Cut: Sendable {
    case end
    /// For names, whose end says as much as their beginning.
    case middle
}

extension [Glyph] {
    package var width: Int { reduce(0) { $0 + $1.width } }

    /// Cut to a width, with an ellipsis where something is missing.
    package func cut(to width: Int, at place: Cut = .end) -> [Glyph] {
        guard self.width > width else { return self }
        guard width > 0 else { return [] }
        let front = fitting(place == .end ? width - 1 : width / 2)
        let back = place == .end ? [] : suffix(fitting: width - 1 - front.width)
        return front + [Glyph(character: "…", width: 1)] + back
    }

    /// As many of the last ones as there is room for.
    package func suffix(fitting width: Int) -> [Glyph] { reversed().fitting(width).reversed() }

    /// As many of the first ones as there is room for.
    fileprivate func fitting(_ width: Int) -> [Glyph] {
        var room = width
        return Array(
            prefix { glyph in
                room -= glyph.width
                return room >= 0
            })
    }

    /// Pieces that fit a width one by one; a glyph that is wider by itself is lost.
    fileprivate func pieces(of width: Int) -> [String] {
        var (pieces, rest) = ([String](), self[...])
        while !rest.isEmpty {
            let piece = Array(rest).fitting(width)
            if !piece.isEmpty { pieces.append(String(piece.map(\.character))) }
            rest = rest.dropFirst(Swift.max(1, piece.count))
        }
        return pieces
    }
}

extension String {
    /// Its words in lines of at most a width.
    package func lines(of width: Int) -> [String] {
        var lines: [String] = []
        for word in split(whereSeparator: \.isWhitespace) {
            for piece in word.glyphs.pieces(of: width) {
                if let last = lines.last, last.width + 1 + piece.width <= width {
                    lines[lines.count - 1] = last + " " + piece
                } else {
                    lines.append(piece)
                }
            }
        }
        return lines
    }
}

extension Frame {
    /// A text that is cut where it does not fit; answers the columns it took.
    @discardableResult
    package mutating func text(
        _ text: some StringProtocol, in line: Rect, _ style: Style = .plain, _ alignment: Alignment = .left, cut: Cut = .end
    ) -> Int {
        guard !line.isEmpty else { return 0 }
        let glyphs = text.glyphs.cut(to: line.width, at: cut)
        return put(glyphs, alignment == .left ? line.x : line.x + line.width - glyphs.width, line.y, style)
    }

    /// Words put into lines, and those that are longer than a line broken; answers how many lines they took.
    @discardableResult
    package mutating func paragraph(_ text: String, in area: Rect, _ style: Style = .plain) -> Int {
        let lines = text.lines(of: area.width)
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
