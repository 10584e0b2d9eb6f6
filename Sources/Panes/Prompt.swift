// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
package import Terminal

/// A line of text input and the effect of its text.
package struct Prompt: Sendable {
    package let title: String
    /// The explanation above the line.
    package let hint: String
    /// The initial text.
    package let before: String
    package private(set) var text: String
    /// The maximum length in characters.
    package let limit: Int
    /// The completions of tab, which are shown while typing.
    package let words: [String]
    /// Whether each key takes effect at once; escape restores the initial text.
    package let followsTyping: Bool
    /// Returns the effect of the text.
    package let effect: @Sendable (String) -> PaneEffect

    package init(
        _ title: String, _ hint: String, text: String = "", limit: Int = 200, words: [String] = [], followsTyping: Bool = false,
        effect: @escaping @Sendable (String) -> PaneEffect
    ) {
        (self.title, self.hint, self.text, self.before) = (title, hint, text, text)
        (self.limit, self.words, self.followsTyping, self.effect) = (limit, words, followsTyping, effect)
    }

    /// All other keys are text.
    package static let bindings = [
        KeyBinding([.enter], "accept", "Accepts the line."), KeyBinding([.escape], "cancel", "Cancels."),
        KeyBinding([.control("u")], "clear", "Clears the line."), KeyBinding([.tab], "complete", "Completes the word."),
    ]

    package mutating func type(_ key: Key) {
        switch key {
        case .character(let character): add(String(character))
        case .paste(let text): add(text)
        case .backspace: text = String(text.dropLast())
        case .control("u"): text = ""
        case .tab: fillIn()
        default: break
        }
    }

    /// The completions that match, ignoring case.
    private var fitting: [String] { words.filter { $0.lowercased().hasPrefix(text.lowercased()) && $0 != text } }

    /// Completes the common prefix.
    private mutating func fillIn() {
        guard var common = fitting.first else { return }
        for word in fitting { while !word.hasPrefix(common) { common.removeLast() } }
        if common.count >= text.count { text = common }
    }

    /// Control characters become spaces: the text is one line.
    private mutating func add(_ typed: String) {
        let printing = typed.map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 }
        text += String(printing.prefix(limit - text.count))
    }

    /// Draws the prompt; the end of the line is always visible.
    package func draw(in area: Rect, on frame: inout Frame) {
        let width = min(area.width, 70)
        let suggestions = words.isEmpty ? hint : fitting.joined(separator: "  ")
        let lines = max(1, min(4, suggestions.lines(of: width - 4).count))
        let height = min(area.height, lines + 3)
        // A prompt that filters a list must not cover it.
        let y = followsTyping ? area.y + area.height - height : area.y + (area.height - height) / 2
        let room = frame.box(title, in: Rect(area.x + (area.width - width) / 2, y, width, height), Theme.warning).inset(1)
        let (above, line) = room.split(rows: room.height - 1)
        frame.paragraph(suggestions, in: above, Theme.faint)
        let glyphs = text.glyphs.suffix(fitting: line.width - 3)
        let taken = frame.put("> ", line.x, line.y, Theme.key)
        frame.put("█", line.x + taken + frame.put(glyphs, line.x + taken, line.y, width: line.width - 3), line.y, Theme.key)
    }
}

// MARK: - Prompts of every pane

extension Prompt {
    package static func find(_ text: String) -> Prompt {
        Prompt("Find", "A text that rows must contain (empty: all).", text: text, followsTyping: true) { .findText($0) }
    }

    /// Asks for the field of a breakdown.
    static func field(_ current: String?, _ effect: @escaping @Sendable (String?) -> PaneEffect) -> Prompt {
        Prompt("By", "name, context.…, params.… or user.… (empty: no breakdown).", text: current ?? "", words: usualFields) { text in
            if text.isEmpty { return effect(nil) }
            guard let path = try? FieldPath(text, parameter: "breakdown"), !path.isOfItems else {
                return .unavailable("«\(text)» is not a field; use one like context.platform, params.screen_name or user.tier.")
            }
            return effect(path.text)
        }
    }

    static let usualFields = ["name"] + EventContext.fields.map { "context.\($0)" } + ["params.screen_name", "params.", "user."]

    static func seenWithin(_ range: ViewRange?) -> Prompt {
        Prompt("Last seen within", "A time such as 24h, 7d or 30d (empty: all issues).", text: range?.text ?? "", limit: 10) { text in
            if text.isEmpty { return .seenWithin(nil) }
            return ViewRange(text).map { .seenWithin($0) } ?? .unavailable("«\(text)» is not a time; use 90m, 6h or 14d.")
        }
    }

    static func range(_ range: ViewRange) -> Prompt {
        Prompt("Range", "The time range: 15m, 1h, 24h, 7d, 30d, 90d. Current: \(range.text).", limit: 10) { text in
            ViewRange(text).map { .range($0) } ?? .unavailable("«\(text)» is not a time range; use 90m, 6h or 14d.")
        }
    }
}
