// SPDX-License-Identifier: Apache-2.0

import Terminal

/// A text that there was too little room for, line by line.
struct TextPane: Pane {
    let title: String
    private let text: String
    private var reading = ScrolledText()

    init(_ title: String, _ text: String) {
        (self.title, self.text) = (title, text)
    }

    func commands(_ view: PaneView) -> Set<DashboardCommand> { DashboardCommand.moves }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneEffect? {
        reading.move(command, in: text, view)
        return nil
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        reading.draw(title, text, view, in: area.inset(1), on: &frame)
    }
}
