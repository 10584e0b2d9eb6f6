// SPDX-License-Identifier: Apache-2.0

/// A cell of a frame.
package struct Cell: Hashable, Sendable {
    /// `nil` for the right half of a wide glyph.
    package internal(set) var glyph: Glyph?
    package internal(set) var style: Style

    package static let blank = Cell(glyph: .space, style: .plain)
}

/// The complete content of a screen, as a value.
///
/// Drawing outside is clipped. A wide glyph is never split.
package struct Frame: Sendable {
    package let size: Size
    package private(set) var cells: [Cell]
    /// The clickable parts. The last link of a place wins.
    package internal(set) var links: [Link] = []

    package init(_ size: Size) {
        self.size = size
        cells = Array(repeating: .blank, count: size.width * size.height)
    }

    package var bounds: Rect { Rect(0, 0, size.width, size.height) }

    package subscript(x: Int, y: Int) -> Cell { cells[y * size.width + x] }

    /// Writes glyphs from a place to the right, at most `width` columns. Returns the number of columns written.
    @discardableResult
    package mutating func put(_ glyphs: some Sequence<Glyph>, _ x: Int, _ y: Int, width: Int = .max, _ style: Style = .plain) -> Int {
        guard (0..<size.height).contains(y), x < size.width else { return 0 }
        let room = min(width, size.width - max(0, x))
        var column = 0
        for glyph in glyphs {
            guard column + glyph.width <= room else { break }
            set(glyph, x + column, y, style)
            column += glyph.width
        }
        return column
    }

    @discardableResult
    package mutating func put(_ text: some StringProtocol, _ x: Int, _ y: Int, width: Int = .max, _ style: Style = .plain) -> Int {
        put(text.glyphs, x, y, width: width, style)
    }

    /// Changes the style of a part.
    package mutating func restyle(_ part: Rect, _ change: (inout Style) -> Void) {
        for y in max(0, part.y)..<max(0, min(part.y + part.height, size.height)) {
            for x in max(0, part.x)..<max(0, min(part.x + part.width, size.width)) { change(&cells[y * size.width + x].style) }
        }
    }

    /// Copies the upper left part of another frame.
    package mutating func put(_ other: Frame, in part: Rect) {
        for y in 0..<min(part.height, other.size.height) {
            for x in 0..<min(part.width, other.size.width) {
                if let glyph = other[x, y].glyph { put([glyph], part.x + x, part.y + y, width: part.width - x, other[x, y].style) }
            }
        }
    }

    package mutating func clear(_ part: Rect) {
        for y in part.y..<part.y + part.height { put(repeatElement(.space, count: part.width), part.x, y) }
        link(part, [])
    }

    private mutating func set(_ glyph: Glyph, _ x: Int, _ y: Int, _ style: Style) {
        guard x >= 0, x + glyph.width <= size.width else { return }
        let index = y * size.width + x
        for column in x..<x + glyph.width { makeWhole(column, y) }
        cells[index] = Cell(glyph: glyph, style: style)
        if glyph.width == 2 { cells[index + 1] = Cell(glyph: nil, style: style) }
    }

    /// Replaces both halves of a wide glyph with spaces before one of them is overwritten.
    private mutating func makeWhole(_ x: Int, _ y: Int) {
        let index = y * size.width + x
        if cells[index].glyph == nil {
            cells[index].glyph = .space
            cells[index - 1].glyph = .space
        } else if cells[index].glyph?.width == 2 {
            cells[index].glyph = .space
            cells[index + 1].glyph = .space
        }
    }
}

extension Frame {
    /// The lines as plain text without trailing spaces.
    package var lines: [String] {
        (0..<size.height).map { y in
            var line = ""
            for x in 0..<size.width { if let glyph = self[x, y].glyph { line.append(glyph.character) } }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
