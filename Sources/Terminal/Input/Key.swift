// SPDX-License-Identifier: Apache-2.0

/// What somebody pressed.
package enum Key: Hashable, Sendable {
    case character(Character)
    case control(Character)
    case alt(Character)
    case enter, tab, backTab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
    /// What was pasted, as one piece: its line ends press no keys.
    case paste(String)
    case mouse(Mouse)
}

extension Key {
    /// As it is named in help.
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
