// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

extension PaneKey {
    /// The keys that change an issue. `others` are the issues that `merge` completes.
    static func issueActions(
        _ issue: @escaping @Sendable (Owner, PaneView) -> IssueResponse?,
        others: @escaping @Sendable (Owner, PaneView) -> [IssueResponse] = { _, _ in [] }
    ) -> [PaneKey] {
        typealias Effect = @Sendable (IssueResponse, [IssueResponse]) -> PaneEffect
        let key = { (character: Character, label: String, help: String, states: [IssueState?], effect: @escaping Effect) in
            PaneKey(character, label, help, when: { issue($0, $1).map { states.contains(IssueState(name: $0.state)) } ?? false }) { owner, view in
                guard let issue = issue(owner, view) else { return nil }
                return view.whyNotChange.map { .unavailable($0) } ?? effect(issue, others(owner, view))
            }
        }
        let all: [IssueState?] = [.open, .closed, .muted, nil]
        return [
            key("C", "resolve", "Resolves the issue; asks first.", [.open, .muted]) { issue, _ in .prompt(issue.resolvePrompt) },
            key("M", "mute", "Mutes the issue for a while; asks first.", [.open]) { issue, _ in .prompt(issue.mutePrompt) },
            key("O", "reopen", "Reopens the issue; asks first.", [.closed, .muted]) { issue, _ in .confirm(issue.reopening) },
            key("N", "note", "Adds a note to the issue; asks first.", all) { issue, _ in .prompt(issue.notePrompt) },
            key("J", "merge", "Merges another issue into this one; asks first.", all) { .prompt($0.mergePrompt($1)) },
        ]
    }
}

// Changes of an issue: each asks for its input, and then for a confirmation.

extension IssueResponse {
    fileprivate var reopening: PendingAction { change(to: .open, "Reopen \(name)?") { _ in } }

    fileprivate var resolvePrompt: Prompt {
        Prompt("Close", "The release that mends it; nothing means whichever is newer than those it was met in.") { [self] text in
            let release = text.trimmed
            let meaning = release.isEmpty ? "a release newer than those it was met in" : "release \(release)"
            return .confirm(
                change(to: .closed, "Close \(name) as mended by \(meaning)? Older releases that still crash leave it closed.") { json in
                    if !release.isEmpty { json.field("release", release) }
                })
        }
    }

    fileprivate var mutePrompt: Prompt {
        Prompt(
            "Mute",
            "Until when, such as +7d or 2026-12-24T00:00:00Z, or until so many crashes come within a day, such as 100; nothing means for good."
        ) {
            [self] text in
            guard let end = MuteEnd(text.trimmed) else {
                return .unavailable("«\(text)» is neither a time like +7d nor a number of crashes like 100.")
            }
            return .confirm(change(to: .muted, "Mute \(name) \(end.words)? It is counted, and nobody is told.") { end.write(to: &$0) })
        }
    }

    fileprivate var notePrompt: Prompt {
        Prompt("Note", "What is to be known about \(name).", limit: 4_000) { [self] text in
            let note = text.trimmed
            guard !note.isEmpty else { return .unavailable("An empty note says nothing.") }
            var json = JSONWriter()
            json.beginObject()
            json.field("text", note)
            json.endObject()
            let request = "Write this down about \(name): «\(note.count > 200 ? String(note.prefix(200)) + "…" : note)»?"
            return .confirm(PendingAction(confirmation: request, path: "\(path)/notes", body: json.bytes) { _ in "It is written down." })
        }
    }

    /// Behind the id of each issue that is known stands what it is, which means nothing to the daemon.
    fileprivate func mergePrompt(_ known: [IssueResponse]) -> Prompt {
        let others = known.filter { $0.id != id }
        let words = others.map { "\($0.id) «\($0.title.prefix(24))»" }
        return Prompt("Join which issue", "The id of the issue that is to be part of \(name).", words: words) { [self] text in
            let other = text.split(separator: " ").first.map(String.init) ?? ""
            guard !other.isEmpty else { return .unavailable("The id of an issue is needed, as the title of its screen has it.") }
            guard other != id else { return .unavailable("An issue is part of itself already.") }
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
                    confirmation: "Make \(joined) part of \(name)? Its crashes count here from then on.", path: "\(path)/merge", body: json.bytes
                ) {
                    "It is one issue now, of \($0.text("count")) crashes."
                })
        }
    }

    /// One of its variants as an issue of its own.
    func split(off variant: String, _ view: PaneView) -> PaneEffect {
        if let why = view.whyNotChange { return .unavailable(why) }
        guard (variants?.count ?? 0) > 1 else { return .unavailable("It has one variant alone: there is nothing to split off.") }
        var json = JSONWriter()
        json.beginObject()
        json.field("variant", variant)
        json.endObject()
        let request = "Make variant \(variant) of \(name) an issue of its own? Its crashes count there from then on."
        return .confirm(PendingAction(confirmation: request, path: "\(path)/split", body: json.bytes) { "It is the issue \($0.text("id")) now." })
    }

    private var path: String { "/v1/issues/\(id.percentEncoded)" }

    private func change(to state: IssueState, _ request: String, _ details: (inout JSONWriter) -> Void) -> PendingAction {
        var json = JSONWriter()
        json.beginObject()
        json.field("state", state.name)
        details(&json)
        json.endObject()
        return PendingAction(confirmation: request, method: "PATCH", path: path, body: json.bytes) { "The issue is \($0.text("state")) now." }
    }
}

/// When a muted issue is told of again.
private enum MuteEnd {
    case never
    /// As it was typed: the daemon knows what it means.
    case time(String)
    case count(Int)

    /// Nil for what is none.
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
        case .never: "for good"
        case .time(let text): text.hasPrefix("+") ? "for \(text.dropFirst())" : "until \(text)"
        case .count(let count): "until \(count.of("crash comes", "crashes come")) within a day"
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
    /// Without spaces at its ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}
