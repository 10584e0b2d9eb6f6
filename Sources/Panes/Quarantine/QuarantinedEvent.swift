// SPDX-License-Identifier: Apache-2.0

import API
import JSON
import Terminal

/// A quarantined event: reason, fix and original JSON.
struct QuarantinedEventPane: Pane {
    static let name = "Quarantined event"
    static let summary = "One quarantined event: the reason, the fix and the original JSON."

    static let keys: [PaneKey<Self>] =
        [
            PaneKey("P", "replay", "Replays the event; asks first.", when: { $0.item($1) != nil }) { pane, view in
                pane.item(view).map { Replay.one($0).effect(view) }
            }
        ]
        + PaneKey.moves(when: { $0.item($1) != nil }) { pane, move, view in
            pane.scrolled.move(move, in: pane.item(view)?.text ?? "", view)
        }

    private let seq: Int64
    private let quarantined: DaemonQuery<QuarantineResponse>
    private var scrolled = ScrolledText()

    init(seq: Int64) {
        self.seq = seq
        // The daemon returns items before a sequence number, newest first.
        quarantined = DaemonQuery("refused", "/v1/quarantine", [("limit", "1"), ("after", String(seq + 1))], every: 10)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [quarantined.polled] }

    private func item(_ view: PaneView) -> QuarantinedResponse? {
        view.results.value(quarantined)?.items.first { $0.seq == seq }
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let body = Block.open(title, "number \(seq)", quarantined, view, in: area.inset(1), on: &frame) else { return }
        guard let item = item(view) else {
            return Block.say("No longer in quarantine: it was replayed, its person was erased, or it expired.", in: body, on: &frame)
        }
        let messageRows = frame.paragraph(item.message, in: body.split(rows: 2).top, Theme.bad)
        var rest = body.split(rows: messageRows).rest
        if let fix = item.fix { rest = rest.split(rows: frame.paragraph(fix, in: rest.split(rows: 3).top)).rest }
        rest = facts(item, view).draw(in: rest, leaving: 5, on: &frame)
        scrolled.draw("Original", item.text, view, in: rest, on: &frame)
    }

    private func facts(_ item: QuarantinedResponse, _ view: PaneView) -> FieldList {
        let body = view.results[quarantined.request].body.flatMap { try? JSONValue($0) }
        let envelope = (body?["items"]?.elements.first?["envelope"]?.fields ?? []).map { "\($0.name) \($0.value.text)" }
        return FieldList([
            "reason": item.code + (item.number.map { " (Firebase's error \($0))" } ?? ""), "field": item.field,
            "received": "\(view.moment(item.receivedAt)), source \(item.source)", "happened": item.timestamp.map { view.moment($0) }, "id": item.id,
            "request": envelope.isEmpty ? nil : envelope.joined(separator: " · "),
        ])
    }
}

extension QuarantinedResponse {
    private var json: JSONValue? { try? JSONValue(Array(raw.utf8)) }

    /// The name of the event, if any.
    var name: String { json?["name"]?.text ?? "" }

    /// Indented JSON, or the raw text if it is not JSON.
    var text: String { json?.pretty ?? raw }
}
