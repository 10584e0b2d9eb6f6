// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Terminal

/// One event of the stream.
struct LiveEventPane: Pane {
    static let name = "Event"
    static let summary = "One event as it is stored."

    static let keys: [PaneKey<Self>] = PaneKey.moves(when: { _, _ in true }) { $0.scrolled.move($1, in: $0.text, $2) }

    private let entry: TailEntry
    private let text: String
    private var scrolled = ScrolledText()

    init(_ entry: TailEntry) {
        self.entry = entry
        text = entry.data.pretty
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (head, body) = area.inset(1).split(rows: 1)
        frame.rule(title, note: "number \(entry.data.text("seq"))", in: head, Theme.faint, title: Theme.title)
        let rest = facts(view).draw(in: body, leaving: 6, on: &frame)
        scrolled.draw("JSON", text, view, in: rest, on: &frame)
    }

    private func facts(_ view: PaneView) -> FieldList {
        let data = entry.data
        let context = (data["context"]?.fields ?? []).map { "\($0.name) \($0.value.text)" }
        let params = (data["params"]?.fields ?? []).map { "\($0.name) \($0.value.text)" }
        return FieldList(
            [
                "name": entry.line.what, "at": moments(view), "user": data["user_id"]?.text, "device": data["installation_id"]?.text,
                "session": data["session_id"]?.text, "params": params.isEmpty ? nil : params.joined(separator: " · "),
                "context": context.isEmpty ? nil : context.joined(separator: " · "),
                "flags": data["flags"].map { $0.elements.map { LiveEventPane.meaning(of: $0.text) }.joined(separator: ", ") },
            ], styles: ["name": entry.line.style, "flags": Theme.warning])
    }

    private func moments(_ view: PaneView) -> String? {
        guard let time = entry.line.time else { return nil }
        let local = (view.zone?.local(time) ?? time).rfc3339.prefix(23).replacing("T", with: " ")
        let lag = entry.received.map { ($0 - time).milliseconds / 1_000 } ?? 0
        return lag > 0 ? "\(local), received \(Numbers.duration(seconds: Int(lag))) later" : String(local)
    }

    private static func meaning(of flag: String) -> String {
        switch flag {
        case "late": "late"
        case "clock": "wrong device clock"
        case "corrected": "corrected"
        default: flag
        }
    }
}
