// SPDX-License-Identifier: Apache-2.0

import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

/// A click has the effect of the key that is shown at its place.
struct MouseTests {
    /// The keys for a click on the first occurrence of a text in the frame.
    private func clicked(_ text: String, in dashboard: Dashboard) throws -> [Key] {
        let frame = DashboardView(dashboard).frame()
        for (y, line) in frame.lines.enumerated() {
            if let found = line.firstRange(of: text) { return frame.keys(for: Mouse(.press, line[..<found.lowerBound].width, y)) }
        }
        Issue.record("\(text) is not shown")
        return []
    }

    private func dashboard(_ keys: [Key] = []) throws -> Dashboard {
        try .sample(at: "crashes", keys, answers: SampleCrashes.all())
    }

    @Test func `clicks on tabs, footer keys and rows press their keys`() throws {
        let dashboard = try dashboard()
        #expect(try clicked("8 Sessions", in: dashboard) == [.character("8")])
        #expect(try clicked("/ find", in: dashboard) == [.character("/")])
        #expect(try clicked(" shop", in: dashboard).isEmpty)
        let frame = DashboardView(dashboard).frame()
        let chosen = try #require(frame.lines.firstIndex { $0.contains(" > ") })
        let row = { (y: Int) in frame.keys(for: Mouse(.press, 30, y)) }
        // Each issue has two lines.
        #expect(row(chosen) == [.enter] && row(chosen + 1) == [.enter] && row(chosen + 2) == [.down] && row(chosen + 5) == [.down, .down])
    }

    @Test func `a click selects a row above the selection, and panes without a digit by tab`() throws {
        let dashboard = try dashboard([.down, .down])
        let frame = DashboardView(dashboard).frame()
        let chosen = try #require(frame.lines.firstIndex { $0.contains(" > ") })
        #expect(frame.keys(for: Mouse(.press, 30, chosen - 3)) == [.up, .up])
        let topics = try Dashboard.sample(at: "topics", [], Size(120, 40), answers: SampleCrashes.all())
        #expect(try clicked("Messages", in: topics) == [.tab])
    }

    @Test(arguments: [Key.character(":"), .character("?")]) func `clicks outside a prompt or the help do nothing`(key: Key) throws {
        let dashboard = try dashboard([key])
        let frame = DashboardView(dashboard).frame()
        let middle = Mouse(.press, frame.size.width / 2, frame.size.height / 2)
        #expect(frame.keys(for: middle).isEmpty)
    }
}
