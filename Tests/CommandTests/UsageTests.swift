// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

struct UsageTests {
    @Test(arguments: [
        ["ap", "list"], ["app"], ["app", "lst"], ["app", "list", "--dat", "x"], ["app", "list", "--data"], ["app", "list", "--json=1"],
        ["app", "create"],
        ["app", "create", "a", "b"], ["app", "set", "1"], ["app", "set", "1", "tz"], ["app", "set", "1", "tzz=UTC"],
        ["app", "list", "--data", "a", "--data", "b"],
        ["key", "create", "--app", "1"], ["key", "create", "--app", "1", "--role", "boss"], ["key", "revoke", "1"], ["key", "rotate"], ["backup"],
        ["restore"],
        ["export"],
        ["export", "--app", "1", "--format", "xml"], ["export", "--app", "1", "--after", "-1"], ["export", "--app", "1", "--after", "x"],
        ["audit", "--limit", "0"],
        ["--lisen", "x"],
        ["check", "file"], ["version", "1"], ["completions"], ["completions", "csh"], ["--data", "x", "version"],
    ])
    func `a usage error is one line with exit code 2`(arguments: [String]) async throws {
        let ended = try await Program.run(arguments)
        #expect(ended.code == 2 && ended.output.isEmpty && ended.complaintIsOneLine, "\(ended)")
    }

    @Test(arguments: [
        (["ap", "list"], "app"), (["app", "lst"], "app list"), (["app", "list", "--dat", "x"], "--data"), (["--lisen", "x"], "--listen"),
        (["app", "set", "1", "retention-days=3"], "retention_days"),
    ])
    func `a typo gets a suggestion`(arguments: [String], meant: String) async throws {
        #expect(try await Program.run(arguments).complaint.contains("Did you mean \(meant)"))
    }

    private static let commands = [
        "serve", "check", "status", "app create", "app list", "app show", "app set", "app rename", "app delete", "key create", "key list",
        "key rotate",
        "key revoke", "auth list", "auth show", "auth create", "auth claims", "auth disable", "auth enable", "auth delete", "auth sign-out",
        "auth reset", "auth remove-factors", "auth audit", "auth keys", "auth import", "auth export", "documents export", "documents import",
        "function ls", "function set", "function worker", "function rm", "function call", "function runs", "function logs", "function redrive",
        "function export", "function import", "files export", "files import", "files pending",
        "audit", "backup", "backup verify", "rules check", "rules test", "rules set",
        "rules history", "rules explain", "rules denials", "rules shadow",
        "restore", "export", "issues regroup", "demangle", "resolve", "read-minidump", "confined", "confined-worker", "completions", "man", "version",
    ]

    @Test(arguments: commands)
    func `every command has help`(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let help = try await Program.run(words + ["--help"])
        #expect(help.code == 0 && help.complaint.isEmpty && help.output.contains("Usage: ingestd \(command)") && help.output.contains("--help"))
        let other = try await Program.run(["help"] + words)
        #expect(other.output == help.output)
    }

    @Test func `the overview of help has every command`() async throws {
        let overview = try await Program.run("--help")
        #expect(overview.code == 0)
        for command in Self.commands { #expect(overview.output.contains("ingestd \(command) "), "\(command)") }
    }

    @Test(arguments: ["documents import", "documents indexes", "documents ttl", "rules explain", "rules shadow"])
    func `details of help fill their lines`(command: String) async throws {
        let help = try await Program.run(command.split(separator: " ").map(String.init) + ["--help"])
        let all = help.output.split(separator: "\n", omittingEmptySubsequences: false)
        let lines = Array(all.reversed().drop { $0.isEmpty }.prefix { !$0.isEmpty })
        #expect(lines.count > 1, "\(help)")
        for (next, line) in zip(lines, lines.dropFirst()) {
            let word = next.prefix { $0 != " " }
            #expect(line.count + 1 + word.count > 100, "\(line)")
        }
    }

    @Test(arguments: [["help"], ["-h"], ["help", "help"], ["help", "-h"]]) func `the overview of help has several spellings`(words: [String])
        async throws
    {
        let help = try await Program.run(words)
        #expect(help.code == 0 && help.complaint.isEmpty)
        #expect(try await help.output == Program.run("--help").output)
    }

    @Test(arguments: [["key", "create", "-h"], ["-h", "key", "create"]]) func `-h shows the help of a command`(words: [String]) async throws {
        let help = try await Program.run(words)
        #expect(help.code == 0 && help.complaint.isEmpty)
        #expect(try await help.output == Program.run("key", "create", "--help").output)
    }

    @Test func `a command group has help`() async throws {
        let help = try await Program.run("key", "--help")
        #expect(help.code == 0 && help.output.contains("ingestd key revoke ID") && !help.output.contains("ingestd app"))
    }

    @Test(arguments: ["version", "--version"]) func `the version is printed`(word: String) async throws {
        let ended = try await Program.run(word)
        #expect(ended.code == 0 && ended.output.wholeMatch(of: /ingestd \d+\.\d+\.\d+\n/) != nil)
    }
}
