// SPDX-License-Identifier: Apache-2.0

import API
import JSON
import Platform
import Terminal

/// One event of the stream, or an entry that only a newer terminal can read.
struct LiveEventPane: Pane {
    static let name = "Event"
    static let summary = "One event as it is stored."

    static let keys: [PaneKey<Self>] = PaneKey.moves(when: { _, _ in true }) { $0.scrolled.move($1, in: $0.text, $2) }

    private let entry: TailEntry
    private let text: String
    private var scrolled = ScrolledText()

    init(_ entry: TailEntry) {
        self.entry = entry
        text = entry.json.pretty
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (head, body) = area.inset(1).split(rows: 1)
        frame.rule(title, note: event.map { "number \($0.seq)" } ?? entry.kind, in: head, Theme.faint, title: Theme.title)
        let rest = facts(view).draw(in: body, leaving: 6, on: &frame)
        scrolled.draw("JSON", text, view, in: rest, on: &frame)
    }

    private var event: EventResponse? {
        if case .event(let event) = entry.content { event } else { nil }
    }

    private func facts(_ view: PaneView) -> FieldList {
        FieldList(
            [
                "name": entry.line.what, "at": moments(view), "user": event?.userId, "device": event?.installationId,
                "session": event?.sessionId, "params": values("params"), "context": values("context"),
                "flags": event?.flags.map { $0.map(LiveEventPane.meaning).joined(separator: ", ") },
            ], styles: ["name": entry.line.style, "flags": Theme.warning])
    }

    /// Values in the order and spelling of the app.
    private func values(_ name: String) -> String? {
        let values = (entry.json[name]?.fields ?? []).map { "\($0.name) \($0.value.text)" }
        return values.isEmpty ? nil : values.joined(separator: " · ")
    }

    private func moments(_ view: PaneView) -> String? {
        guard let time = entry.line.time else { return nil }
        let local = (view.zone?.local(time) ?? time).rfc3339.prefix(23).replacing("T", with: " ")
        let lag = entry.received.map { ($0 - time).milliseconds / 1_000 } ?? 0
        return lag > 0 ? "\(local), received \(Numbers.duration(seconds: Int(lag))) later" : String(local)
    }

    private static func meaning(of flag: Named<EventResponse.Flag>) -> String {
        switch flag {
        case .known(.clock): "wrong device clock"
        case .known(.withdrawn): "withdrawn by a trusted purchase"
        case .known(.late), .known(.corrected), .known(.trusted), .unknown: flag.name
        }
    }
}
