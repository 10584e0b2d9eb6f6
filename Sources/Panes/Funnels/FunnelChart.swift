// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// A funnel as bars with the drop-off between them; as a table on small terminals.
struct FunnelChart {
    private let steps: FunnelSteps
    /// Nil before the first result.
    private let result: FunnelResult?

    init(_ steps: FunnelSteps, _ result: FunnelResult?) {
        self.steps = steps
        // A result of other steps cannot be drawn.
        self.result = result.flatMap { $0.steps.count == steps.texts.count ? $0 : nil }
    }

    private var count: Int { steps.texts.count }
    private static let highestBar = 3

    /// Draws what fits. Returns the number of rows.
    func draw(in area: Rect, on frame: inout Frame) -> Int {
        // A name, a bar, and the drop-off to the next step.
        guard count > 0, area.height >= 3 * count, area.width >= 40 else { return drawTable(in: area, on: &frame) }
        let height = min(FunnelChart.highestBar + 2, area.height / count)
        for (index, text) in steps.texts.enumerated() {
            draw(text, index, in: Rect(area.x, area.y + height * index, area.width, height), on: &frame)
        }
        return height * count
    }

    // MARK: Bars

    private func draw(_ text: String, _ index: Int, in lines: Rect, on frame: inout Frame) {
        let (mark, body) = lines.split(columns: 2)
        let (top, rest) = body.split(rows: 1)
        let (middle, bottom) = rest.split(rows: rest.height - 1)
        let step = result?.steps[index]
        let figures = step.map { "\($0.people.of("person", "people"))  \(share($0.share))" } ?? ""
        let name = top.split(columns: top.width - figures.width - 2).left
        frame.text("\(index + 1)  \(text)", in: name, .bold)
        frame.text(figures, in: top, .bold, .right)
        if index == steps.index {
            frame.put(">", mark.x, mark.y, Theme.key)
            frame.restyle(name) { $0.attributes.insert(.reverse) }
        }
        guard let step, let result else { return }
        for y in middle.y..<middle.y + middle.height { frame.bar(step.share, of: 1, in: Rect(middle.x, y, middle.width, 1), Theme.chart) }
        guard index + 1 < count else { return }
        frame.text(between(step, result.steps[index + 1]), in: bottom.split(columns: 3).rest, Theme.faint)
    }

    private func between(_ step: FunnelResult.Step, _ next: FunnelResult.Step) -> String {
        guard step.people > 0 else { return "↓" }
        let lost = step.people - next.people
        let time = next.medianSeconds.map { "median \(FunnelChart.time($0))" }
        if lost == 0 { return (["↓ no drop-off", time] as [String?]).compactMap(\.self).joined(separator: ", ") }
        let dropOff = "↓ \(Numbers.grouped(Double(lost))) lost, \(share(1 - next.stepShare))"
        return time.map { "\(dropOff) · \($0)" } ?? dropOff
    }

    /// Never rounds up to 100 %.
    private func share(_ share: Double) -> String {
        share > 0.995 && share < 1 ? "> 99 %" : Numbers.percent(share)
    }

    private static func time(_ seconds: Double) -> String { Numbers.duration(seconds: Int(seconds.rounded())) }

    // MARK: Table

    private func drawTable(in area: Rect, on frame: inout Frame) -> Int {
        let columns = [
            Table.Column("step", isFlexible: true), Table.Column("people", .right), Table.Column("of first", .right), Table.Column("lost", .right),
            Table.Column("median", .right),
        ]
        let isWide = area.width >= 70
        SelectableTable(columns, steps.texts.indices.map { cells($0) }, chosen: steps.index)
            .draw(in: area, on: &frame, keeping: isWide ? area.width / 4 : 0) { row, line, frame in
                if let result { frame.bar(result.steps[row].share, of: 1, in: line, Theme.chart) }
            }
        return min(area.height, count + 1)
    }

    private func cells(_ index: Int) -> [String] {
        let name = "\(index + 1)  \(steps.texts[index])"
        guard let result else { return [name, "", "", "", ""] }
        let step = result.steps[index]
        let lost = index > 0 ? "\(Numbers.short(result.steps[index - 1].people - step.people)) · \(share(1 - step.stepShare))" : ""
        return [name, Numbers.short(step.people), share(step.share), lost, step.medianSeconds.map { FunnelChart.time($0) } ?? ""]
    }
}
