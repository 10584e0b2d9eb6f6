// SPDX-License-Identifier: Apache-2.0

import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct FilePaneTests {
    private static let sizes = [Size(80, 24), Size(120, 40)]
    private static let answers = [
        "files": SampleFiles.all(), "files-empty": SampleFiles.empty, "files-bare": SampleFiles.bare, "files-refused": SampleResponses.all(),
    ]

    @Test(arguments: answers.keys.sorted(), sizes)
    func `usage and decisions of rules match their golden frames at each size`(name: String, size: Size) throws {
        let views: [(keys: [Key], end: String)] = [([], ""), ([.character("v")], "-rules")]
        for (keys, end) in views {
            var dashboard = try Dashboard.sample(at: "files", keys, size, answers: try #require(Self.answers[name]))
            if name == "files-refused" { dashboard.refuseAll() }
            try GoldenFrame.check(DashboardView(dashboard).frame(), "\(name)\(end)-\(size.width)x\(size.height)")
            dashboard.expectStandsEverySize(widthsBy: 13)
        }
    }

    @Test func `enter opens a folder, and files in no folder open nothing`() throws {
        var dashboard = try Dashboard.sample(at: "files", answers: SampleFiles.all())
        try dashboard.press(.enter, SampleFiles.all())
        #expect(dashboard.pane.title == "Folder")
        #expect(dashboard.pane.queries(dashboard.options).first?.request.target.contains("prefix=users%2F") == true)
        var other = try Dashboard.sample(at: "files", answers: SampleFiles.all())
        for key in [Key.character("G"), .enter] { try other.press(key, SampleFiles.all()) }
        #expect(other.pane.title == "Files")
    }

    @Test func `the sheets have folders, and lines of rules`() throws {
        let folders = try Export(try Dashboard.sample(at: "files", answers: SampleFiles.all())).sheet()
        #expect(folders.rows.first == ["users/", "118002", "40802189312"] && folders.rows.last == ["", "4", "1048576"])
        let rules = try Export(try Dashboard.sample(at: "files", [.character("v")], answers: SampleFiles.all())).sheet()
        #expect(rules.rows == [["5:7", "20411", "12"], ["8:7", "0", "0"], ["none", "", "3"]])
    }
}
