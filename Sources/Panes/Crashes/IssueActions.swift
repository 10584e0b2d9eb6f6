// SPDX-License-Identifier: Apache-2.0

import API
import Crashes
import Events
import JSON
import Platform
import Terminal

extension PaneKey {
    /// The keys that change an issue. `others` are the issues that `merge` completes. `isOpen` says whether the pane shows the issue alone.
    static func issueActions(
        _ issue: @escaping @Sendable (Owner, PaneView) -> IssueResponse?, isOpen: Bool = false,
        others: @escaping @Sendable (Owner, PaneView) -> [IssueResponse] = { _, _ in [] }
    ) -> [PaneKey] {
        typealias Effect = @Sendable (IssueResponse, [IssueResponse]) -> PaneEffect
        let key = { (character: Character, label: String, help: String, states: [IssueState]?, effect: @escaping Effect) in
            PaneKey(character, label, help, when: { issue($0, $1).map { $0.isIn(states) } ?? false }) { owner, view in
                guard let issue = issue(owner, view) else { return nil }
                return view.whyNotChange.map { .unavailable($0) } ?? effect(issue, others(owner, view))
            }
        }
        return [
            key("C", "resolve", "Resolves the issue; asks first.", [.open, .muted]) { issue, _ in .prompt(issue.resolvePrompt) },
            key("M", "mute", "Mutes the issue for a while; asks first.", [.open]) { issue, _ in .prompt(issue.mutePrompt) },
            key("O", "reopen", "Reopens the issue; asks first.", [.closed, .muted]) { issue, _ in .confirm(issue.reopening) },
            key("N", "note", "Adds a note to the issue; asks first.", nil) { issue, _ in .prompt(issue.notePrompt) },
            key("A", "assign", "Assigns the issue to a person; asks first.", nil) { issue, _ in .prompt(issue.assignPrompt) },
            key("J", "merge", "Merges another issue into this one; asks first.", nil) { .prompt($0.mergePrompt($1)) },
            key("D", "delete", "Deletes the issue with its reports; asks first.", nil) { issue, _ in .confirm(issue.deletion(isOpen: isOpen)) },
        ]
    }
}

// Changes of an issue: each asks for its input, and then for a confirmation.

extension IssueResponse {
    /// Whether the issue is in one of the states; true for nil.
    fileprivate func isIn(_ states: [IssueState]?) -> Bool { states.map { $0.contains { state == .known($0) } } ?? true }

    fileprivate var reopening: PendingAction { change(to: .open, "Reopen \(name)?") { _ in } }

    fileprivate func deletion(isOpen: Bool) -> PendingAction {
        let crashes = count == 1 ? "its crash" : "its \(Numbers.grouped(Double(count))) crashes"
        return PendingAction(
            confirmation: "Delete \(name) with \(crashes), notes and history? This cannot be undone. Later crashes make a new issue.",
            method: "DELETE", path: path, closesPane: isOpen, outcome: "Issue deleted.")
    }

    fileprivate var resolvePrompt: Prompt {
        Prompt("Resolve", "Fixed in release (empty: next release).") { [self] text in
            let release = text.trimmed
            let meaning = release.isEmpty ? "the next release" : "release \(release)"
            return .confirm(
                change(to: .closed, "Resolve \(name) as fixed in \(meaning)? Crashes of older releases do not reopen it.") { json in
                    if !release.isEmpty { json.field("release", release) }
                })
        }
    }

    fileprivate var mutePrompt: Prompt {
        Prompt(
            "Mute",
            "A time (+7d, 2026-12-24T00:00:00Z) or a number of crashes within a day (100). Empty: forever."
        ) {
            [self] text in
            guard let end = MuteEnd(text.trimmed) else {
                return .unavailable("«\(text)» is not a time like +7d or a number of crashes like 100.")
            }
            return .confirm(change(to: .muted, "Mute \(name) \(end.words)? Crashes are counted, without alerts.") { end.write(to: &$0) })
        }
    }

    fileprivate var notePrompt: Prompt {
        Prompt("Note", "A note on \(name).", limit: 4_000) { [self] text in
            let note = text.trimmed
            guard !note.isEmpty else { return .unavailable("The note is empty.") }
            var json = JSONWriter()
            json.beginObject()
            json.field("text", note)
            json.endObject()
            let request = "Add a note to \(name): «\(note.count > 200 ? String(note.prefix(200)) + "…" : note)»?"
            return .confirm(PendingAction(confirmation: request, path: "\(path)/notes", body: json.bytes) { (_: IssueResponse) in "Note added." })
        }
    }

