import Terminal

/// What a key can ask of the dashboard.
enum DashboardCommand: Hashable, Sendable {
    // Whatever is shown.
    case quit, help, refresh, pause, suspend, nextPane, previousPane, pane
    // Where a pane takes them.
    case shorter, longer, up, down, pageUp, pageDown, first, last, open, section, filter, kind, find, sort, again
    case closeIssue, muteIssue, reopenIssue, note, missing
    /// Out of whatever is on top: help, or what was opened.
    case back
    /// To what was asked.
    case yes

    /// What moves through a list.
    static let moves: Set<DashboardCommand> = [.up, .down, .pageUp, .pageDown, .first, .last]
}

/// One line of the table of keys; keys, help and footer all come from it.
struct Binding: Sendable {
    let keys: [Key]
    let command: DashboardCommand
    /// As the footer has it; nil for what everybody tries anyway, and what stands elsewhere.
    let word: String?
    let meaning: String

    /// Those that somebody may look for come first, since footers are short.
    static let all = [
        Binding(keys: [.character("q"), .control("c")], command: .quit, word: "quit", meaning: "Leaves."),
        Binding(keys: [.character("?"), .character("h"), .function(1)], command: .help, word: "help", meaning: "Shows or hides this."),
        Binding(keys: [.character("y")], command: .yes, word: "yes", meaning: "Does what was asked."),
        Binding(keys: [.enter], command: .open, word: "open", meaning: "Opens what is chosen."),
        Binding(keys: [.escape, .backspace], command: .back, word: "back", meaning: "Goes back to where this was opened."),
        Binding(keys: [.character("v")], command: .section, word: "view", meaning: "Shows another of its lists."),
        Binding(keys: [.character("f")], command: .filter, word: "filter", meaning: "Shows those in another state only."),
        Binding(keys: [.character("t")], command: .kind, word: "kind", meaning: "Shows those of another kind only."),
        Binding(keys: [.character("/")], command: .find, word: "find", meaning: "Shows those with a text only."),
        Binding(keys: [.character("s")], command: .sort, word: "sort", meaning: "Sorts by something else."),
        Binding(keys: [.character("R")], command: .again, word: "send again", meaning: "Tries again what could not be delivered; asks first."),
        Binding(keys: [.character("c")], command: .closeIssue, word: "close", meaning: "Closes the issue as mended; asks first."),
        Binding(keys: [.character("m")], command: .muteIssue, word: "mute", meaning: "Mutes the issue for a while; asks first."),
        Binding(keys: [.character("o")], command: .reopenIssue, word: "reopen", meaning: "Opens the issue again; asks first."),
        Binding(keys: [.character("n")], command: .note, word: "note", meaning: "Writes a note on the issue; asks first."),
        Binding(keys: [.character("M")], command: .missing, word: "missing symbols", meaning: "Shows the symbols that crashes wait for."),
        Binding(
            keys: [.character("r"), .control("l")], command: .refresh, word: "refresh", meaning: "Asks everything again, and paints the whole screen."
        ),
        Binding(keys: [.character("["), .left], command: .shorter, word: "shorter", meaning: "Shows a shorter range."),
        Binding(keys: [.character("]"), .right], command: .longer, word: "longer", meaning: "Shows a longer range."),
        Binding(keys: [.character(" ")], command: .pause, word: "pause", meaning: "Stops asking, or goes on."),
        Binding(keys: [.up, .character("k")], command: .up, word: nil, meaning: "Chooses the one above."),
        Binding(keys: [.down, .character("j")], command: .down, word: nil, meaning: "Chooses the one below."),
        Binding(keys: [.pageUp, .control("u")], command: .pageUp, word: nil, meaning: "Goes up by ten."),
        Binding(keys: [.pageDown, .control("d")], command: .pageDown, word: nil, meaning: "Goes down by ten."),
        Binding(keys: [.home, .character("g")], command: .first, word: nil, meaning: "Goes to the first."),
        Binding(keys: [.end, .character("G")], command: .last, word: nil, meaning: "Goes to the last."),
        Binding(keys: (1...9).map { .character(Character("\($0)")) }, command: .pane, word: nil, meaning: "Goes to the pane of that number."),
        Binding(keys: [.tab], command: .nextPane, word: nil, meaning: "Goes to the next pane."),
        Binding(keys: [.backTab], command: .previousPane, word: nil, meaning: "Goes to the pane before."),
        Binding(keys: [.control("z")], command: .suspend, word: nil, meaning: "Goes back to the shell for a while; `fg` comes back here."),
    ]

    static func command(for key: Key) -> DashboardCommand? {
        all.first { $0.keys.contains(key) }?.command
    }

    /// As help names its keys.
    var names: String {
        let names = keys.map(\.name)
        return names.count > 3 ? "\(names[0])…\(names[names.count - 1])" : names.joined(separator: " ")
    }
}
