// SPDX-License-Identifier: Apache-2.0

import Terminal

/// What a key can ask of the dashboard.
enum DashboardCommand: Hashable, Sendable {
    // Whatever is shown.
    case quit, help, jump, refresh, pause, faster, slower, export, suspend, nextPane, previousPane, pane
    // Where a pane takes them.
    case range, shorter, longer, compare, up, down, pageUp, pageDown, first, last, open, section, filter, kind, find, sort
    case field, metric, event, addStep, dropStep, raiseStep, lowerStep
    // What changes something in the daemon.
    case again, test, replay, closeIssue, muteIssue, reopenIssue, note, merge, split, missing
    /// Out of whatever is on top: help, or what was opened.
    case back
    /// To what was asked.
    case yes

    /// What moves through a list.
    static let moves: Set<DashboardCommand> = [.up, .down, .pageUp, .pageDown, .first, .last]
    /// Of panes that look back.
    static let looks: Set<DashboardCommand> = [.range, .shorter, .longer]
}

/// One line of the table of keys; keys, help and footer all come from it.
struct Binding: Sendable {
    typealias Words = (word: String, meaning: String)

    let keys: [Key]
    let command: DashboardCommand
    /// As the footer has it; nil for what everybody tries anyway, and what stands elsewhere.
    let word: String?
    let meaning: String

    /// Those that somebody may look for come first, since footers are short. What changes something in the daemon has a large letter.
    static let all = [
        Binding(keys: [.character("q"), .control("c")], command: .quit, word: "quit", meaning: "Leaves."),
        Binding(keys: [.character("?"), .function(1)], command: .help, word: "help", meaning: "Shows or hides this."),
        Binding(keys: [.character("y")], command: .yes, word: "yes", meaning: "Does what was asked."),
        Binding(keys: [.enter], command: .open, word: "open", meaning: "Opens what is chosen."),
        Binding(keys: [.escape, .backspace], command: .back, word: "back", meaning: "Goes back to where this was opened."),
        Binding(keys: [.character("v")], command: .section, word: "view", meaning: "Shows another of its lists."),
        Binding(keys: [.character("a")], command: .addStep, word: "add", meaning: "Adds a step behind the chosen one."),
        Binding(keys: [.character("d")], command: .dropStep, word: "drop", meaning: "Drops the chosen step."),
        Binding(keys: [.character("<")], command: .raiseStep, word: "earlier", meaning: "Moves the chosen step up."),
        Binding(keys: [.character(">")], command: .lowerStep, word: "later", meaning: "Moves the chosen step down."),
        Binding(keys: [.character("t")], command: .range, word: "range", meaning: "Asks how far to look back."),
        Binding(keys: [.character("c")], command: .compare, word: "compare", meaning: "Shows the time before that beside it, or not."),
        Binding(keys: [.character("n")], command: .event, word: "event", meaning: "Shows one event only."),
        Binding(keys: [.character("b")], command: .field, word: "by", meaning: "Takes it apart by a field."),
        Binding(keys: [.character("m")], command: .metric, word: "metric", meaning: "Counts something else."),
        Binding(keys: [.character("f")], command: .filter, word: "filter", meaning: "Shows those in another state only."),
        Binding(keys: [.character("w")], command: .kind, word: "kind", meaning: "Shows those of another kind only."),
        Binding(keys: [.character("/")], command: .find, word: "find", meaning: "Shows those with a text only."),
        Binding(keys: [.character("s")], command: .sort, word: "sort", meaning: "Sorts by something else."),
        Binding(keys: [.character("R")], command: .again, word: "send again", meaning: "Tries again what could not be delivered; asks first."),
        Binding(keys: [.character("T")], command: .test, word: "test", meaning: "Sends a test message; asks first."),
        Binding(keys: [.character("P")], command: .replay, word: "put through", meaning: "Judges what was refused anew; asks first."),
        Binding(keys: [.character("C")], command: .closeIssue, word: "close", meaning: "Closes the issue as mended; asks first."),
        Binding(keys: [.character("M")], command: .muteIssue, word: "mute", meaning: "Mutes the issue for a while; asks first."),
        Binding(keys: [.character("O")], command: .reopenIssue, word: "reopen", meaning: "Opens the issue again; asks first."),
        Binding(keys: [.character("N")], command: .note, word: "note", meaning: "Writes a note on the issue; asks first."),
        Binding(keys: [.character("J")], command: .merge, word: "join", meaning: "Joins the issue with another; asks first."),
        Binding(keys: [.character("S")], command: .split, word: "split", meaning: "Makes the chosen variant an issue of its own; asks first."),
        Binding(keys: [.character("u")], command: .missing, word: "missing symbols", meaning: "Shows the symbols that crashes wait for."),
        Binding(keys: [.character(":")], command: .jump, word: "go to", meaning: "Goes to a pane, a thing or a range by its name."),
        Binding(keys: [.character("e")], command: .export, word: "export", meaning: "Writes what is shown into a file."),
        Binding(keys: [.character(" ")], command: .pause, word: "pause", meaning: "Stops asking, or goes on."),
        Binding(
            keys: [.character("r"), .control("l")], command: .refresh, word: "refresh", meaning: "Asks everything again, and paints the whole screen."
        ),
        Binding(keys: [.character("["), .left, .character("h")], command: .shorter, word: nil, meaning: "Shows a shorter range."),
        Binding(keys: [.character("]"), .right, .character("l")], command: .longer, word: nil, meaning: "Shows a longer range."),
        Binding(keys: [.character("+"), .character("=")], command: .faster, word: nil, meaning: "Asks more often."),
        Binding(keys: [.character("-")], command: .slower, word: nil, meaning: "Asks less often."),
        Binding(keys: [.up, .character("k")], command: .up, word: nil, meaning: "Chooses the one above."),
        Binding(keys: [.down, .character("j")], command: .down, word: nil, meaning: "Chooses the one below."),
        Binding(keys: [.pageUp, .control("u")], command: .pageUp, word: nil, meaning: "Goes up by ten."),
        Binding(keys: [.pageDown, .control("d")], command: .pageDown, word: nil, meaning: "Goes down by ten."),
        Binding(keys: [.home, .character("g")], command: .first, word: nil, meaning: "Goes to the first."),
        Binding(keys: [.end, .character("G")], command: .last, word: nil, meaning: "Goes to the last."),
        Binding(
            keys: (0...9).map { .character(Character("\($0)")) }, command: .pane, word: nil, meaning: "Goes to the pane of that number; 0 is ten."),
        Binding(keys: [.tab], command: .nextPane, word: nil, meaning: "Goes to the next pane."),
        Binding(keys: [.backTab], command: .previousPane, word: nil, meaning: "Goes to the pane before."),
        Binding(keys: [.control("z")], command: .suspend, word: nil, meaning: "Goes back to the shell for a while; `fg` comes back here."),
    ]

    static func command(for key: Key) -> DashboardCommand? {
        all.first { $0.keys.contains(key) }?.command
    }

    /// As a pane says it that knows better.
    func worded(_ words: Words?) -> Binding {
        words.map { Binding(keys: keys, command: command, word: $0.word, meaning: $0.meaning) } ?? self
    }

    /// As help names its keys.
    var names: String {
        let names = keys.map(\.name)
        return names.count > 3 ? "\(names[0])…\(names[names.count - 1])" : names.joined(separator: " ")
    }
}
