import Terminal

/// What is known of one thing, a line each, with names at the left.
struct Facts {
    private let lines: [(name: String, value: String, style: Style)]

    /// Those without a value are left out.
    init(_ lines: KeyValuePairs<String, String?>, styles: [String: Style] = [:]) {
        self.lines = lines.compactMap { name, value in value.map { (name, $0, styles[name] ?? .plain) } }
    }

    /// Answers the room below.
    func draw(in area: Rect, on frame: inout Frame) -> Rect {
        let (room, rest) = area.split(rows: lines.count)
        let names = min(12, area.width / 3)
        for (row, line) in lines.prefix(room.height).enumerated() {
            let (name, value) = Rect(room.x, room.y + row, room.width, 1).split(columns: names)
            frame.text(line.name, in: name.split(columns: names - 1).left, Theme.faint)
            frame.text(line.value, in: value, line.style)
        }
        return rest
    }
}
