// SPDX-License-Identifier: Apache-2.0

import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct DocumentsPaneTests {
    private static let sizes = [Size(80, 24), Size(120, 40)]

    private static let answers = [
        "documents": SampleDocuments.all(), "documents-empty": SampleDocuments.empty, "documents-quiet": SampleDocuments.quiet,
        "documents-refused": SampleResponses.all(),
    ]

    @Test(arguments: answers.keys.sorted(), sizes)
    func `sizes, and decisions of rules, match their golden frames at each size`(name: String, size: Size) throws {
        let views: [(keys: [Key], end: String)] = [([], ""), ([.character("v")], "-rules")]
        for (keys, end) in views {
            var dashboard = try Dashboard.sample(at: "documents", keys, size, answers: try #require(Self.answers[name]))
            if name == "documents-refused" { dashboard.refuseAll() }
            try GoldenFrame.check(DashboardView(dashboard).frame(), "\(name)\(end)-\(size.width)x\(size.height)")
            dashboard.expectStandsEverySize(widthsBy: 13)
        }
    }

    @Test func `the sheet has the collections with their growth, and the lines of rules`() throws {
        let sizes = try Export(try Dashboard.sample(at: "documents", answers: SampleDocuments.all())).sheet()
        let orders = "orders 18204 1209331 904120331 8401 6291000 60012 46120331 238000 180104220"
        #expect(sizes.rows.first?.joined(separator: " ") == orders)
        #expect(sizes.rows[2].suffix(4) == ["-204", "-91204", "", ""])
        let rules = try Export(try Dashboard.sample(at: "documents", [.character("v")], answers: SampleDocuments.all())).sheet()
        #expect(rules.rows.map { $0.joined(separator: " ") } == ["5:7 120411 12", "8:7 902 0", "9:7 0 5", "14:7 77 0", "128:11 0 0", "none  4"])
    }

    @Test func `an app with documents and no patterns of persons is told so`() throws {
        var answers = SampleDocuments.all()
        let isShown: ([String: String]) throws -> Bool = { answers in
            DashboardView(try Dashboard.sample(at: "documents", answers: answers)).frame().lines.contains { $0.contains("no person patterns") }
        }
        #expect(try !isShown(answers))
        answers["document_statistics"] = answers["document_statistics"]?.replacing(#""person_patterns": 2"#, with: #""person_patterns": 0"#)
        #expect(try isShown(answers) && !isShown(SampleDocuments.empty))
    }

    @Test func `each view keeps its selected row`() throws {
        var dashboard = try Dashboard.sample(at: "documents", answers: SampleDocuments.all())
        for key in [Key.down, .character("v"), .down, .down] { try dashboard.press(key, SampleDocuments.all()) }
        let marked: (Dashboard) -> [String] = { DashboardView($0).frame().lines.filter { $0.hasPrefix(" > ") } }
        #expect(marked(dashboard).map { $0.prefix(6) } == [" > 9:7"])
        try dashboard.press(.character("v"), SampleDocuments.all())
        #expect(marked(dashboard).map { $0.prefix(8) } == [" > users"])
    }
}
