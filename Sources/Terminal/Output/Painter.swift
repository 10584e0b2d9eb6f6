// SPDX-License-Identifier: Apache-2.0

/// Turns frames into the bytes that make a terminal show them: of each only what differs from the one before, all in one write.
package struct Painter: Sendable {
    private var ink: Ink
    /// What the terminal shows; nil where that is not known.
    private var shown: Frame?

    package init(_ depth: ColorDepth, _ alphabet: Alphabet = .unicode) {
        ink = Ink(depth, alphabet)
    }

    /// Has the next frame painted wholly, for whatever happened to the screen meanwhile.
    package mutating func forget() {
        shown = nil
    }

    /// Empty where nothing changed.
    package mutating func paint(_ frame: Frame) -> [UInt8] {
        let before = shown?.size == frame.size ? shown : nil
        shown = frame
        // Where clicks go cannot be seen.
        guard before?.cells != frame.cells else { return [] }
        // The terminal shows nothing of this until all of it is there, if it knows how to.
        ink.control("?2026h")
        if before == nil { ink.clear() }
        let background = before ?? Frame(frame.size)
        for y in 0..<frame.size.height { Painter.paintRow(y, frame, over: background, &ink) }
        ink.setStyle(.plain)
        ink.control("?2026l")
        return ink.take()
    }

    private static func paintRow(_ y: Int, _ frame: Frame, over before: Frame, _ out: inout Ink) {
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
        return out.take()
    }
}

/// Bytes for a terminal whose cursor and style are known.
private struct Ink {
    private var bytes: [UInt8] = []
    private let depth: ColorDepth
    private let alphabet: Alphabet
    private(set) var style = Style.plain
    private var cursor: (x: Int, y: Int)?
    /// What chooses each style, as it was found once: to look for the nearest of 256 colours takes long.
    private var sequences: [Style: [UInt8]] = [:]
    private static let mostSequences = 1_024

    init(_ depth: ColorDepth, _ alphabet: Alphabet) {
        self.depth = depth
        self.alphabet = alphabet
    }

    /// All bytes there are; behind them nobody knows where the cursor is.
    mutating func take() -> [UInt8] {
        defer { (bytes, cursor) = ([], nil) }
        return bytes
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
        bytes += [0x1b, 0x5b]
        write(y + 1)
        bytes.append(UInt8(ascii: ";"))
        write(x + 1)
        bytes.append(UInt8(ascii: "H"))
        cursor = (x, y)
    }

    /// In digits; there are thousands of places in a frame, so no text is made of them first.
    private mutating func write(_ number: Int) {
        if number >= 10 { write(number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    mutating func setStyle(_ next: Style) {
        guard next != style else { return }
        style = next
        if let known = sequences[next] { return bytes += known }
        if sequences.count >= Ink.mostSequences { sequences = [:] }
        let sequence = depth.sequence(next)
        sequences[next] = sequence
        bytes += sequence
    }

    mutating func write(_ glyph: Glyph) {
        let shown = alphabet.shows(glyph)
        if shown.isASCII {
            bytes.append(UInt8(shown.base.value))
        } else {
            shown.forEachScalar { bytes += UTF8.encode($0) ?? UTF8.encodedReplacementCharacter }
        }
        // A terminal may have other ideas about the width of what is not plain: so the place is said again behind it.
        let isCertain = shown.isASCII || (glyph.width == 1 && !shown.hasMarks)
        if let (x, y) = cursor { cursor = isCertain ? (x + glyph.width, y) : nil }
        if shown.width < glyph.width { bytes.append(0x20) }
    }

    mutating func endLine() {
        bytes.append(0x0a)
    }
}
