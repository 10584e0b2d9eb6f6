// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Messaging
import Platform
import Terminal

/// The devices that subscribe to a topic.
struct SubscribersPane: Pane {
    static let name = "Subscribers"
    static let summary = "The devices that subscribe to a topic."

    static let keys: [PaneKey<Self>] =
        PaneKey.list(\.list, hasMore: { $0.devices.hasMore($0.list.pages, $1) }) { $0.items($1) } + [
            PaneKey("T", "test", "Sends a test message to the topic; asks first.") { pane, view in TestMessage(view).effect(to: pane.topic) }
        ]

    private let topic: String
    private let devices: PagedQuery<Page<DeviceResponse>>
    private var list = ListState<DeviceResponse>(
        id: \.token,
        text: { [$0.token, $0.platform.name, $0.state.name, $0.appVersion, $0.userId, $0.goesTo].compactMap(\.self).joined(separator: "\n") },
        orders: [
            .init("seen") { $1.seenAt.time < $0.seenAt.time }, .init("platform") { ($0.platform.name, $0.token) < ($1.platform.name, $1.token) },
            .init("user") { ($0.userId ?? "", $0.token) < ($1.userId ?? "", $1.token) },
        ])
    private let emptyText = "No subscribers."

    init(topic: String) {
        self.topic = topic
        let query = DaemonQuery<Page<DeviceResponse>>(
            "subscribers", "/v1/topics/\(topic.percentEncoded)/subscribers", [("limit", "100")], every: 5)
        devices = PagedQuery(query, id: \.token)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [devices.first(list.pages), TopicsPane.query.polled] }

    func followUps(_ view: PaneView) -> [PolledQuery] { devices.further(list.pages, view) }

    mutating func find(_ text: String) {
        list.find(text)
    }

    private func items(_ view: PaneView) -> [DeviceResponse] { devices.items(list.pages, view) }

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(devices.query).map { _ in SubscribersPane.sheet(list.items(of: items(view))) }
    }

    func sheetPages(_ view: PaneView) -> SheetPages? { devices.sheets(SubscribersPane.sheet) }

    private static func sheet(_ devices: [DeviceResponse]) -> Sheet {
        let rows = devices.map { device in
            [
                ShortName.token(device.token), device.state.name, "\(device.stale)", device.platform.name, device.goesTo, device.seenAt.time.rfc3339,
                device.appVersion ?? "", device.userId ?? "",
            ]
        }
        return Sheet(["token", "state", "stale", "platform", "goes_to", "seen_at", "app_version", "user_id"], rows)
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let all = items(view)
        let items = list.items(of: all)
        let note = list.note(of: devices, "first", view)
        guard let body = Block.open("Subscribers of \(topic)", note, devices.query, view, in: area.inset(1), on: &frame, missing: emptyText) else {
            return
        }
        guard !items.isEmpty else { return Block.say(list.whyEmpty ?? emptyText, in: body, on: &frame) }
        let columns = [
            Table.Column("token"), Table.Column("state"), Table.Column("platform"), Table.Column("endpoint", isFlexible: true),
            Table.Column("seen"), Table.Column("version"), Table.Column("user", isFlexible: true),
        ]
        let cells = items.map { device in
            [
                ShortName.token(device.token), device.stale ? "\(device.state.name), stale" : device.state.name, device.platform.name, device.goesTo,
                view.moment(device.seenAt), device.appVersion ?? "", device.userId ?? "",
            ]
        }
        SelectableTable(columns, cells, chosen: list.index(in: all)) { row in
            items[row].state == .known(.active) ? .plain : Theme.warning
        }.draw(in: body, on: &frame)
    }
}

extension DeviceResponse {
    fileprivate var goesTo: String { endpoint.url.map { ShortName.origin($0) } ?? endpoint.type.name }
}
