// SPDX-License-Identifier: Apache-2.0

import Terminal

/// The cost of a dashboard frame: drawing it, comparing it with the previous one, and encoding the difference.
enum Frames {
    private static let rounds = 2_000
    private static let style = Style(Color(0x2d79c5))

    static func run() {
        for size in [Size(120, 40), Size(200, 60)] {
            report("\(size.width)x\(size.height), everything anew", size) { painter in painter.forget() }
            report("\(size.width)x\(size.height), the clock and a number", size) { _ in }
        }
    }

    private static func report(_ name: String, _ size: Size, _ prepare: (inout Painter) -> Void) {
        var painter = Painter(.full)
        var bytes = 0
        var times: [Duration] = []
        for round in 0..<rounds {
            prepare(&painter)
            let start = ContinuousClock.now
            bytes += painter.paint(draw(size, round)).count
            times.append(ContinuousClock.now - start)
        }
        times.sort()
        let (median, late) = (times[rounds / 2] / .microseconds(1), times[rounds * 99 / 100] / .microseconds(1))
        print("\(name): median \(Int(median)) µs, p99 \(Int(late)) µs, \(bytes / rounds) bytes")
    }

    /// A frame like the overview: a chart and bars above, figures and lists below.
    private static func draw(_ size: Size, _ round: Int) -> Frame {
        var frame = Frame(size)
        let (head, body) = frame.bounds.split(rows: 1)
        frame.text("shop  127.0.0.1:8787", in: head, .bold)
        frame.text("ready  11:28:\(10 + round % 50)", in: head, style, .right)
        let (top, bottom) = body.split(rows: body.height * 3 / 5)
        let charts = top.columns([3, 2], gap: 3)
        AreaChart((0..<60).map { Double(20 + $0 * 7 % 23) }, from: "10:29", to: "now").draw(in: charts[0], on: &frame, style, axis: .plain)
        let bars = (0..<7).map { BarChart.Bar("Sun \($0)", Double(6_000 + $0 * 700)) }
        BarChart(bars).draw(in: charts[1], on: &frame, style, open: style, label: .plain)
        for list in bottom.columns([1, 1, 1], gap: 3) {
            frame.rule("Top events", in: list.split(rows: 1).top, style)
            for row in 1..<list.height {
                let line = Rect(list.x, list.y + row, list.width, 1)
                let (name, rest) = line.split(columns: line.width / 3)
                frame.text("screen_view_\(row)", in: name)
                frame.bar(Double(list.height - row), of: Double(list.height), in: rest.split(columns: rest.width - 8).left, style)
                frame.text(Numbers.short(row == 1 ? 1_000 + round : row * 100), in: rest, .bold, .right)
            }
        }
        return frame
    }
}
