// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import Testing

@testable import ingestd

/// Checks the files in `config/` and the tables of docs/reference/configuration.md against the settings' descriptions.
///
/// `SIGNALBOX_RECORD=1 ./scripts/test --filter ConfigurationFilesTests` rewrites them.
@Suite struct ConfigurationFilesTests {
    private static let root = String(#filePath.split(separator: "/Tests/")[0])
    private static let isRecording = ProcessInfo.processInfo.environment["SIGNALBOX_RECORD"] != nil

    private static let purposes = [
        "development": "For local development: creates an app with keys at the first start and prints them.",
        "production": "For a server: listens on loopback behind a proxy that speaks TLS, and prints no keys.",
    ]
    private static let overrides = [
        "development": ["mode": "\"development\"", "log.level": "\"debug\""],
        "production": ["mode": "\"production\"", "storage.directory": "\"/var/lib/ingestd\"", "log.format": "\"json\""],
    ]

    @Test(arguments: ["development", "production"])
    func `a shipped file lists every setting with meaning and default`(name: String) throws {
        let path = "\(Self.root)/config/\(name).json5"
        let expected = try Self.file(#require(Self.purposes[name]), #require(Self.overrides[name]))
        if Self.isRecording { try expected.write(toFile: path, atomically: true, encoding: .utf8) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == expected)
        #expect(throws: Never.self) { try Configuration.load(file: path, environment: [:]) }
    }

    @Test(arguments: ["development", "production"])
    func `an uncommented shipped file equals the defaults except for its overrides`(name: String) throws {
        let path = "\(Self.root)/config/\(name).json5"
        let leaves = Set(Configuration.settings.map { "// \($0.leaf): " })
        let opened = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            let words = line.drop { $0 == " " }
            return leaves.contains { words.hasPrefix($0) } ? words.dropFirst(3) : line
        }.joined(separator: "\n")
        var reader = ConfigurationReader(Configuration(), Configuration.settings)
        reader.read(file: name, Array(opened.utf8))
        #expect(try Configuration.settings.changed(from: reader.result(), to: Configuration.load(file: path, environment: [:])).isEmpty)
    }

    @Test func `the reference page has a row for every setting`() throws {
        let path = "\(Self.root)/docs/reference/configuration.md"
        let page = try String(contentsOfFile: path, encoding: .utf8)
        let (begin, end) = ("<!-- settings -->\n", "<!-- end of settings -->\n")
        let first = try #require(page.range(of: begin)?.upperBound)
        let last = try #require(page.range(of: end)?.lowerBound)
        let expected = page[..<first] + Self.tables() + page[last...]
        if Self.isRecording { try String(expected).write(toFile: path, atomically: true, encoding: .utf8) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == expected)
    }

    /// The sections in the order in which they first appear; the top level has an empty name.
    private static func sections() -> [(name: String, settings: [Setting<Configuration>])] {
        var names: [String] = []
        for setting in Configuration.settings where !names.contains(String(setting.section)) { names.append(String(setting.section)) }
        return names.map { name in (name, Configuration.settings.filter { $0.section == name }) }
    }

    private static func file(_ purpose: String, _ overrides: [String: String]) -> String {
        var lines = [
            "// \(purpose)",
            "// A line that is commented out shows the default. Durations: \"250ms\", \"10s\", \"5m\", \"2h\", \"30d\", or seconds as a number.",
            "// Sizes: \"64KiB\", \"5MiB\", \"1GiB\", or bytes. INGESTD_SECTION_KEY in the environment overrides a key, and a flag overrides both.",
            "{",
        ]
        var open: [Substring] = []
        for (name, settings) in sections() {
            let path = name.split(separator: ".")
            close(&open, down: path.count - 1, &lines)
            if let last = path.last {
                lines += ["", "\(indent(open.count))\(last): {"]
                open.append(last)
            }
            let indent = indent(open.count)
            for setting in settings {
                let standard = setting.text(in: Configuration())
                lines.append("\(indent)// \(setting.meaning)")
                if let value = overrides[setting.key] {
                    lines.append("\(indent)\(setting.leaf): \(value), // default \(standard)")
                } else {
                    lines.append("\(indent)// \(setting.leaf): \(standard),")
                }
            }
        }
        close(&open, down: 0, &lines)
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    private static func indent(_ depth: Int) -> String { String(repeating: "    ", count: depth + 1) }

    /// Ends the sections beyond a depth.
    private static func close(_ open: inout [Substring], down depth: Int, _ lines: inout [String]) {
        while open.count > max(0, depth) {
            open.removeLast()
            lines.append("\(indent(open.count))},")
        }
    }

    private static func tables() -> String {
        sections().map { name, settings in
            let rows = settings.map { setting in
                "| `\(setting.leaf)` | `\(setting.text(in: Configuration()))` | \(setting.unit) | \(setting.isLive ? "reload" : "restart") "
                    + "| `\(setting.environmentName)` | \(setting.meaning.replacing("|", with: "\\|")) |\n"
            }
            return """

                ## \(name.isEmpty ? "Top level" : "`\(name)`")

                | name | default | unit | applied at | environment variable | meaning |
                |---|---|---|---|---|---|
                \(rows.joined())
                """
        }.joined() + "\n"
    }
}
