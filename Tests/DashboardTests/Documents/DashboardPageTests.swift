// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Panes
@testable import dashboard_cli

/// Compares docs/guides/dashboard.md with the program's keys and panes.
struct DashboardPageTests {
    private static let path = "docs/guides/dashboard.md"

    @Test func `the page has the program's key tables and names every pane`() throws {
        let page = try Repository.text(Self.path)
        for section in KeyReference.sections {
            let heading = section.hasPanes ? "| key | pane | |\n|---|---|---|\n" : "| key | |\n|---|---|\n"
            let rows = section.rows.map { "| `\($0.names)` | \(section.hasPanes ? "\($0.panes) | " : "")\($0.help) |\n" }
            let table = "### \(section.title)\n\n\(heading)\(rows.joined())"
            // Compared outside the expectation, which would print the page.
            let hasTable = page.contains(table)
            #expect(hasTable, "The table should be:\n\(table)")
        }
        for command in PaneList.tabs.map({ $0.title.lowercased() }) {
            let isNamed = page.contains("`\(command)`")
            #expect(isNamed, "\(Self.path) does not list the command \(command).")
        }
    }

    @Test func `the page shows each file of docs/images`() throws {
        let text = try Repository.text(Self.path)
        let shown = text.components(separatedBy: "](../images/").dropFirst().map { $0.prefix { $0 != ")" } }.map(String.init)
        #expect(try Set(shown) == Set(FileManager.default.contentsOfDirectory(atPath: "\(Repository.folder)/docs/images")))
    }
}
