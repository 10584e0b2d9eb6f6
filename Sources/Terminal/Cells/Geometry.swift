// SPDX-License-Identifier: Apache-2.0

/// A size in columns and rows.
package struct Size: Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(_ width: Int, _ height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }
}

/// A rectangle of a frame. Column and row 0 are at the top left.
package struct Rect: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var size: Size

    package init(_ x: Int, _ y: Int, _ width: Int, _ height: Int) {
        (self.x, self.y) = (x, y)
        size = Size(width, height)
    }

    package var width: Int { size.width }
    package var height: Int { size.height }
    package var isEmpty: Bool { width == 0 || height == 0 }

    /// Splits off the upper rows.
    package func split(rows: Int) -> (top: Rect, rest: Rect) {
        let rows = min(max(0, rows), height)
        return (Rect(x, y, width, rows), Rect(x, y + rows, width, height - rows))
    }

    /// Splits off the left columns.
    package func split(columns: Int) -> (left: Rect, rest: Rect) {
        let columns = min(max(0, columns), width)
        return (Rect(x, y, columns, height), Rect(x + columns, y, width - columns, height))
    }

    package func inset(_ columns: Int, _ rows: Int = 0) -> Rect {
        Rect(x + min(columns, width), y + min(rows, height), width - 2 * columns, height - 2 * rows)
    }

    /// Splits into columns with widths by weight and gaps between them.
    package func columns(_ weights: [Int], gap: Int) -> [Rect] {
        let room = max(0, width - gap * (weights.count - 1))
        let total = max(1, weights.reduce(0, +))
        var (parts, seen, start) = ([Rect](), 0, 0)
        for weight in weights {
            seen += weight
            let end = room * seen / total
            parts.append(Rect(x + start + gap * parts.count, y, end - start, height))
            start = end
        }
        return parts
    }
}
