// SPDX-License-Identifier: Apache-2.0

import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct HelpTests {
    private static let issue: [Key] = [.enter]

    @Test(arguments: [Size(80, 24), Size(80, 12), Size(120, 40), Size(200, 24)]) func `the help lists all keys in columns and pages`(size: Size)
        throws
    {
        var dashboard = try Dashboard.sample(at: "crashes", Self.issue, size, answers: SampleCrashes.all())
        var told = ""
        var pages = 0
        repeat {
            try dashboard.press(.character("?"), SampleCrashes.all())
            if dashboard.isHelpShown {
                pages += 1
                told += DashboardView(dashboard).frame().lines.joined(separator: "\n")
            }
        } while dashboard.isHelpShown
        #expect(pages == [12: 4, 24: size.width == 200 ? 1 : 2, 40: 1][size.height])
        for binding in dashboard.bindings { #expect(told.contains("\(binding.names) ") && told.contains(binding.help), "\(binding.names)") }
    }

    @Test func `a wide help matches its golden frame with two columns`() throws {
        let dashboard = try Dashboard.sample(at: "crashes", Self.issue + [.character("?")], Size(200, 24), answers: SampleCrashes.all())
        try GoldenFrame.check(DashboardView(dashboard).frame(), "issue-help-200x24")
    }

    @Test func `back closes the help from any page and keeps the pane`() throws {
        let keys: [Key] = Self.issue + [.character("?"), .character("?"), .escape]
        let dashboard = try Dashboard.sample(at: "crashes", keys, answers: SampleCrashes.all())
        #expect(!dashboard.isHelpShown && dashboard.pane.title.hasPrefix("Issue"))
    }
}
