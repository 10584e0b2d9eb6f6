// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Checks that SECURITY.md names only existing types and tests, so that removed defences are not promised.
struct SecurityPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    private static func rows() throws -> [[String]] {
        let page = try String(contentsOfFile: root + "/SECURITY.md", encoding: .utf8)
        let threats = try #require(page.components(separatedBy: "\n## Threats, defences, tests\n").dropFirst().first)
        return threats.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| threat") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    /// The paths below one of our folders.
    private static func files(_ folder: String) -> [String] {
        FileManager.default.enumerator(atPath: root + "/" + folder)?.compactMap { $0 as? String } ?? []
    }

    private static func declared(in folder: String) throws -> Set<String> {
        let declaration = try Regex<(Substring, Substring)>(#"\b(?:struct|class|enum|actor|protocol|typealias|extension) ([A-Z]\w+)"#)
        let texts = try files(folder).filter { $0.hasSuffix(".swift") }.map { try String(contentsOfFile: "\(root)/\(folder)/\($0)", encoding: .utf8) }
        return Set(texts.flatMap { $0.matches(of: declaration).map { String($0.output.1) } })
    }

    /// The texts between backticks.
    private static func names(_ cell: String) -> [String] {
        cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    @Test func `each threat names an existing defence and test`() throws {
        let (sources, tests) = (try Self.declared(in: "Sources"), try Self.declared(in: "Tests"))
        let scripts = Set(["Tests", "Fuzz", "Benchmarks"].flatMap(Self.files).map { ($0 as NSString).lastPathComponent })
        let rows = try Self.rows().filter { !$0.contains { $0.hasPrefix("---") } }
        #expect(rows.count > 40)
        for row in rows {
            try #require(row.count == 3, "\(row)")
            let (defences, shown) = (
                Self.names(row[1]).filter { $0.first?.isUppercase == true && !$0.contains("_") && !$0.contains("-") }, Self.names(row[2])
            )
            for name in defences { #expect(sources.contains(name.split(separator: ".").first.map(String.init) ?? ""), "\(name)") }
            #expect(!shown.isEmpty, "\(row[0]) has no test")
            for name in shown { #expect(name.hasSuffix("Tests") ? tests.contains(name) : scripts.contains(name), "\(name)") }
        }
    }
}