    fileprivate var assignPrompt: Prompt {
        Prompt("Assign", "The person for \(name). Empty: nobody.", text: assignee ?? "") { [self] text in
            let person = text.trimmed
            var json = JSONWriter()
            json.beginObject()
            json.key("assignee")
            if person.isEmpty { json.null() } else { json.string(person) }
            json.endObject()
            let request = person.isEmpty ? "Assign \(name) to nobody?" : "Assign \(name) to «\(person)»?"
            return .confirm(
                PendingAction(confirmation: request, method: "PATCH", path: path, body: json.bytes) { (changed: IssueResponse) in
                    changed.assignee.map { "Assigned to \($0)." } ?? "Assigned to nobody."
                })
        }
    }

    /// Completions show the title after the ID; only the ID is sent.
    fileprivate func mergePrompt(_ known: [IssueResponse]) -> Prompt {
        let others = known.filter { $0.id != id }
        let words = others.map { "\($0.id) «\($0.title.prefix(24))»" }
        return Prompt("Merge", "The ID of the issue to merge into \(name).", words: words) { [self] text in
            let other = text.split(separator: " ").first.map(String.init) ?? ""
            guard !other.isEmpty else { return .unavailable("Type the ID of an issue, such as iss_7Qk2.") }
            guard other != id else { return .unavailable("An issue cannot be merged into itself.") }
            var json = JSONWriter()
            json.beginObject()
            json.key("issues")
            json.beginArray()
            json.string(other)
            json.endArray()
            json.endObject()
            let joined = others.first { $0.id == other }?.name ?? "«\(other)»"
            return .confirm(
                PendingAction(
                    confirmation: "Merge \(joined) into \(name)? Its crashes count here from now on.", path: "\(path)/merge", body: json.bytes
                ) { (merged: IssueResponse) in
                    "Merged: \(merged.count) crashes."
                })
        }
    }

    /// Splits a variant off as an issue.
    func split(off variant: String, _ view: PaneView) -> PaneEffect {
        if let why = view.whyNotChange { return .unavailable(why) }
        guard (variants?.count ?? 0) > 1 else { return .unavailable("The issue has only one variant.") }
        var json = JSONWriter()
        json.beginObject()
        json.field("variant", variant)
        json.endObject()
        let request = "Split variant \(variant) off from \(name)? Its crashes count for the new issue from now on."
        let former = formerIds ?? []
        return .confirm(
            PendingAction(confirmation: request, path: "\(path)/split", body: json.bytes) { (new: IssueResponse) in
                "Split off as \(new.id)\(former.contains(new.id) ? ", its former ID" : "")."
            })
    }

    private var path: String { "/v1/issues/\(id.percentEncoded)" }

    private func change(to state: IssueState, _ request: String, _ details: (inout JSONWriter) -> Void) -> PendingAction {
        var json = JSONWriter()
        json.beginObject()
        json.field("state", state.name)
        details(&json)
        json.endObject()
        return PendingAction(confirmation: request, method: "PATCH", path: path, body: json.bytes) { (changed: IssueResponse) in
            "The issue is \(changed.state.label)."
        }
    }
}

/// The end of muting: never, at a time, or after a number of crashes.
private enum MuteEnd {
    case never
    /// As typed; the daemon parses it.
    case time(String)
    case count(Int)

    /// Parses `+7d`, an RFC 3339 time, a number of crashes, or an empty text.
    init?(_ text: String) {
        let digits = text.drop { $0 == "+" }.prefix { ("0"..."9").contains($0) }
        if text.isEmpty {
            self = .never
        } else if text == digits, let count = Int(digits), (1...1_000_000_000).contains(count) {
            self = .count(count)
        } else if MuteEnd.units.contains(where: { text == "+\(digits)\($0)" }), !digits.isEmpty {
            self = .time(text)
        } else if Timestamp(rfc3339: Array(text.utf8).span) != nil {
            self = .time(text)
        } else {
            return nil
        }
    }

    private static let units = ["s", "m", "h", "d", "w"]

    var words: String {
        switch self {
        case .never: "forever"
        case .time(let text): text.hasPrefix("+") ? "for \(text.dropFirst())" : "until \(text)"
        case .count(let count): "until \(count.of("crash", "crashes")) within a day"
        }
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .never: break
        case .time(let text): json.field("until", text)
        case .count(let count): json.field("until_count", count)
        }
    }
}

extension String {
    /// The text without leading and trailing whitespace.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
