// SPDX-License-Identifier: Apache-2.0

package import Terminal

/// Keys and their texts, as the footer, the help, the manual and docs/guides/dashboard.md show them.
///
///     KeyBinding([.character("q"), .control("c")], "quit", "Quits.")    footer: `q quit`, help: `q ctrl-c  Quits.`
package struct KeyBinding: Hashable, Sendable {
    package let keys: [Key]
    /// The word in the footer; nil for keys that only the help lists.
    package let label: String?
    package let help: String

    package init(_ keys: [Key], _ label: String?, _ help: String) {
        (self.keys, self.label, self.help) = (keys, label, help)
    }

    /// The names of all keys, as the help lists them: `q ctrl-c`, or `0…9` for more than three.
    package var names: String {
        let names = keys.map(\.name)
        return names.count > 3 ? "\(names[0])…\(names[names.count - 1])" : names.joined(separator: " ")
    }
}

// MARK: - Keys that many panes have

extension KeyBinding {
    /// The keys of every list.
    package static let list = [find, sort] + Selection.Move.allCases.map(\.binding)
    static let find = KeyBinding([.character("/")], "find", "Shows only rows that contain a text.")
    static let sort = KeyBinding([.character("s")], "sort", "Sorts by the next column.")

    /// The keys of every pane with a time range.
    package static let timeRange = [range, shorterRange, longerRange, compare]
    package static let range = KeyBinding([.character("t")], "range", "Sets the time range.")
    package static let seenWithin = KeyBinding([.character("t")], "seen", "Shows only issues last seen within a time.")
    static let shorterRange = KeyBinding([.character("["), .left, .character("h")], nil, "Shows a shorter time range.")
    static let longerRange = KeyBinding([.character("]"), .right, .character("l")], nil, "Shows a longer time range.")
    package static let compare = KeyBinding([.character("c")], "compare", "Compares with the previous period, or stops comparing.")
}
