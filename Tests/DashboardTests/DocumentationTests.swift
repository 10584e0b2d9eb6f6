import Foundation
import Testing

@testable import dashboard_cli

/// What docs/dashboard.md says of keys and panes.
struct DocumentationTests {
    private static let page =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
        + "/docs/dashboard.md"

    @Test func `the table of keys is that of the program, and every pane is told of`() throws {
        let page = try String(contentsOfFile: Self.page, encoding: .utf8)
        let table = Binding.all.map { "| `\($0.names)` | \($0.meaning) |\n" }.joined()
        #expect(page.contains("## Keys\n\n| key | |\n|---|---|\n\(table)\n"), "The table should be:\n\(table)")
        for pane in Panes.all { #expect(page.contains("`\(pane.title.lowercased())`"), "\(pane.title)") }
    }

    @Test func `every picture there is shown, and is there`() throws {
        let text = try String(contentsOfFile: Self.page, encoding: .utf8)
        let folder = URL(fileURLWithPath: Self.page).deletingLastPathComponent().path + "/images"
        let shown = text.components(separatedBy: "](images/").dropFirst().map { $0.prefix { $0 != ")" } }.map(String.init)
        #expect(try Set(shown) == Set(FileManager.default.contentsOfDirectory(atPath: folder)))
    }
}
