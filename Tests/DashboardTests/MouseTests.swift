// SPDX-License-Identifier: Apache-2.0

import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

/// What a click does is what the key would do that is shown there.
struct MouseTests {
    /// The keys behind the first place in the frame where a text stands.
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

    @Test func `tabs, keys of the footer and rows`() throws {
        let dashboard = try dashboard()
        #expect(try clicked("8 Sessions", in: dashboard) == [.character("8")])
        #expect(try clicked("/ find", in: dashboard) == [.character("/")])
        #expect(try clicked(" shop", in: dashboard).isEmpty)
        let frame = DashboardView(dashboard).frame()
        let chosen = try #require(frame.lines.firstIndex { $0.contains(" > ") })
        let row = { (y: Int) in frame.keys(for: Mouse(.press, 30, y)) }
        #expect(row(chosen) == [.enter] && row(chosen + 1) == [.down] && row(chosen + 2) == [.down, .down])
    }

    @Test func `a row above the chosen one, and panes without a digit`() throws {
        let dashboard = try dashboard([.down, .down])
        let frame = DashboardView(dashboard).frame()
        let chosen = try #require(frame.lines.firstIndex { $0.contains(" > ") })
        #expect(frame.keys(for: Mouse(.press, 30, chosen - 2)) == [.up, .up])
        let topics = try Dashboard.sample(at: "topics", [], Size(120, 40), answers: SampleCrashes.all())
        #expect(try clicked("Messages", in: topics) == [.tab])
    }

    @Test(arguments: [Key.character(":"), .character("?")]) func `what lies below a request or the help is not clicked`(key: Key) throws {
        let dashboard = try dashboard([key])
        let frame = DashboardView(dashboard).frame()
        let middle = Mouse(.press, frame.size.width / 2, frame.size.height / 2)
        #expect(frame.keys(for: middle).isEmpty)
    }
}
