// SPDX-License-Identifier: Apache-2.0

import JSON
import Messaging
import Platform
import Terminal

/// One message on its way to one device, with every attempt.
struct DeliveryPane: Pane {
    static let name = "Delivery"
    static let summary = "One delivery with every attempt."

    static let keys: [PaneKey<Self>] =
        [.retry { $0.delivery($1) }]
        + PaneKey.moves(when: { $0.delivery($1)?.attempts.isEmpty == false }) { pane, move, view in
            pane.selection.move(move, in: pane.delivery(view).map { pane.numbers($0) } ?? [])
        }

    private let query: DaemonQuery<DeliveryResponse>
    private var selection = Selection()
    private let gone = "It is not kept any more."

    init(id: String) {
        query = DaemonQuery("delivery", "/v1/deliveries/\(id.percentEncoded)")
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [query.polled] }

    private func delivery(_ view: PaneView) -> DeliveryResponse? { view.results.value(query) }

    /// Which attempt each row is, the newest first.
    private func numbers(_ delivery: DeliveryResponse) -> [String] {
        delivery.attempts.indices.reversed().map { String($0 + 1) }
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = delivery(view)
        guard let body = Block.open("Delivery", "", query, view, in: area.inset(1), on: &frame, missing: gone), let found else { return }
        let (head, list) = facts(found, view).draw(in: body, leaving: 4, on: &frame).split(rows: 1)
        frame.rule("Attempts", note: found.attempts.isEmpty ? "" : "the newest first", in: head, Theme.faint, title: Theme.title)
        guard !found.attempts.isEmpty else {
            return Block.say(found.url == nil ? "A stream is read; nothing is tried." : "Not tried yet.", in: list, on: &frame)
        }
        let attempts = Array(found.attempts.reversed())
        let columns = [
            Table.Column("", .right), Table.Column("at"), Table.Column("ms", .right), Table.Column("status", .right), Table.Column("error"),
            Table.Column("answer", isFlexible: true),
        ]
        let numbers = numbers(found)
        let cells = zip(numbers, attempts).map { number, attempt in
            [
                number, view.moment(attempt.at), Numbers.short(attempt.milliseconds), attempt.status.map(String.init) ?? "–",
                attempt.error ?? "", attempt.answer,
            ]
        }
        SelectableTable(columns, cells, chosen: selection.index(in: numbers)) { attempts[$0].isTaken ? Theme.good : Theme.warning }.draw(
            in: list, on: &frame)
    }

    private func facts(_ delivery: DeliveryResponse, _ view: PaneView) -> FieldList {
        FieldList(
            [
                "id": delivery.id, "state": delivery.state, "device": delivery.token.map { ShortName.token($0) } ?? "gone",
                "goes to": delivery.url.map { ShortName.origin($0) } ?? "its stream", "tries": Numbers.short(delivery.tries),
                "next try": delivery.dueAt.map { view.moment($0) }, "changed": view.moment(delivery.changedAt),
            ], styles: ["state": DeliveryState(name: delivery.state)?.style ?? .plain])
    }
}

extension DeliveryResponse {
    private static let retried: [DeliveryState] = [.dead, .retrying, .pending]

    /// Once more, now.
    func retry(_ view: PaneView) -> PaneEffect {
        if let why = view.whyNotSend { return .unavailable(why) }
        guard url != nil else { return .unavailable("A stream's reader comes by itself: there is nothing to try again.") }
        guard DeliveryResponse.retried.contains(where: { $0.name == state }) else {
            return .unavailable("A delivery that is \(state) is not tried again; those that are dead or retrying can be.")
        }
        let device = token.map { ShortName.token($0) } ?? "that is gone"
        return .confirm(
            PendingAction(
                confirmation: "Try this delivery to the device \(device) again now? It is \(state).",
                path: "/v1/deliveries/\(id.percentEncoded)/retry"
            ) { "It is being tried again, and is \($0.text("state")) now." })
    }
}

extension PaneKey {
    /// The key that retries a delivery.
    static func retry(_ delivery: @escaping @Sendable (Owner, PaneView) -> DeliveryResponse?) -> PaneKey {
        PaneKey("R", "retry", "Retries the delivery; asks first.", when: { delivery($0, $1) != nil }) { delivery($0, $1)?.retry($1) }
    }
}
