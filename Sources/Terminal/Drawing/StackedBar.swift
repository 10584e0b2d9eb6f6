// SPDX-License-Identifier: Apache-2.0

/// A bar of consecutive parts, each as long as its share of the whole.
package struct StackedBar: Sendable {
    package struct Part: Sendable {
        package var value: Int
        /// The character of the part, so that parts differ without colors.
        package var glyph: Character
        package var style: Style

        package init(_ value: Int, _ glyph: Character, _ style: Style) {
            (self.value, self.glyph, self.style) = (value, glyph, style)
        }
    }

    private let parts: [Part]
    private let whole: Int

    /// Creates a bar. The rest of `whole` stays blank.
    package init(_ parts: [Part], of whole: Int) {
        self.parts = parts.filter { $0.value > 0 }
        self.whole = max(whole, self.parts.reduce(0) { $0 + $1.value })
    }

    package func draw(in line: Rect, on frame: inout Frame) {
        var x = line.x
        for (part, cells) in zip(parts, cells(in: line.width)) {
            x += frame.put(repeatElement(Glyph(character: part.glyph, width: 1), count: cells), x, line.y, part.style)
        }
    }

    /// Returns the cells of each part: at least one if there are enough cells, because small parts often matter most.
    private func cells(in width: Int) -> [Int] {
        guard whole > 0 else { return [] }
        var cells = parts.map { max(1, Int((Double($0.value) / Double(whole) * Double(width)).rounded(.down))) }
        // The longest part gives up excess cells.
        while cells.reduce(0, +) > width, let longest = cells.indices.max(by: { cells[$0] < cells[$1] }) { cells[longest] -= 1 }
        // The part furthest below its share gets the remaining cells.
        let surplus = { (index: Int) in Double(cells[index]) - Double(parts[index].value) / Double(whole) * Double(width) }
        let isComplete = parts.reduce(0) { $0 + $1.value } == whole
        while isComplete, cells.reduce(0, +) < width, let poorest = cells.indices.min(by: { surplus($0) < surplus($1) }) { cells[poorest] += 1 }
        return cells
    }
}
