// SPDX-License-Identifier: Apache-2.0

import Platform
import Terminal

/// The status of the stream: rate, filter, losses and errors.
struct LiveStatus {
    let filter: [String?]
    private static let shortest = 10
    private static let longest = 60

    /// Returns the area below.
    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) -> Rect {
        var (line, rest) = area.split(rows: 1)
        let tail = view.tail
        if tail.request != nil, tail.error == nil || !tail.entries.isEmpty {
            draw(tail, view, in: line, on: &frame)
        } else {
            rest = area
        }
        let said = filter.compactMap(\.self).joined(separator: " · ")
        if !said.isEmpty {
            (line, rest) = rest.split(rows: 1)
            frame.text(said, in: line, Theme.key)
        }
        if let error = tail.error, !view.isUnreachable {
            let lines = frame.paragraph(error.sentences, in: rest.split(rows: min(3, rest.height)).top, Theme.warning)
            rest = rest.split(rows: lines).rest
        }
        return rest
    }

    private func losses(_ tail: TailBuffer) -> [String] {
        [
            !tail.waiting.isEmpty ? "\(Numbers.short(tail.waiting.count)) waiting: space resumes" : nil,
            tail.missed > 0 ? "\(Numbers.short(tail.missed)) missed" : nil,
            tail.dropped > 0 ? "\(Numbers.short(tail.dropped)) dropped" : nil,
        ].compactMap(\.self)
    }

    /// Losses have priority over the rate.
    private func draw(_ tail: TailBuffer, _ view: PaneView, in line: Rect, on frame: inout Frame) {
        let rate = LiveRate(tail, view.now)
        let words = losses(tail).joined(separator: " · ")
        let uncounted = tail.isFull ? "rate unknown" : "measuring"
        let speed = rate.perSecond.map { "\(Numbers.decimals($0, 1))/s" } ?? uncounted
        let width = min(LiveStatus.longest, line.width - words.width - speed.width - 4)
        var rest = line
        if width >= LiveStatus.shortest {
            let values = rate.values.suffix(width)
            frame.sparkline(Array(values), in: line, Theme.bars)
            rest = line.split(columns: values.count + 1).rest
        }
        if speed.width + 2 + words.width <= rest.width || words.isEmpty {
            rest = rest.split(columns: frame.text(speed, in: rest, Theme.faint) + 2).rest
        }
        frame.text(words, in: rest, Theme.warning)
    }
}

/// Received entries by second.
struct LiveRate: Equatable {
    /// Counts up to the last complete second.
    let values: [Double]
    private static let most = 60
    private static let meant = 10

    init(_ tail: TailBuffer, _ now: Timestamp) {
        let end = now.milliseconds / 1_000
        let seconds = (tail.entries + tail.waiting).compactMap { $0.received.map { $0.milliseconds / 1_000 } }
        // If older entries are missing, the oldest second is incomplete and left out.
        let isCut = tail.isFull || tail.beginsLater
        let known = isCut ? seconds.first.map { end - $0 - 1 } ?? Int64(LiveRate.most) : Int64(LiveRate.most)
        var counts = [Double](repeating: 0, count: Int(max(0, min(Int64(LiveRate.most), known))))
        for second in seconds {
            let age = end - 1 - second
            if age >= 0, age < counts.count { counts[counts.count - 1 - Int(age)] += 1 }
        }
        values = counts
    }

    /// The mean of the last seconds; nil without a complete second.
    var perSecond: Double? {
        let last = values.suffix(LiveRate.meant)
        return last.isEmpty ? nil : last.reduce(0, +) / Double(last.count)
    }
}
