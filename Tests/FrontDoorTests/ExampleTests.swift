// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

/// The examples of the documentation, run as printed.
@Suite struct ExampleTests {
    private static let pages = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")

    /// A command and the response printed below it.
    struct Example: Sendable {
        var command: String
        var answer = ""

        /// Indented lines that begin with `curl`. The command ends at its closing quote, the response with the block.
        static func all(in text: String) -> [Example] {
            var examples: [Example] = []
            var isOpen = false
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                guard line.hasPrefix("    ") else {
                    isOpen = false
                    continue
                }
                if line.hasPrefix("    curl") {
                    examples.append(Example(command: String(line)))
                    isOpen = true
                } else if isOpen, let last = examples.indices.last {
                    let isWhole = examples[last].command.count { $0 == "'" }.isMultiple(of: 2)
                    if isWhole { examples[last].answer += line } else { examples[last].command += "\n" + line }
                }
            }
            return examples
        }

        /// Whether a response matches the printed one, in which `…` stands for any text. White space is ignored.
        func agrees(with real: String) -> Bool {
            var rest = real.filter { !$0.isWhitespace }[...]
            let parts = answer.filter { !$0.isWhitespace }.split(separator: "…", omittingEmptySubsequences: false)
            guard let first = parts.first, let last = parts.last, rest.hasPrefix(first), parts.count > 1 || rest == first else { return false }
            rest = rest.dropFirst(first.count)
            for part in parts.dropFirst().dropLast() where !part.isEmpty {
                guard let found = rest.range(of: part) else { return false }
                rest = rest[found.upperBound...]
            }
            return parts.count == 1 || rest.hasSuffix(last)
        }
    }

    @Test(arguments: ["README.md", "docs/guides/queries.md", "docs/guides/messages.md"])
    func `every example of a page returns the printed response`(_ page: String) async throws {
        let examples = Example.all(in: try String(contentsOf: Self.pages.appendingPathComponent(page), encoding: .utf8))
        #expect(examples.count > 7)
        let clock = ManualClock(Day(year: 2026, month: 11, day: 21).start + .hours(12))
        try await withDaemon(clock: clock.clock, sends: false, configure: { $0.sql.enabled = true }) { live in
            let keys = try await live.api.makeApp()
            var environment = [
                "B": "http://127.0.0.1:\(live.api.port)", "INGEST": keys.ingest, "READ": keys.read, "SEND": keys.send, "ADMIN": keys.admin,
            ]
            for example in examples {
                environment["ID"] = try await Self.newestMessage(live.api, keys)
                let real = try await Self.run(example.command, environment)
                #expect(!example.answer.isEmpty && example.agrees(with: real), "\(example.command)\n\(real)")
            }
        }
    }

    /// The newest message's ID, once all messages are fanned out.
    private static func newestMessage(_ api: TestClient, _ keys: AppKeys) async throws -> String {
        while true {
            let messages = try JSON(await api.get("/v1/messages", key: keys.read))["items"]
            if !messages.items.contains(where: { $0["stage"].text == "spreading" }) { return messages[0]["id"].text }
        }
    }

    private static func run(_ command: String, _ environment: [String: String]) async throws -> String {
        let path = ["PATH": "/usr/bin:/bin"]
        return try await ChildProcess.run("/bin/bash", ["-c", command], environment: path.merging(environment) { $1 }).output
    }
}
