// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// The values of a field and their shares.
struct ShareList: Sendable {
    let title: String
    let query: TopQuery

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let items = view.results.value(query)?.body.items ?? []
        let note = items.count > area.height - 1 ? "first \(max(0, area.height - 1))" : ""
        guard let body = Block.open(title, note, query, view, in: area, on: &frame) else { return }
        guard !items.isEmpty else { return Block.say("No data in this range.", in: body, on: &frame) }
        let all = items.reduce(0) { $0 + $1.value.number }
        let shown = items.prefix(body.height)
        let counts = shown.map { Numbers.short($0.value.number) }
        let width = counts.map(\.width).max() ?? 0
        for (row, (item, count)) in zip(shown, counts).enumerated() {
            let (left, right) = Rect(body.x, body.y + row, body.width, 1).split(columns: body.width - width - 8)
            frame.text(count, in: right.split(columns: width).left, .bold, .right)
            frame.text(Numbers.percent(all > 0 ? item.value.number / all : 0), in: right, Theme.faint, .right)
            let (name, bar) = left.split(columns: left.width * 3 / 5)
            frame.text(item.name, in: name.split(columns: name.width - 1).left, item.name == BreakdownName.other ? Theme.faint : .plain)
            frame.bar(item.value.number, of: all, in: bar.split(columns: bar.width - 1).left, Theme.bars)
        }
    }
}
