// SPDX-License-Identifier: Apache-2.0

package import Terminal

/// The legend of a chart, in one line.
package struct Legend {
    private let entries: [(text: String, style: Style)]

    package init(_ entries: [(text: String, style: Style)]) {
        self.entries = entries
    }

    package func draw(in line: Rect, on frame: inout Frame) {
        var rest = line
        for (text, style) in entries {
            let taken = frame.text("● \(text)", in: rest, style)
            rest = rest.split(columns: taken + 2).rest
        }
    }
}
