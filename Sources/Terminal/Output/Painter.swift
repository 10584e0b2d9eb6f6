// SPDX-License-Identifier: Apache-2.0

/// Encodes frames for a terminal. Each frame is a single write with the cells that differ from the previous frame.
package struct Painter: Sendable {
    private var ink: Ink
    /// The frame on the terminal; `nil` if it is unknown.
    private var shown: Frame?

    package init(_ depth: ColorDepth, _ alphabet: Alphabet = .unicode) {
        ink = Ink(depth, alphabet)
    }

    /// Paints the next frame completely, because the screen may have changed.
    package mutating func forget() {
        shown = nil
    }

    /// Returns the bytes of a frame; empty if nothing changed.
    package mutating func paint(_ frame: Frame) -> [UInt8] {
        let before = shown?.size == frame.size ? shown : nil
        shown = frame
        // Links are not visible.
        guard before?.cells != frame.cells else { return [] }
        // Synchronized output: terminals that support it show the frame at once.
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
            // The right half of a wide glyph was written with the left one.
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
    /// Whether it can be written without a change of style.
    fileprivate func isWritable(in style: Style) -> Bool { glyph?.width == 1 && self.style == style }
}

extension Frame {
    /// Returns the frame as lines for an ordinary stream.
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

/// An output buffer that tracks the cursor and the style.
private struct Ink {
    private var bytes: [UInt8] = []
    private let depth: ColorDepth
    private let alphabet: Alphabet
    private(set) var style = Style.plain
    private var cursor: (x: Int, y: Int)?
    /// The cached sequence of each style. Finding the nearest of 256 colors is slow.
    private var sequences: [Style: [UInt8]] = [:]
    private static let mostSequences = 1_024

    init(_ depth: ColorDepth, _ alphabet: Alphabet) {
        self.depth = depth
        self.alphabet = alphabet
    }

    /// Returns and removes all bytes. The cursor is unknown afterwards.
    mutating func take() -> [UInt8] {
        defer { (bytes, cursor) = ([], nil) }
        return bytes
    }

    /// Appends a control sequence, given without its introducer.
    mutating func control(_ sequence: String) {
        bytes += [0x1b, 0x5b]
        bytes += sequence.utf8
    }

    mutating func clear() {
        control("0m")
        control("2J")
    }

    /// Returns the columns between the cursor and a place if they are few: writing them again takes fewer bytes than a jump.
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

    /// Appends the digits of a number without a string, because a frame has thousands of places.
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
        // The terminal may disagree about the width of a glyph that is not plain, so the cursor is unknown after it.
        let isCertain = shown.isASCII || (glyph.width == 1 && !shown.hasMarks)
        if let (x, y) = cursor { cursor = isCertain ? (x + glyph.width, y) : nil }
        if shown.width < glyph.width { bytes.append(0x20) }
    }

    mutating func endLine() {
        bytes.append(0x0a)
    }
}
