// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Messaging
import Platform
import Terminal

/// The delivery states of the newest messages, problems first.
struct MessagesBlock {
    private let query: DaemonQuery<Page<MessageResponse>>

    init(_ query: DaemonQuery<Page<MessageResponse>>) {
        self.query = query
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let items = view.results.value(query)?.items ?? []
        guard let body = Block.open("Messages", items.isEmpty ? "" : "newest \(items.count)", query, view, in: area, on: &frame) else { return }
        guard !items.isEmpty else { return Block.say("No messages yet.", in: body, on: &frame) }
        let alert = MessagesBlock.alert(among: items, view)
        let (top, rest) = body.split(rows: alert == nil ? 0 : 1)
        if let alert { frame.text(alert, in: top, Theme.warning) }
        let counts = MessagesBlock.counts(items)
        guard !counts.isEmpty else { return Block.say("No deliveries.", in: rest, on: &frame) }
        for (row, (word, count, style)) in counts.prefix(rest.height).enumerated() {
            let line = Rect(rest.x, rest.y + row, rest.width, 1)
            let text = Numbers.short(count)
            frame.text(word, in: line.split(columns: line.width - text.width - 1).left, style)
            frame.text(text, in: line, .bold, .right)
        }
    }

    private static func counts(_ items: [MessageResponse]) -> [(word: String, count: Int, style: Style)] {
        let words: [(String, [DeliveryState], Style)] = [
            ("dead", [.dead], DeliveryState.dead.style), ("retrying", [.retrying], DeliveryState.retrying.style),
            ("waiting", [.pending, .sending], .plain), ("delivered", [.delivered, .sent], DeliveryState.delivered.style),
        ]
        return words.map { word, states, style in
            (word, items.reduce(0) { sum, item in sum + states.reduce(0) { $0 + item.count($1) } }, style)
        }.filter { $0.count > 0 }
    }

    /// The newest alert of the last 24 hours.
    private static func alert(among items: [MessageResponse], _ view: PaneView) -> String? {
        let isRecent = { (item: MessageResponse) in item.moment.time > view.now - .days(1) }
        guard let alert = items.first(where: { $0.isAlert && isRecent($0) }) else { return nil }
        return "\(view.clock(alert.moment.time)) \(alert.text ?? alert.notification?.value.title ?? alert.receivers)"
    }
}
