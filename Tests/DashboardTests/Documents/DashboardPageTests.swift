// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Panes
@testable import dashboard_cli

/// What docs/guides/dashboard.md says of keys and panes.
struct DashboardPageTests {
    private static let path = "docs/guides/dashboard.md"

    @Test func `the table of keys is that of the program, and every pane is told of`() throws {
        let page = try Repository.text(Self.path)
        for section in KeyReference.sections {
            let heading = section.hasPanes ? "| key | pane | |\n|---|---|---|\n" : "| key | |\n|---|---|\n"
            let rows = section.rows.map { "| `\($0.names)` | \(section.hasPanes ? "\($0.panes) | " : "")\($0.help) |\n" }
            let table = "### \(section.title)\n\n\(heading)\(rows.joined())"
            #expect(page.contains(table), "The table should be:\n\(table)")
        }
        for pane in PaneList.tabs { #expect(page.contains("`\(pane.title.lowercased())`"), "\(pane.title)") }
    }

    @Test func `every picture there is shown, and is there`() throws {
        let text = try Repository.text(Self.path)
        let shown = text.components(separatedBy: "](../images/").dropFirst().map { $0.prefix { $0 != ")" } }.map(String.init)
        #expect(try Set(shown) == Set(FileManager.default.contentsOfDirectory(atPath: "\(Repository.folder)/docs/images")))
    }
}
