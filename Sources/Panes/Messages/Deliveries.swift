// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Messaging
import Platform
import Terminal

/// Deliveries of all messages or of one, in all states or in one.
struct DeliveriesPane: Pane {
    static let name = "Deliveries"
    static let summary = "Deliveries to devices, with their last attempt."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the delivery.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view).map { .open(DeliveryPane(id: $0.id)) }
            },
            PaneKey("f", "state", "Shows the deliveries in the next state.") { pane, _ in
                pane.state = filters.next(after: pane.state)
                pane.list.startOver()
                return nil
            },
            PaneKey("d", "device", "Shows only the deliveries to one device, or to all.") { pane, view in
                pane.device = pane.device == nil ? pane.selected(view)?.device : nil
                pane.list.startOver()
                return nil
            },
        ]
        + PaneKey.list(\.list, hasMore: { $0.deliveries.hasMore($0.list.pages, $1) }) { $0.items($1) } + [.retry { $0.selected($1) }]

    private let message: String?
    private var state: DeliveryState?
    /// The number of a device's registration.
    private var device: String?
    private var list = ListState<DeliveryResponse>(
        id: \.id,
        text: {
            [$0.id, $0.state.name, $0.token.map { ShortName.token($0) }, $0.url.map { ShortName.origin($0) }, $0.said].compactMap(\.self).joined(
                separator: "\n")
        },
        orders: [.init("time") { $1.changedAt.time < $0.changedAt.time }, .init("tries") { $1.tries < $0.tries }])

    init(message: String? = nil, state: DeliveryState? = nil) {
        self.message = message
        self.state = state
    }

    private var deliveries: PagedQuery<Page<DeliveryResponse>> {
        let filters = [("message", message), ("device", device), ("state", state?.name)].compactMap { name, value in value.map { (name, $0) } }
        return PagedQuery(DaemonQuery("deliveries", "/v1/deliveries", [("limit", "100")] + filters), id: \.id)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [deliveries.first(list.pages)] }

    func followUps(_ view: PaneView) -> [PolledQuery] { deliveries.further(list.pages, view) }

    mutating func find(_ text: String) {
        list.find(text)
    }

    /// The states in the order of the key `f`.
    private static let filters: [DeliveryState] = [.dead, .retrying, .pending, .sending, .sent, .delivered, .expired, .cancelled, .removed]

    private func selected(_ view: PaneView) -> DeliveryResponse? { list.selected(in: items(view)) }

    private func items(_ view: PaneView) -> [DeliveryResponse] { deliveries.items(list.pages, view) }

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(deliveries.query).map { _ in DeliveriesPane.sheet(list.items(of: items(view))) }
    }

    func sheetPages(_ view: PaneView) -> SheetPages? { deliveries.sheets(DeliveriesPane.sheet) }

    private static func sheet(_ deliveries: [DeliveryResponse]) -> Sheet {
        let rows = deliveries.map { delivery in
            let last = delivery.attempts.last
            return [
                delivery.changedAt.time.rfc3339, delivery.id, delivery.message, delivery.state.name, "\(delivery.tries)",
                delivery.token.map { ShortName.token($0) } ?? "", delivery.url.map { ShortName.origin($0) } ?? "", last?.status.map { "\($0)" } ?? "",
                last?.error ?? "",
            ]
        }
        return Sheet(["changed_at", "id", "message", "state", "tries", "device", "goes_to", "last_status", "last_error"], rows)
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let all = items(view)
        let items = list.items(of: all)
        let note = [state?.name ?? "all", device == nil ? "" : "one device", list.note(of: deliveries, "newest", view)].filter { !$0.isEmpty }.joined(
            separator: " · ")
        let heading = message.map { "Deliveries of \($0)" } ?? title
        guard let body = Block.open(heading, note, deliveries.query, view, in: area.inset(1), on: &frame) else { return }
        let nothing = "No \(state.map { "\($0.name) " } ?? "")deliveries."
        guard !items.isEmpty else { return Block.say(all.isEmpty ? nothing : list.whyEmpty ?? nothing, in: body, on: &frame) }
        SelectableTable(columns, items.map { cells($0, view) }, chosen: list.index(in: all)) { row in
            items[row].state.style
        }.draw(in: body, on: &frame)
    }

    private var columns: [Table.Column] {
        [
            Table.Column("changed"), Table.Column("state"), Table.Column("tries", .right), Table.Column("device"),
            Table.Column("endpoint", isFlexible: true), Table.Column("last response", isFlexible: true),
        ] + (message == nil ? [Table.Column("message")] : [])
    }

    private func cells(_ delivery: DeliveryResponse, _ view: PaneView) -> [String] {
        [
            view.moment(delivery.changedAt), delivery.state.name, Numbers.short(delivery.tries), delivery.token.map { ShortName.token($0) } ?? "gone",
            delivery.url.map { ShortName.origin($0) } ?? "stream", delivery.said,
        ] + (message == nil ? [ShortName.message(delivery.message)] : [])
    }
}

extension DeliveryResponse {
    /// The number of the device's registration, with which the ID ends.
    fileprivate var device: String? { id.utf8.lastIndex(of: UInt8(ascii: "_")).map { String(id[$0...].dropFirst()) } }

    /// Status, error and response of the last attempt.
    fileprivate var said: String {
        let last = attempts.last
        return [last?.status.map(String.init), last?.error, last?.firstLine].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
