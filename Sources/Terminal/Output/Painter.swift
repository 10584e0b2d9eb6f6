/// Turns frames into the bytes that make a terminal show them: of each only what differs from the one before, all in one write.
package struct Painter: Sendable {
    private let depth: ColorDepth
    private let alphabet: Alphabet
    /// What the terminal shows; nil where that is not known.
    private var shown: Frame?

    package init(_ depth: ColorDepth, _ alphabet: Alphabet = .unicode) {
        self.depth = depth
        self.alphabet = alphabet
    }

    /// Has the next frame painted wholly, for whatever happened to the screen meanwhile.
    package mutating func forget() {
        shown = nil
    }

    /// Empty where nothing changed.
    package mutating func paint(_ frame: Frame) -> [UInt8] {
        let before = shown?.size == frame.size ? shown : nil
        shown = frame
        guard before != frame else { return [] }
        // The terminal shows nothing of this until all of it is there, if it knows how to.
        var out = Ink(depth, alphabet)
        out.control("?2026h")
        if before == nil { out.clear() }
        let background = before ?? Frame(frame.size)
        for y in 0..<frame.size.height { paintRow(y, frame, over: background, &out) }
        out.setStyle(.plain)
        out.control("?2026l")
        return out.bytes
    }

    private func paintRow(_ y: Int, _ frame: Frame, over before: Frame, _ out: inout Ink) {
        for x in 0..<frame.size.width where frame[x, y] != before[x, y] {
            // The right half of a wide glyph came with the left one.
            guard let glyph = frame[x, y].glyph else { continue }
            if let gap = out.gap(before: x, y), gap.allSatisfy({ frame[$0, y].isWritable(in: out.style) }) {
                for between in gap { out.write(frame[between, y].glyph ?? .space) }
            } else {
                out.move(to: x, y)
            }
            out.setStyle(frame[x, y].style)
            out.write(glyph)
        }
    }
}

extension Cell {
    /// Whether it can be written again without any word about its style.
    fileprivate func isWritable(in style: Style) -> Bool { glyph?.width == 1 && self.style == style }
}

extension Frame {
    /// As lines for an ordinary stream, from the first to the last that holds anything.
    package func printed(_ depth: ColorDepth, _ alphabet: Alphabet = .unicode) -> [UInt8] {
        var out = Ink(depth, alphabet)
        for y in 0..<size.height {
            let end = (0..<size.width).last { self[$0, y] != .blank }.map { $0 + 1 } ?? 0
            for x in 0..<end {
                guard let glyph = self[x, y].glyph else { continue }
                if depth != .none { out.setStyle(self[x, y].style) }
                out.write(glyph)
            }
            out.setStyle(.plain)
            out.endLine()
        }
        return out.bytes
    }
}

/// Bytes for a terminal whose cursor and style are known.
private struct Ink {
    private(set) var bytes: [UInt8] = []
    private let depth: ColorDepth
    private let alphabet: Alphabet
    private(set) var style = Style.plain
    private var cursor: (x: Int, y: Int)?

    init(_ depth: ColorDepth, _ alphabet: Alphabet) {
        self.depth = depth
        self.alphabet = alphabet
    }

    /// A control sequence, without its introducer.
    mutating func control(_ sequence: String) {
        bytes += [0x1b, 0x5b]
        bytes += sequence.utf8
    }

    mutating func clear() {
        control("0m")
        control("2J")
    }

    /// The few columns between the cursor and a place: to write them again takes fewer bytes than to jump over them.
    func gap(before x: Int, _ y: Int) -> Range<Int>? {
        guard let cursor, cursor.y == y, cursor.x < x, x - cursor.x <= 5 else { return nil }
        return cursor.x..<x
    }

    mutating func move(to x: Int, _ y: Int) {
        if let cursor, cursor == (x, y) { return }
        control("\(y + 1);\(x + 1)H")
        cursor = (x, y)
    }

    mutating func setStyle(_ next: Style) {
        guard next != style else { return }
        style = next
        let attributes: [(Style.Attributes, UInt8)] = [(.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7)]
        let codes = [0] + attributes.filter { next.attributes.contains($0.0) }.map(\.1) + depth.parameters(next.foreground, isBackground: false)
        control((codes + depth.parameters(next.background, isBackground: true)).map(String.init).joined(separator: ";") + "m")
    }

    mutating func write(_ glyph: Glyph) {
        let shown = alphabet.shows(glyph)
        bytes += String(shown.character).utf8
        // A terminal may have other ideas about the width of what is not plain: so the place is said again behind it.
        let isCertain = shown.character.isASCII || (glyph.width == 1 && shown.character.unicodeScalars.count == 1)
        if let (x, y) = cursor { cursor = isCertain ? (x + glyph.width, y) : nil }
        if shown.width < glyph.width { bytes.append(0x20) }
    }

    mutating func endLine() {
        bytes.append(0x0a)
    }
}
