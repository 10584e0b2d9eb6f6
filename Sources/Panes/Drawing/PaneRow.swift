// SPDX-License-Identifier: Apache-2.0

import Terminal

/// A row of a pane: its blocks and the height that it needs and can use.
struct PaneRow: Sendable {
    typealias Draw = @Sendable (PaneView, Rect, inout Frame) -> Void

    /// Side by side, with widths by weight.
    let blocks: [(weight: Int, draw: Draw)]
    let least: Int
    let most: Int
    /// Rows with higher numbers are left out first.
    let rank: Int
    /// The share of the remaining height.
    let weight: Int

    init(_ blocks: [(weight: Int, draw: Draw)], least: Int, most: Int, rank: Int, weight: Int = 0) {
        self.blocks = blocks
        self.least = least
        self.most = most
        self.rank = rank
        self.weight = weight
    }

    static let gap = 3

    /// Draws the rows that fit, from top to bottom.
    static func draw(_ rows: [PaneRow], _ view: PaneView, in area: Rect, on frame: inout Frame) {
        var rest = area
        for (row, height) in zip(rows, heights(rows, in: area.height)) where height > 0 {
            let (part, below) = rest.split(rows: height)
            for (block, place) in zip(row.blocks, part.columns(row.blocks.map(\.weight), gap: gap)) { block.draw(view, place, &frame) }
            rest = below
        }
    }

    /// The height of each row; 0 for rows that are left out.
    static func heights(_ rows: [PaneRow], in height: Int) -> [Int] {
        var left = height
        var heights = rows.map { _ in 0 }
        for index in rows.indices.sorted(by: { rows[$0].rank < rows[$1].rank }) where rows[index].least <= left {
            heights[index] = rows[index].least
            left -= rows[index].least
        }
        while left > 0 {
            // One line at a time to the row that is furthest below its share.
            let hungry = rows.indices.filter { heights[$0] > 0 && heights[$0] < rows[$0].most && rows[$0].weight > 0 }
            guard let next = hungry.min(by: { shareOf($0, rows, heights) < shareOf($1, rows, heights) }) else { break }
            heights[next] += 1
            left -= 1
        }
        return heights
    }

    private static func shareOf(_ index: Int, _ rows: [PaneRow], _ heights: [Int]) -> Double {
        Double(heights[index] - rows[index].least + 1) / Double(rows[index].weight)
    }
}
