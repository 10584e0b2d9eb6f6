// SPDX-License-Identifier: Apache-2.0

/// The alignment of a text in its area.
package enum Alignment: Sendable {
    case left, right
}

/// The place where a long text is cut.
package enum Cut: Sendable {
    case end
    /// Cuts the middle, for names whose end matters as much as their beginning.
    case middle
}

extension [Glyph] {
    package var width: Int { reduce(0) { $0 + $1.width } }

    /// Returns the text cut to a width, with an ellipsis at the cut.
    package func cut(to width: Int, at place: Cut = .end) -> [Glyph] {
        guard self.width > width else { return self }
        guard width > 0 else { return [] }
        let front = fitting(place == .end ? width - 1 : width / 2)
        let back = place == .end ? [] : suffix(fitting: width - 1 - front.width)
        return front + [Glyph(character: "…", width: 1)] + back
    }

    /// Returns as many of the last glyphs as fit.
    package func suffix(fitting width: Int) -> [Glyph] { reversed().fitting(width).reversed() }

    /// Returns as many of the first glyphs as fit.
    fileprivate func fitting(_ width: Int) -> [Glyph] {
        var room = width
        return Array(
            prefix { glyph in
                room -= glyph.width
                return room >= 0
            })
    }

    /// Returns pieces that each fit a width. A glyph wider than that is dropped.
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
    /// Wraps the words into lines of at most a width.
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
    /// Draws a text and cuts it if it does not fit. Returns the number of columns used.
    @discardableResult
    package mutating func text(
        _ text: some StringProtocol, in line: Rect, _ style: Style = .plain, _ alignment: Alignment = .left, cut: Cut = .end
    ) -> Int {
        guard !line.isEmpty else { return 0 }
        let glyphs = text.glyphs.cut(to: line.width, at: cut)
        return put(glyphs, alignment == .left ? line.x : line.x + line.width - glyphs.width, line.y, style)
    }

    /// Draws wrapped words and breaks words longer than a line. Returns the number of lines used.
    @discardableResult
    package mutating func paragraph(_ text: String, in area: Rect, _ style: Style = .plain) -> Int {
        let lines = text.lines(of: area.width)
        for (row, line) in lines.prefix(area.height).enumerated() { self.text(line, in: Rect(area.x, area.y + row, area.width, 1), style) }
        return min(lines.count, area.height)
    }

    /// Draws an empty box over the present content. Returns the area inside.
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

    /// Draws a horizontal line with a title, and a note at its end if it fits.
    package mutating func rule(_ title: String, note: String = "", in line: Rect, _ style: Style, title titleStyle: Style = .bold) {
        guard !line.isEmpty else { return }
        put(repeatElement(Glyph(character: "─", width: 1), count: line.width), line.x, line.y, style)
        let room = line.inset(1)
        guard !title.isEmpty else { return }
        let taken = text(" \(title) ", in: room, titleStyle)
        if !note.isEmpty, note.width + 2 + taken < room.width { text(" \(note) ", in: room, style, .right) }
    }
}
