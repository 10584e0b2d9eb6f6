import Terminal

/// What a key can ask of the dashboard.
enum DashboardCommand: Hashable, Sendable {
    case quit, help, refresh, pause, shorter, longer, nextPane, previousPane, suspend
}

/// One line of the table of keys; keys, help and footer all come from it.
struct Binding: Sendable {
    let keys: [Key]
    let command: DashboardCommand
    /// As the footer has it, in a word.
    let word: String
    let meaning: String

    static let all = [
        Binding(keys: [.character("q"), .control("c")], command: .quit, word: "quit", meaning: "Leaves."),
        Binding(keys: [.character("?"), .character("h"), .function(1)], command: .help, word: "help", meaning: "Shows or hides this."),
        Binding(
            keys: [.character("r"), .control("l")], command: .refresh, word: "refresh", meaning: "Asks everything again, and paints the whole screen."
        ),
        Binding(keys: [.character("["), .left], command: .shorter, word: "shorter", meaning: "Shows a shorter range."),
        Binding(keys: [.character("]"), .right], command: .longer, word: "longer", meaning: "Shows a longer range."),
        Binding(keys: [.character(" ")], command: .pause, word: "pause", meaning: "Stops asking, or goes on."),
        Binding(keys: [.tab], command: .nextPane, word: "next", meaning: "Goes to the next pane."),
        Binding(keys: [.backTab], command: .previousPane, word: "previous", meaning: "Goes to the pane before."),
        Binding(keys: [.control("z")], command: .suspend, word: "suspend", meaning: "Goes back to the shell for a while; `fg` comes back here."),
    ]

    static func command(for key: Key) -> DashboardCommand? {
        all.first { $0.keys.contains(key) }?.command
    }
}
