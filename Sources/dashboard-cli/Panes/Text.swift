import Terminal

/// A text that there was too little room for, line by line.
struct TextPane: Pane {
    let title: String
    private let text: String
    private var choice = Choice()

    init(_ title: String, _ text: String) {
        (self.title, self.text) = (title, text)
    }

    func commands(_ view: PaneView) -> Set<DashboardCommand> { DashboardCommand.moves }

    func asks(_ look: Look) -> [StandingAsk] { [] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneStep? {
        choice.move(command, in: numbers(lines(view.width - TextPane.margins)))
        return nil
    }

    /// At both sides, and for the mark at the chosen line.
    private static let margins = 4

    private func lines(_ width: Int) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line in
            // What is set in stays so.
            let indent = String(line.prefix { $0 == " " }.prefix(max(0, width / 2)))
            let lines = String(line).lines(of: width - indent.count).map { indent + $0 }
            return lines.isEmpty ? [""] : lines
        }
    }

    private func numbers(_ lines: [String]) -> [String] { lines.indices.map { String($0) } }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (head, body) = area.inset(1).split(rows: 1)
        let lines = lines(view.width - TextPane.margins)
        frame.rule(title, note: lines.count.of("line", "lines"), in: head, Theme.faint, title: Theme.title)
        ChosenTable([Table.Column("")], lines.map { [$0] }, chosen: choice.index(in: numbers(lines))).draw(in: body, on: &frame)
    }
}
