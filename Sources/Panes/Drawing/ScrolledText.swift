// SPDX-License-Identifier: Apache-2.0

import Terminal

/// The scroll position in a text that is wrapped to the pane.
struct ScrolledText: Sendable {
    private var selection = Selection()
    /// Both margins and the mark of the selected line.
    private static let margins = 4

    mutating func move(_ move: Selection.Move, in text: String, _ view: PaneView) {
        selection.move(move, in: ScrolledText.numbers(ScrolledText.lines(of: text, view)))
    }

    /// Draws a title with the number of lines, and the text.
    func draw(_ title: String, _ text: String, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (head, body) = area.split(rows: 1)
        let lines = ScrolledText.lines(of: text, view)
        frame.rule(title, note: lines.count.of("line", "lines"), in: head, Theme.faint, title: Theme.title)
        SelectableTable([Table.Column("")], lines.map { [$0] }, chosen: selection.index(in: ScrolledText.numbers(lines))).draw(in: body, on: &frame)
    }

    /// Wraps long lines and keeps their indentation.
    private static func lines(of text: String, _ view: PaneView) -> [String] {
        let width = max(1, view.width - margins)
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line -> [String] in
            guard line.width > width else { return [String(line)] }
            let blanks = String(line.prefix { $0 == " " }.prefix(width / 2))
            return String(line).lines(of: width - blanks.count).map { blanks + $0 }
        }
    }

    private static func numbers(_ lines: [String]) -> [String] { lines.indices.map { String($0) } }
}
