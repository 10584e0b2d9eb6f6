// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Checks that each row of SECURITY.md names existing types and tests, so that removed defences are not promised.
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

    /// The texts of files with an ending, by path below the folder.
    private static func texts(_ folder: String, _ ending: String) throws -> [(path: String, text: String)] {
        try files(folder).filter { $0.hasSuffix(ending) }.map { ($0, try String(contentsOfFile: "\(root)/\(folder)/\($0)", encoding: .utf8)) }
    }

    private static func declared(in texts: [String]) throws -> Set<String> {
        // Foundation's expressions search the megabytes of all files in a fraction of the time that Swift's take.
        let declaration = try NSRegularExpression(pattern: #"\b(?:struct|class|enum|actor|protocol|typealias|extension) ([A-Z]\w+)"#)
        var names: Set<String> = []
        for text in texts {
            let whole = NSString(string: text)
            for match in declaration.matches(in: text, range: NSRange(location: 0, length: whole.length)) {
                names.insert(whole.substring(with: match.range(at: 1)))
            }
        }
        return names
    }

    /// The names that the column of tests may have.
    private struct Known {
        /// Suites whose file has tests.
        let suites: Set<String>
        /// The files of fuzz targets.
        let targets: Set<String>
        /// The texts of scripts by name.
        let scripts: [String: [String]]

        init() throws {
            suites = try SecurityPageTests.declared(in: SecurityPageTests.texts("Tests", ".swift").map(\.text).filter { $0.contains("@Test") })
            targets = Set(SecurityPageTests.files("Fuzz/Targets"))
            let all = try ["Tests", "Benchmarks"].flatMap { try SecurityPageTests.texts($0, ".py") }
            scripts = Dictionary(grouping: all) { ($0.path as NSString).lastPathComponent }.mapValues { $0.map(\.text) }
        }

        /// Whether a name stands for tests: a suite, a fuzz target, or a check of a script (`package.py: the list of parts is SPDX 2.3`).
        func contains(_ name: String) -> Bool {
            if name.hasSuffix("Tests") { return suites.contains(name) }
            if name.hasSuffix(".swift") { return targets.contains(name) }
            let parts = name.components(separatedBy: ".py: ")
            return parts.count == 2 && !parts[1].isEmpty && scripts[parts[0] + ".py"]?.contains { $0.contains(parts[1]) } == true
        }
    }

    /// The texts between backticks.
    private static func names(_ cell: String) -> [String] {
        cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }

    @Test func `each threat names an existing defence and test`() throws {
        let (sources, known) = (try Self.declared(in: Self.texts("Sources", ".swift").map(\.text)), try Known())
        let rows = try Self.rows().filter { !$0.contains { $0.hasPrefix("---") } }
        #expect(rows.count > 40)
        for row in rows {
            try #require(row.count == 3, "\(row)")
            let (defences, shown) = (
                Self.names(row[1]).filter { $0.first?.isUppercase == true && !$0.contains("_") && !$0.contains("-") }, Self.names(row[2])
            )
            for name in defences { #expect(sources.contains(name.split(separator: ".").first.map(String.init) ?? ""), "\(name)") }
            #expect(!shown.isEmpty, "\(row[0]) has no test")
            for name in shown { #expect(known.contains(name), "\(name)") }
        }
    }
}
