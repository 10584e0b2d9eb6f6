// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

/// The funnels of a field's values as a table.
struct FunnelParts {
    private let field: String
    private let parts: [FunnelResult.Part]

    init(_ field: String, _ parts: [FunnelResult.Part]) {
        (self.field, self.parts) = (field, parts)
    }

    /// The number of rows that the table needs.
    var height: Int { parts.count + 1 }

    func draw(in area: Rect, on frame: inout Frame) {
        let columns = [
            Table.Column(field, isFlexible: true), Table.Column("people", .right), Table.Column("completed", .right), Table.Column("share", .right),
            Table.Column("median", .right),
        ]
        let isWide = area.width >= 70
        SelectableTable(columns, parts.map(cells), chosen: nil)
            .draw(in: area, on: &frame, keeping: isWide ? area.width / 4 : 0) { row, line, frame in
                frame.bar(parts[row].steps.last?.share ?? 0, of: 1, in: line, Theme.chart)
            }
    }

    private func cells(_ part: FunnelResult.Part) -> [String] {
        let (first, last) = (part.steps.first?.people ?? 0, part.steps.last)
        let time = part.medianSeconds.map { Numbers.duration(seconds: Int($0.rounded())) } ?? ""
        return [part.name, Numbers.short(first), Numbers.short(last?.people ?? 0), Numbers.percent(last?.share ?? 0), time]
    }
}
