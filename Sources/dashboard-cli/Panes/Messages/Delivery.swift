// SPDX-License-Identifier: Apache-2.0

import JSON
import Messaging
import Platform
import Terminal

/// One message on its way to one device, with every attempt.
struct DeliveryPane: Pane {
    let title = "Delivery"
    private let delivery: DaemonQuery<DeliveryResponse>
    private var choice = Selection()
    private let gone = "It is not kept any more."

    init(id: String) {
        delivery = DaemonQuery("delivery", "/v1/deliveries/\(id.percentEncoded)")
    }

    func commands(_ view: PaneView) -> Set<DashboardCommand> {
        guard let found = view.answers.value(delivery) else { return [] }
        return found.attempts.isEmpty ? [.again] : DashboardCommand.moves.union([.again])
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [delivery.polled] }

    mutating func perform(_ command: DashboardCommand, _ view: PaneView) -> PaneEffect? {
        guard let delivery = view.answers.value(delivery) else { return nil }
        if command == .again { return delivery.retry(view) }
        choice.move(command, in: numbers(delivery))
        return nil
    }

    /// Which attempt each row is, the newest first.
    private func numbers(_ delivery: DeliveryResponse) -> [String] {
        delivery.attempts.indices.reversed().map { String($0 + 1) }
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = view.answers.value(delivery)
        guard let body = Block.open("Delivery", "", delivery, view, in: area.inset(1), on: &frame, missing: gone), let found else { return }
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
        SelectableTable(columns, cells, chosen: choice.index(in: numbers)) { attempts[$0].isTaken ? Theme.good : Theme.warning }.draw(
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
        if let why = view.whyNotSend { return .refuse(why) }
        guard url != nil else { return .refuse("A stream's reader comes by itself: there is nothing to try again.") }
        guard DeliveryResponse.retried.contains(where: { $0.name == state }) else {
            return .refuse("A delivery that is \(state) is not tried again; those that are dead or retrying can be.")
        }
        let device = token.map { ShortName.token($0) } ?? "that is gone"
        return .ask(
            PendingAction(
                confirmation: "Try this delivery to the device \(device) again now? It is \(state).",
                path: "/v1/deliveries/\(id.percentEncoded)/retry"
            ) { "It is being tried again, and is \($0.text("state")) now." })
    }
}
