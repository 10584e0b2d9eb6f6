// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Terminal

/// One event that came in, whole.
struct LiveEventPane: Pane {
    let title = "Event"
    private let entry: TailEntry
    private let text: String
    private var reading = ScrolledText()

    init(_ entry: TailEntry) {
        self.entry = entry
        text = entry.data.pretty
    }

    func commands(_ view: PaneView) -> Set<DashboardCommand> { DashboardCommand.moves }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneEffect? {
        reading.move(command, in: text, view)
        return nil
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (head, body) = area.inset(1).split(rows: 1)
        frame.rule(title, note: "number \(entry.data.text("seq"))", in: head, Theme.faint, title: Theme.title)
        let rest = facts(view).draw(in: body, leaving: 6, on: &frame)
        reading.draw("As it is kept", text, view, in: rest, on: &frame)
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
                "but": data["flags"].map { $0.elements.map { LiveEventPane.meaning(of: $0.text) }.joined(separator: ", ") },
            ], styles: ["name": entry.line.style, "but": Theme.warning])
    }

    private func moments(_ view: PaneView) -> String? {
        guard let time = entry.line.time else { return nil }
        let local = (view.zone?.local(time) ?? time).rfc3339.prefix(23).replacing("T", with: " ")
        let lag = entry.received.map { ($0 - time).milliseconds / 1_000 } ?? 0
        return lag > 0 ? "\(local), received \(Numbers.duration(seconds: Int(lag))) later" : String(local)
    }

    private static func meaning(of flag: String) -> String {
        switch flag {
        case "late": "it came late"
        case "clock": "its clock was wrong"
        case "corrected": "something in it was corrected"
        default: flag
        }
    }
}
