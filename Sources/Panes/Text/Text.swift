// SPDX-License-Identifier: Apache-2.0

import Terminal

/// A long text, line by line.
struct TextPane: Pane {
    static let name = "Text"
    static let summary = "A long text, line by line."

    static let keys: [PaneKey<Self>] = PaneKey.moves(when: { _, _ in true }) { $0.scrolled.move($1, in: $0.text, $2) }

    let title: String
    private let text: String
    private var scrolled = ScrolledText()

    init(_ title: String, _ text: String) {
        (self.title, self.text) = (title, text)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        scrolled.draw(title, text, view, in: area.inset(1), on: &frame)
    }
}
