// SPDX-License-Identifier: Apache-2.0

import Terminal

/// What the lines of a chart are, in one line below it.
struct Legend {
    private let entries: [(text: String, style: Style)]

    init(_ entries: [(text: String, style: Style)]) {
        self.entries = entries
    }

    func draw(in line: Rect, on frame: inout Frame) {
        var rest = line
        for (text, style) in entries {
            let taken = frame.text("● \(text)", in: rest, style)
            rest = rest.split(columns: taken + 2).rest
        }
    }
}
