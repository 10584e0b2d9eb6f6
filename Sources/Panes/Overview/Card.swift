// SPDX-License-Identifier: Apache-2.0

import Terminal

/// A key figure: name, value, change and history.
struct Card {
    struct Figure {
        let value: String
        let change: Change?
        let history: [Double]

        init(_ value: String, _ change: Change? = nil, _ history: [Double] = []) {
            (self.value, self.change, self.history) = (value, change, history)
        }
    }

    private let name: String
    private let figure: Figure
    /// The error shown instead.
    private let whyNot: String?

    init(_ name: String, _ figure: Figure) {
        (self.name, self.figure, whyNot) = (name, figure, nil)
    }

    init(_ name: String, whyNot: String) {
        (self.name, figure, self.whyNot) = (name, Figure("–"), whyNot)
    }

    /// Draws three lines, or two with everything after the value.
    func draw(in area: Rect, on frame: inout Frame) {
        let (top, rest) = area.split(rows: 1)
        frame.text(name, in: top, Theme.faint)
        let (line, foot) = rest.split(rows: 1)
        let behind = drawChange(in: line.split(columns: frame.text(figure.value, in: line, .bold) + 1).rest, on: &frame)
        let room = foot.isEmpty ? behind : foot
        if let whyNot { frame.text(whyNot, in: room, Theme.warning) }
        guard room.width >= 3, !figure.history.isEmpty else { return }
        frame.sparkline(Card.condensed(figure.history, to: room.width), in: room, Theme.bars)
    }

    /// Returns the area after it.
    private func drawChange(in room: Rect, on frame: inout Frame) -> Rect {
        guard let change = figure.change, change.text.width <= room.width else { return room }
        return room.split(columns: frame.text(change.text, in: room, change.style) + 1).rest
    }

    /// Averages the values down to `width` columns.
    static func condensed(_ values: [Double], to width: Int) -> [Double] {
        guard values.count > width else { return values }
        return (0..<width).map { column in
            let part = values[values.count * column / width..<values.count * (column + 1) / width]
            return part.reduce(0, +) / Double(part.count)
        }
    }
}
