// SPDX-License-Identifier: Apache-2.0

import Terminal

/// Labeled figures in one line: `total 812   max 40`. Those that do not fit are left out.
struct Captions {
    struct Figure {
        let name: String
        let value: String
        let change: Change?

        init(_ name: String, _ value: String, _ change: Change? = nil) {
            (self.name, self.value, self.change) = (name, value, change)
        }

        var width: Int { name.width + 1 + value.width + (change.map { $0.text.width + 1 } ?? 0) }
    }

    private let figures: [Figure]

    init(_ figures: [Figure]) {
        self.figures = figures
    }

    func draw(in line: Rect, on frame: inout Frame) {
        var rest = line
        for figure in figures {
            guard figure.width <= rest.width else { return }
            rest = rest.split(columns: frame.text("\(figure.name) ", in: rest, Theme.faint)).rest
            rest = rest.split(columns: frame.text(figure.value, in: rest, .bold)).rest
            if let change = figure.change { rest = rest.split(columns: frame.text(" \(change.text)", in: rest, change.style)).rest }
            rest = rest.split(columns: 3).rest
        }
    }
}
