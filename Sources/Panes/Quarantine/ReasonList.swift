// SPDX-License-Identifier: Apache-2.0

package import API
import Terminal

/// Reasons with the number of stored and of only counted events.
struct ReasonList {
    private let reasons: [QuarantineResponse.Count]
    private let shown: String?
    private static let meaning =
        "░ Only counted: beyond the daily limit, or from blocked users. They cannot be viewed or replayed."

    init(_ reasons: [QuarantineResponse.Count], shown: String?) {
        (self.reasons, self.shown) = (reasons, shown)
    }

    private var hasOnlyCounted: Bool { reasons.contains { $0.onlyCounted > 0 } }

    /// Heading, reasons, explanation and a gap.
    var height: Int { reasons.count + 2 + (hasOnlyCounted ? 2 : 0) }

    func draw(in area: Rect, on frame: inout Frame) {
        let (list, foot) = area.split(rows: area.height - 1 - (hasOnlyCounted ? min(2, area.height - 3) : 0))
        if hasOnlyCounted { frame.paragraph(ReasonList.meaning, in: foot.split(rows: foot.height - 1).top, Theme.faint) }
        let count = max(0, list.height - 1)
        let place = reasons.firstIndex { $0.code == shown } ?? 0
        let first = max(0, min(place - count / 2, reasons.count - count))
        let names = min(list.width / 3, max(8, reasons.map(\.code.width).max() ?? 0))
        draw("", "reason", nil, "stored", "only counted", names, in: list.split(rows: 1).top, on: &frame, Theme.faint)
        for (row, reason) in reasons[first...].prefix(count).enumerated() {
            let line = Rect(list.x, list.y + 1 + row, list.width, 1)
            let isShown = reason.code == shown
            let counted = reason.onlyCounted > 0 ? Numbers.short(reason.onlyCounted) : ""
            draw(
                isShown ? ">" : "", reason.code, reason, Numbers.short(reason.kept), counted, names, in: line, on: &frame, isShown ? .bold : .plain)
        }
    }

    private static let gap = 2

    private func draw(
        _ mark: String, _ name: String, _ reason: QuarantineResponse.Count?, _ kept: String, _ counted: String, _ names: Int, in line: Rect,
        on frame: inout Frame, _ style: Style
    ) {
        let (marks, room) = line.split(columns: ReasonList.gap)
        frame.text(mark, in: marks, Theme.key)
        let (left, rest) = room.split(columns: names)
        frame.text(name, in: left, style)
        let numbers = hasOnlyCounted ? 22 : 8
        let (bar, right) = rest.split(columns: rest.width - numbers)
        frame.text(kept, in: right.split(columns: 8).left, style, .right)
        if hasOnlyCounted { frame.text(counted, in: right, style, .right) }
        guard let reason else { return }
        let place = bar.split(columns: ReasonList.gap).rest
        let most = reasons.map(\.total).max() ?? 1
        // Every reason has a bar: rare ones often matter most.
        let length = max(1, place.width * reason.total / max(1, most))
        StackedBar([.init(reason.kept, "█", Theme.warning), .init(reason.onlyCounted, "░", Theme.faint)], of: reason.total)
            .draw(in: place.split(columns: length).left, on: &frame)
    }
}

extension QuarantineResponse.Count {
    /// All records: stored, and beyond the limits.
    package var total: Int { kept + onlyCounted }
}
