import Terminal

/// A line that somebody types, and what comes of it.
struct Prompt: Sendable {
    let title: String
    /// What is to be typed.
    let hint: String
    private(set) var text: String
    /// The longest text, in characters.
    let limit: Int
    /// What is wanted with the text once it is there.
    let step: @Sendable (String) -> PaneStep

    init(_ title: String, _ hint: String, text: String = "", limit: Int = 200, step: @escaping @Sendable (String) -> PaneStep) {
        (self.title, self.hint, self.text, self.limit, self.step) = (title, hint, text, limit, step)
    }

    /// All other keys are text.
    static let bindings = [
        Binding(keys: [.enter], command: .yes, word: "go on", meaning: "Takes the line."),
        Binding(keys: [.escape], command: .back, word: "leave it", meaning: "Does nothing."),
        Binding(keys: [.control("u")], command: .first, word: "clear", meaning: "Begins again."),
    ]

    mutating func type(_ key: Key) {
        switch key {
        case .character(let character): add(String(character))
        case .paste(let text): add(text)
        case .backspace: text = String(text.dropLast())
        case .control("u"): text = ""
        default: break
        }
    }

    /// It is one line: what ends lines, and whatever else does not print, becomes a space.
    private mutating func add(_ typed: String) {
        let printing = typed.map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 }
        text += String(printing.prefix(limit - text.count))
    }

    /// The end of the line is always to be seen.
    func draw(in area: Rect, on frame: inout Frame) {
        let width = min(area.width, 70)
        let lines = hint.lines(of: width - 4)
        let height = min(area.height, lines.count + 3)
        let place = Rect(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height)
        let room = frame.box(title, in: place, Theme.warning).inset(1)
        let (above, line) = room.split(rows: room.height - 1)
        frame.paragraph(hint, in: above, Theme.faint)
        let glyphs = text.glyphs.suffix(fitting: line.width - 3)
        let taken = frame.put("> ", line.x, line.y, Theme.key)
        frame.put("█", line.x + taken + frame.put(glyphs, line.x + taken, line.y, width: line.width - 3), line.y, Theme.key)
    }
}
