// SPDX-License-Identifier: Apache-2.0

package import Terminal

/// The legend of a chart, in one line: the mark and the name of each line.
package struct Legend {
    package typealias Entry = (mark: Character, text: String, style: Style)

    private let entries: [Entry]

    package init(_ entries: [Entry]) {
        self.entries = entries
    }

    package func draw(in line: Rect, on frame: inout Frame) {
        var rest = line
        for (mark, text, style) in entries {
            let taken = frame.text("\(mark) \(text)", in: rest, style)
            rest = rest.split(columns: taken + 2).rest
        }
    }
}
