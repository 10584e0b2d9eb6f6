// SPDX-License-Identifier: Apache-2.0

import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

struct DocumentsPaneTests {
    private static let sizes = [Size(80, 24), Size(120, 40)]

    private static func refused(_ dashboard: inout Dashboard) {
        let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read.")
        for query in dashboard.pane.queries(dashboard.options) {
            _ = dashboard.handle(.received(query.request, .failure(error), SampleResponses.now))
        }
    }

    @Test(arguments: ["documents", "documents-empty", "documents-refused"], sizes)
    func `the documents match their golden frames at each size`(name: String, size: Size) throws {
        let answers = name == "documents" ? SampleDocuments.all() : name == "documents-empty" ? SampleDocuments.empty : SampleResponses.all()
        var dashboard = try Dashboard.sample(at: "documents", [], size, answers: answers)
        if name == "documents-refused" { Self.refused(&dashboard) }
        try GoldenFrame.check(DashboardView(dashboard).frame(), "\(name)-\(size.width)x\(size.height)")
        dashboard.expectStandsEverySize(widthsBy: 13)
    }

    @Test func `the sheet has the collections`() throws {
        let dashboard = try Dashboard.sample(at: "documents", answers: SampleDocuments.all())
        let sheet = try Export(dashboard).sheet()
        #expect(sheet.rows.first == ["orders", "18204", "1209331", "904120331"])
    }
}
