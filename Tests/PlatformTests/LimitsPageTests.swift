// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import Testing

/// Compares the defaults in docs/reference/limits.md with the program's.
///
///     20,000 (`server.max_connections`)    5 MiB (`server.max_body`)    40 characters (`name_length`)
struct LimitsPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    private static func file(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    /// The defaults by name: `section.key` as in config/production.json5, and an app's settings.
    private static func defaults() throws -> [String: String] {
        var section = ""
        var defaults = Dictionary(uniqueKeysWithValues: AppSettings.fields.map { ($0.name, $0.text(in: AppSettings())) })
        for line in try file("config/production.json5").split(separator: "\n") {
            if let begin = line.firstMatch(of: /^    (\w+): \{/) {
                section = String(begin.output.1)
            } else if let entry = line.firstMatch(of: /^ +\/\/ (\w+): "?([^"]+?)"?,$/) {
                defaults["\(section).\(entry.output.1)"] = String(entry.output.2)
            }
        }
        return defaults
    }

    /// A value of the page as in a configuration: `5MiB` for `5 MiB`, `1m` for `1 min`, `7` for `7 days`.
    private static func value(_ number: Substring, _ unit: Substring?) -> String {
        let digits = String(number.filter(\.isNumber))
        return switch unit {
        case "KiB"?, "MiB"?, "GiB"?, "s"?: digits + String(unit ?? "")
        case "min"?: digits + "m"
        default: digits
        }
    }

    @Test func `the limits page states the defaults of settings`() throws {
        let defaults = try Self.defaults()
        let stated = try Self.file("docs/reference/limits.md").matches(of: /(\d[\d,]*)(?: (\w+))?[^|;(\d]*\(`([a-z_.]+)`\)/)
        #expect(stated.count > 35)
        for match in stated {
            let name = String(match.output.3)
            #expect(defaults[name] == Self.value(match.output.1, match.output.2), "\(name)")
        }
    }
}
