// SPDX-License-Identifier: Apache-2.0

import API
import Events
import JSON
import Platform
package import Terminal

/// The stream of events, quarantined events and crashes, newest first.
package struct LivePane: Pane {
    package static let name = "Live"
    package static let summary = "Events, quarantined events and crashes as they arrive."

    package static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the event, or the issue of the crash.", when: { !$0.entries($1).isEmpty }) { pane, view in
                pane.list.selected(in: pane.entries(view)).map(LivePane.open)
            },
            PaneKey("n", "name", "Shows only events with certain names.") { pane, view in .prompt(pane.namePrompt(view)) },
            PaneKey("w", "kind", "Shows the next kind: events, quarantined events or crashes.") { pane, _ in
                pane.filter.showNextKind().map { .unavailable($0) }
            },
            PaneKey("f", "filter", "Shows only events that match conditions.") { pane, _ in .prompt(pane.conditionPrompt) },
        ] + PaneKey.list(\.list) { $0.entries($1) }

    /// Completions of the prompt for names.
    private let names = DaemonQuery<RangedResult<TopResult>>(
        "names", "/v1/query/top", [("field", "name"), ("from", "-6d"), ("limit", "50")], every: 60)
    private var filter = LiveFilter()
    private var list = ListState<TailEntry>(id: { $0.id }, text: { "\($0.line.what) \($0.line.who) \($0.line.more)" })

    package func queries(_ options: ViewOptions) -> [PolledQuery] { [names.polled] }

    package func stream(_ view: PaneView) -> ReadRequest? { filter.request(view) }

    package mutating func find(_ text: String) {
        list.find(text)
    }

    private func entries(_ view: PaneView) -> [TailEntry] { view.tail.entries.reversed() }

    // MARK: Prompts

    private func namePrompt(_ view: PaneView) -> Prompt {
        let seen = view.tail.entries.compactMap { if case .event(let event) = $0.content { event.name } else { nil } }
        let known = (view.results.value(names)?.body.items ?? []).map(\.name).filter { $0 != BreakdownName.other }
        let title = "Event names (empty: all)"
        return Prompt(title, "", text: filter.names.joined(separator: " "), words: Set(seen + known).sorted()) { text in
            changed { $0.take(names: text) }
        }
    }

    private var conditionPrompt: Prompt {
        let hint =
            "Conditions such as params.value>=10 or context.platform=ios|android, separated by spaces or ; (empty: all)."
        return Prompt("Conditions", hint, text: filter.conditionText, limit: 2_000) { text in changed { $0.take(conditions: text) } }
    }

    /// Replaces the pane by one with a changed filter, or shows why the filter is invalid.
    private func changed(_ change: (inout LiveFilter) -> String?) -> PaneEffect {
        var other = self
        if let why = change(&other.filter) { return .unavailable(why) }
        return .replace(other)
    }

    private static func open(_ entry: TailEntry) -> PaneEffect {
        switch entry.content {
        case .crash(let crash): .open(IssuePane(id: crash.issue))
        case .quarantine(let record): .open(QuarantinedEventPane(seq: record.seq))
        case .gap: .unavailable("The dashboard read the stream too slowly and missed these events. They are stored and counted.")
        case .event, .unknown: .open(LiveEventPane(entry))
        }
    }

    // MARK: Drawing

    package func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let entries = entries(view)
        let shown = list.items(of: entries)
        let (head, body) = area.inset(1).split(rows: 1)
        let count = shown.isEmpty ? "" : "newest \(Numbers.short(shown.count))"
        frame.rule(title, note: count, in: head, Theme.faint, title: Theme.title)
        let room = LiveStatus(filter: [filter.words, list.note.isEmpty ? nil : list.note]).draw(view, in: body, on: &frame)
        guard !shown.isEmpty else { return Block.say(nothing(view), in: room, on: &frame) }
        LiveList(shown, chosen: list.index(in: entries)).draw(view, in: room, on: &frame)
    }

    private func nothing(_ view: PaneView) -> String {
        if view.tail.error != nil { return "" }
        if view.tail.request == nil { return "…" }
        if !view.tail.entries.isEmpty { return "No match for «\(list.searchText)»; / changes the search." }
        return filter.words == nil
            ? "No events yet: POST /v1/events." : "No recent events match; n, w and f change the filter."
    }

    package func sheet(_ view: PaneView) -> Sheet? {
        let rows = list.items(of: entries(view)).map { entry in
            let line = entry.line
            return [line.time?.rfc3339 ?? "", entry.kind, line.what, line.who, line.more, String(decoding: entry.json.json, as: UTF8.self)]
        }
        return Sheet(["time", "kind", "name", "who", "details", "json"], rows)
    }
}
