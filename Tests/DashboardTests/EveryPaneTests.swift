// SPDX-License-Identifier: Apache-2.0

import Terminal
import Testing

@testable import Panes
@testable import dashboard_cli

/// Checks that hold for each pane with a tab, so that a new pane is covered before it has tests of its own.
struct EveryPaneTests {
    private static let frames = Repository.paths.filter { $0.hasPrefix("Tests/Fixtures/frames/") }.compactMap { $0.split(separator: "/").last }

    /// The first word of the names of a pane's golden frames.
    private static func frameName(_ pane: any Pane) -> String { pane is IssuesPane ? "issues" : pane.title.lowercased() }

    @Test func `each pane has golden frames with data, without data and with an error`() {
        for pane in PaneList.tabs {
            let name = Self.frameName(pane)
            for frame in ["80x24", "120x40", "empty", "refused"] {
                // Compared outside the expectation, which would print all names.
                let isThere = Self.frames.contains { $0.hasPrefix("\(name)-\(frame)") }
                #expect(isThere, "Tests/Fixtures/frames has no \(name)-\(frame)")
            }
        }
    }

    @Test func `each pane draws at every size before its data and after an error`() throws {
        let answers = ["app": SampleResponses.app, "system": SampleResponses.system]
        let error = RequestError(kind: .denied, what: "This key's role may not do this.", hint: "Use a key with the role read.")
        for pane in PaneList.tabs {
            var dashboard = try Dashboard.sample(at: pane.title.lowercased(), answers: answers)
            #expect(dashboard.pane.title == pane.title)
            dashboard.expectStandsEverySize(widthsBy: 13)
            for query in dashboard.pane.queries(dashboard.options) {
                _ = dashboard.handle(.received(query.request, .failure(error), SampleResponses.now))
            }
            dashboard.expectStandsEverySize(widthsBy: 13)
        }
    }
}
