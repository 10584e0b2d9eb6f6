// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

/// Measures the time of a frame and the memory of many ticks; `scripts/bench-frames` runs it.
/// Disabled unless SIGNALBOX_FRAME_TICKS gives the number of ticks, because an unoptimized build measures nothing useful.
@Suite(.serialized)
struct FrameSpeedTests {
    private static let size = Size(200, 60)

    @Test(.enabled(if: ticks != nil), arguments: [ColorDepth.full, .indexed], ["a fifth of the cells", "everything"])
    func `drawing and painting a 200x60 frame takes at most 2 ms at the median`(depth: ColorDepth, changed: String) throws {
        let answers = Self.variants(2)
        var dashboard = try Dashboard.sample(Self.size, answers: answers[0])
        var painter = Painter(depth)
        var chance = Chance(state: 1)
        let dots = "⣿".glyphs
        let times = (0..<2_000).map { round in
            dashboard = answered(dashboard, answers[round % 2], at: dashboard.now + .seconds(2))
            let places = (0..<Self.size.width * Self.size.height / 5).map { _ in Int.random(in: 0..<12_000, using: &chance) }
            if changed == "everything" { painter.forget() }
            return ContinuousClock().measure {
                var frame = DashboardView(dashboard).frame()
                for place in places { frame.put(dots, place % Self.size.width, place / Self.size.width, Theme.lines[place % Theme.lines.count]) }
                #expect(!painter.paint(frame).isEmpty)
            }
        }.sorted()
        let figures = [times[0], times[1_000], times[1_980]].map { String(format: "%.2f", $0 / .milliseconds(1)) }
        print("frame of 200x60, \(depth), \(changed): least \(figures[0]) ms, median \(figures[1]) ms, p99 \(figures[2]) ms")
        #expect(times[1_000] < .milliseconds(2))
    }

    @Test(.enabled(if: ticks != nil)) func `memory stays constant over many ticks with new results`() throws {
        let ticks = try #require(ticks)
        let answers = Self.variants(16)
        var dashboard = try Dashboard.sample(Self.size, answers: answers[0])
        var painter = Painter(.full)
        var (resident, frames) = ([Int](), 0)
        for tick in 1...ticks {
            dashboard = answered(dashboard, answers[tick % answers.count], at: dashboard.now + .seconds(2))
            frames += painter.paint(DashboardView(dashboard).frame()).isEmpty ? 0 : 1
            if tick % max(1, ticks / 8) == 0 { resident.append(Self.resident) }
        }
        print("\(ticks) ticks, \(frames) frames: resident \(resident.map { "\($0 >> 10)" }.joined(separator: ", ")) KiB")
        #expect(frames == ticks && resident.last ?? 0 < resident[resident.count / 4] + 2 << 20)
    }

    private func answered(_ dashboard: Dashboard, _ answers: [String: String], at time: Timestamp) -> Dashboard {
        var dashboard = dashboard
        #expect(throws: Never.self) { try dashboard.answer(dashboard.handle(.tick(time)), answers, at: time) }
        return dashboard
    }

    /// The sample results with other values.
    private static func variants(_ count: Int) -> [[String: String]] {
        (0..<count).map { variant in
            SampleResponses.all().mapValues { text in
                text.replacing(/"(value|dau|wau|mau|users|events)": ([0-9]+)/) { match in
                    "\"\(match.1)\": \((Int(match.2) ?? 0) * (10 + variant) / 10 + variant)"
                }
            }
        }
    }

    private static var resident: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").dropFirst().first
        return (pages.flatMap { Int($0) } ?? 0) * 4_096
    }
}

private let ticks = ProcessInfo.processInfo.environment["SIGNALBOX_FRAME_TICKS"].flatMap { Int($0) }

private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
