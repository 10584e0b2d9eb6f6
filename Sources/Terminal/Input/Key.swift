// SPDX-License-Identifier: Apache-2.0

/// A key press, paste or mouse event.
package enum Key: Hashable, Sendable {
    case character(Character)
    case control(Character)
    case alt(Character)
    case enter, tab, backTab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
    /// Pasted text, as one piece. Its line ends are not key presses.
    case paste(String)
    case mouse(Mouse)
}

extension Key {
    /// The name in help texts.
    package var name: String {
        switch self {
        case .character(" "): "space"
        case .character(let character): String(character)
        case .control(let character): "ctrl-\(character)"
        case .alt(let character): "alt-\(character)"
        case .backTab: "shift-tab"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .escape: "esc"
        case .function(let number): "F\(number)"
        case .paste: "paste"
        case .mouse: "mouse"
        case .enter, .tab, .backspace, .delete, .insert, .home, .end, .pageUp, .pageDown: "\(self)".lowercased()
        }
    }
}
