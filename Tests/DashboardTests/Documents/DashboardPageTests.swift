// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import dashboard_cli

/// What docs/dashboard.md says of keys and panes.
struct DashboardPageTests {
    private static let path = "docs/dashboard.md"

    @Test func `the table of keys is that of the program, and every pane is told of`() throws {
        let page = try Repository.text(Self.path)
        let table = Binding.all.map { "| `\($0.names)` | \($0.meaning) |\n" }.joined()
        #expect(page.contains("## Keys\n\n| key | |\n|---|---|\n\(table)\n"), "The table should be:\n\(table)")
        for pane in Panes.all { #expect(page.contains("`\(pane.title.lowercased())`"), "\(pane.title)") }
    }

    @Test func `every picture there is shown, and is there`() throws {
        let text = try Repository.text(Self.path)
        let shown = text.components(separatedBy: "](images/").dropFirst().map { $0.prefix { $0 != ")" } }.map(String.init)
        #expect(try Set(shown) == Set(FileManager.default.contentsOfDirectory(atPath: "\(Repository.folder)/docs/images")))
    }
}
