// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// Charts and bars of an issue.
enum IssueBlocks {
    /// Crashes by day in the app's time zone, today last.
    static func days(_ issue: IssueResponse, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        let days = issue.series ?? []
        let values = days.map { Double($0.value) }
        let note = "today \(Numbers.short(values.last ?? 0)) · peak \(Numbers.short(values.max() ?? 0))"
        let (head, body) = area.split(rows: 1)
        frame.rule("Crashes by day", note: note, in: head, Theme.faint, title: Theme.title)
        guard let first = days.first, let last = days.last else { return }
        guard body.height < 2 else {
            let ends = [first, last].map { String((view.zone?.local($0.t.time) ?? $0.t.time).rfc3339.prefix(10).dropFirst(5)) }
            return AreaChart(values, from: ends[0], to: ends[1]).draw(in: body, on: &frame, Theme.chart, axis: Theme.faint)
        }
        frame.sparkline(values, in: body.split(rows: 1).top, Theme.chart)
    }

    /// Releases, systems and devices, side by side.
    static func shares(_ issue: IssueResponse) -> [(weight: Int, draw: PaneRow.Draw)] {
        [("Releases", issue.releases), ("Systems", issue.osVersions), ("Devices", issue.devices)].map { title, shares in
            (1, { _, place, frame in draw(title, shares ?? [], in: place, on: &frame) })
        }
    }

    private static func draw(_ title: String, _ shares: [IssueResponse.Share], in area: Rect, on frame: inout Frame) {
        let (head, body) = area.split(rows: 1)
        frame.rule(title, note: shares.count > body.height ? "\(shares.count)" : "", in: head, Theme.faint, title: Theme.title)
        guard !shares.isEmpty else { return Block.say("Unknown.", in: body, on: &frame) }
        let counts = shares.prefix(body.height).map { Numbers.short($0.count) }
        let width = counts.map(\.width).max() ?? 0
        let most = Double(shares.map(\.count).max() ?? 0)
        for (row, (share, count)) in zip(shares, counts).enumerated() {
            let (left, right) = Rect(body.x, body.y + row, body.width, 1).split(columns: body.width - width)
            frame.text(count, in: right, .bold, .right)
            let (name, bar) = left.split(columns: left.width * 3 / 5)
            let style = share.value == nil ? Theme.faint : .plain
            frame.text(share.value ?? "unknown", in: name.split(columns: name.width - 1).left, style, cut: .middle)
            frame.bar(Double(share.count), of: most, in: bar.split(columns: bar.width - 1).left, Theme.chart)
        }
    }
}
