// SPDX-License-Identifier: Apache-2.0

import API
import Terminal

/// The transfers of the last hour: `uploads  1.2k  340 MiB ▁▂▄▇█`, and a line for downloads.
enum TrafficBlock {
    private static let names = 11
    private static let figures = 20

    static func draw(_ traffic: FileUsageResponse.Traffic, in area: Rect, on frame: inout Frame) {
        let lines = [
            ("uploads", traffic.uploads, traffic.uploadedBytes, Theme.bars), ("downloads", traffic.downloads, traffic.downloadedBytes, Theme.chart),
        ]
        for (row, (name, counts, bytes, style)) in lines.enumerated() where row < area.height {
            let (left, rest) = Rect(area.x + 2, area.y + row, max(0, area.width - 2), 1).split(columns: names)
            frame.text(name, in: left, Theme.faint)
            let sum = "\(Numbers.short(Int(counts.reduce(0, +)))), \(Numbers.bytes(Double(bytes.reduce(0, +))))"
            let (figure, chart) = rest.split(columns: figures)
            frame.text(sum, in: figure, .bold)
            frame.sparkline(bytes.map(Double.init), in: chart, style)
        }
    }
}
