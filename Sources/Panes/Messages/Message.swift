// SPDX-License-Identifier: Apache-2.0

import API
import Messaging
import Platform
import Terminal

/// A message: content, audience, and deliveries by state.
struct MessagePane: Pane {
    static let name = "Message"
    static let summary = "One message: content, audience and deliveries by state."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Lists the deliveries in the selected state.", when: isLoaded) { pane, view in
                guard let message = pane.message(view), let index = pane.index(view) else { return nil }
                return .open(DeliveriesPane(message: message.id, state: pane.rows(message)[index].state))
            }, .redrive { $0.message($1) },
            .cancel { $0.message($1) },
        ]
        + PaneKey.moves(when: isLoaded) { pane, move, view in
            pane.selection.move(move, in: pane.message(view).map { pane.rows($0).map(\.name) } ?? [])
        }

    private static let isLoaded: PaneKey<Self>.Condition = { $0.message($1) != nil }

    private let id: String
    private let query: DaemonQuery<MessageResponse>
    private var selection = Selection()
    private let notFoundText = "It is no longer stored."

    init(id: String) {
        self.id = id
        query = DaemonQuery("message", "/v1/messages/\(id.percentEncoded)", every: 3)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [query.polled] }

    private func message(_ view: PaneView) -> MessageResponse? { view.results.value(query) }

    private func index(_ view: PaneView) -> Int? { message(view).flatMap { selection.index(in: rows($0).map(\.name)) } }

    private typealias Row = (state: DeliveryState?, name: String, count: Int)

    /// All deliveries, and those in each state that occurs.
    private func rows(_ message: MessageResponse) -> [Row] {
        let states: [Row] = DeliveryState.inOrder.map { ($0, $0.name, message.count($0)) }.filter { $0.count > 0 }
        return [(nil, "all", states.reduce(0) { $0 + $1.count })] + states
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = message(view)
        guard let body = Block.open("Message \(id)", "", query, view, in: area.inset(1), on: &frame, missing: notFoundText), let found else {
            return
        }
        let (bar, rest) = facts(found, view).draw(in: body, leaving: 5, on: &frame).split(rows: 1)
        found.progress.draw(in: bar, on: &frame)
        let (head, list) = rest.split(rows: 1)
        frame.rule("Deliveries", in: head, Theme.faint, title: Theme.title)
        let rows = rows(found)
        let cells = rows.map { [$0.state.map { String($0.glyph) } ?? "", $0.name, Numbers.grouped(Double($0.count))] }
        let table = SelectableTable(
            [Table.Column(""), Table.Column("state"), Table.Column("deliveries", .right)], cells, chosen: selection.index(in: rows.map(\.name))
        ) { rows[$0].state?.style ?? .bold }
        table.draw(in: list, on: &frame)
    }

    /// The fields of the message.
    private func facts(_ message: MessageResponse, _ view: PaneView) -> FieldList {
        let data = message.data.map { $0.value.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") }
        let names = [message.label, message.collapseKey.map { "collapse key \($0)" }].compactMap(\.self)
        let planned = message.sendAt.map { "\(message.neverSent ? "not sent; was scheduled for" : "scheduled for") \(view.moment($0))" }
        let sent = message.sentAt.map { view.moment($0) } ?? planned ?? "not yet"
        return FieldList([
            "to": message.receivers, "title": message.notification?.value.title, "body": message.notification?.value.body ?? message.text,
            "data": data,
            "label": names.isEmpty ? nil : names.joined(separator: ", "), "stage": "\(message.stage.name), priority \(message.priority.name)",
            "sent": "\(sent), expires \(view.moment(message.expiresAt))", "audience": audience(message),
        ])
    }

    /// Devices, and how many people received and opened the message.
    private func audience(_ message: MessageResponse) -> String {
        let devices = "\(Numbers.grouped(Double(message.audience))) \(message.audience == 1 ? "device" : "devices")"
        guard let received = message.received, let opened = message.opened else { return devices }
        return "\(devices) · \(Numbers.grouped(Double(received))) received, \(Numbers.grouped(Double(opened))) opened"
    }
}

extension MessageResponse {
    /// Redrives all dead deliveries.
    func redrive(_ view: PaneView) -> PaneEffect {
        if let why = view.whyNotSend { return .unavailable(why) }
        let dead = count(.dead)
        guard dead > 0 else { return .unavailable("The message has no dead deliveries.") }
        let what = "\(Numbers.short(dead)) dead \(dead == 1 ? "delivery" : "deliveries")"
        return .confirm(
            PendingAction(
                confirmation: "Retry \(what) of message \(id) from the first attempt?", path: "/v1/messages/\(id.percentEncoded)/redrive"
            ) { (result: RedriveResponse) in
                "Redriven: \(result.redriven) of \(what)."
            })
    }
}

extension MessageResponse {
    private static let cancellable: [MessageStage] = [.scheduled, .spreading, .spread]

    /// Withdraws what has not been sent.
    func cancel(_ view: PaneView) -> PaneEffect {
        if let why = view.whyNotSend { return .unavailable(why) }
        guard MessageResponse.cancellable.contains(where: { stage == .known($0) }) else {
            return .unavailable("A message in the stage \(stage.name) cannot be cancelled.")
        }
        let what = sentAt == nil && stage == .known(.scheduled) ? "It is not sent then." : "Deliveries that are not sent yet are dropped."
        return .confirm(
            PendingAction(
                confirmation: "Cancel message \(id) to \(receivers)? \(what)", method: "DELETE", path: "/v1/messages/\(id.percentEncoded)",
                outcome: "Message cancelled."))
    }
}

extension PaneKey {
    /// The key that cancels a message.
    static func cancel(_ message: @escaping @Sendable (Owner, PaneView) -> MessageResponse?) -> PaneKey {
        PaneKey("X", "cancel", "Cancels the message; asks first.", when: { message($0, $1) != nil }) { message($0, $1)?.cancel($1) }
    }

    /// The key that redrives the dead deliveries of a message.
    static func redrive(_ message: @escaping @Sendable (Owner, PaneView) -> MessageResponse?) -> PaneKey {
        PaneKey("R", "retry", "Retries the dead deliveries of the message; asks first.", when: { message($0, $1) != nil }) {
            message($0, $1)?.redrive($1)
        }
    }
}
