// SPDX-License-Identifier: Apache-2.0

import API
import Messaging
import Platform
import Terminal

/// A delivery with its attempts.
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
    private let notFoundText = "It is no longer stored."

    init(id: String) {
        query = DaemonQuery("delivery", "/v1/deliveries/\(id.percentEncoded)")
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [query.polled] }

    private func delivery(_ view: PaneView) -> DeliveryResponse? { view.results.value(query) }

    /// The numbers of the attempts, newest first.
    private func numbers(_ delivery: DeliveryResponse) -> [String] {
        delivery.attempts.indices.reversed().map { String($0 + 1) }
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = delivery(view)
        guard let body = Block.open("Delivery", "", query, view, in: area.inset(1), on: &frame, missing: notFoundText), let found else { return }
        let (head, list) = facts(found, view).draw(in: body, leaving: 4, on: &frame).split(rows: 1)
        frame.rule("Attempts", note: found.attempts.isEmpty ? "" : "newest first", in: head, Theme.faint, title: Theme.title)
        guard !found.attempts.isEmpty else {
            return Block.say(found.url == nil ? "The device reads its stream; there are no attempts." : "No attempts yet.", in: list, on: &frame)
        }
        let attempts = Array(found.attempts.reversed())
        let columns = [
            Table.Column("", .right), Table.Column("at"), Table.Column("ms", .right), Table.Column("status", .right), Table.Column("error"),
            Table.Column("response", isFlexible: true),
        ]
        let numbers = numbers(found)
        let cells = zip(numbers, attempts).map { number, attempt in
            [
                number, view.moment(attempt.at), Numbers.short(attempt.milliseconds), attempt.status.map(String.init) ?? "–",
                attempt.error ?? "", attempt.firstLine,
            ]
        }
        SelectableTable(columns, cells, chosen: selection.index(in: numbers)) { attempts[$0].isTaken ? Theme.good : Theme.warning }.draw(
            in: list, on: &frame)
    }

    private func facts(_ delivery: DeliveryResponse, _ view: PaneView) -> FieldList {
        FieldList(
            [
                "id": delivery.id, "state": delivery.state.name, "device": delivery.token.map { ShortName.token($0) } ?? "gone",
                "endpoint": delivery.url.map { ShortName.origin($0) } ?? "stream", "tries": Numbers.short(delivery.tries),
                "next attempt": delivery.dueAt.map { view.moment($0) }, "changed": view.moment(delivery.changedAt),
            ], styles: ["state": delivery.state.style])
    }
}

extension DeliveryResponse {
    private static let retried: [DeliveryState] = [.dead, .retrying, .pending]

    /// Retries the delivery now.
    func retry(_ view: PaneView) -> PaneEffect {
        if let why = view.whyNotSend { return .unavailable(why) }
        guard url != nil else { return .unavailable("A stream cannot be retried: the device reads it itself.") }
        guard DeliveryResponse.retried.contains(where: { state == .known($0) }) else {
            return .unavailable("A \(state.name) delivery cannot be retried; dead and retrying ones can.")
        }
        let device = token.map { ShortName.token($0) } ?? "(removed)"
        return .confirm(
            PendingAction(
                confirmation: "Retry the \(state.name) delivery to device \(device) now?",
                path: "/v1/deliveries/\(id.percentEncoded)/retry"
            ) { (retried: DeliveryResponse) in "Retrying: the delivery is \(retried.state)." })
    }
}

extension PaneKey {
    /// The key that retries a delivery.
    static func retry(_ delivery: @escaping @Sendable (Owner, PaneView) -> DeliveryResponse?) -> PaneKey {
        PaneKey("R", "retry", "Retries the delivery; asks first.", when: { delivery($0, $1) != nil }) { delivery($0, $1)?.retry($1) }
    }
}
