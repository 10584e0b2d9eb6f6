// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Platform

struct InvocationTests {
    private static func command(_ words: String, operands: [String] = [], _ options: [Option] = []) -> Command {
        Command(words, "Does \(words).", operands: operands, options: options) { _ in }
    }

    private static let url = Option("--url", .text("URL"), "The address.")
    private static let pace = Option("--pace", .number("N", 0...9), "How fast.").standingAlone(for: 2)
    private static let loud = Option("--loud", .none, "Says more.")
    private static let table = CommandTable(
        program: "p", about: "A program.",
        groups: [
            CommandGroup("First", [command("look", [url, pace, loud]), command("list all", [url]), command("list some", [url, loud])]),
            CommandGroup("Second", [command("script", operands: ["bash|zsh"]), command("show", operands: ["ID"]), command("plain")]),
        ], standard: command("look", [url, pace, loud]))

    private func run(_ words: String...) throws -> (name: String, arguments: Arguments)? {
        guard case .run(let command, let arguments) = try Invocation(words, of: Self.table) else { return nil }
        return (command.name, arguments)
    }

    @Test func `options of the standard command may precede a command that accepts them`() throws {
        for words in [["--url", "u", "list", "some", "--loud"], ["--url=u", "--loud", "list", "some"], ["list", "some", "--url", "u", "--loud"]] {
            guard case .run(let command, let arguments) = try Invocation(words, of: Self.table) else {
                Issue.record("\(words)")
                continue
            }
            #expect(command.name == "list some" && arguments.one("--url") == "u" && arguments.has(Self.loud), "\(words)")
        }
    }

    @Test func `an option's value is not taken for a command`() throws {
        let looked = try #require(try run("--url", "plain"))
        #expect(looked.name == "look" && looked.arguments.one("--url") == "plain")
        let paced = try #require(try run("--pace", "5", "look", "--url", "u"))
        #expect(paced.name == "look" && paced.arguments.one("--pace") == "5")
        let standing = try #require(try run("--pace", "look"))
        #expect(standing.name == "look" && standing.arguments.one("--pace") == "2")
        #expect(try run("--loud")?.name == "look")
    }

    @Test(arguments: [
        ["--loud", "list", "all"], ["--url", "u", "plain"], ["--url", "u", "lst"], ["--url", "u", "list"], ["--url"],
        ["--url", "u", "look", "--url", "v"],
        ["--other", "look"], ["--url", "u", "list", "none"], ["script"], ["script", "csh"],
        ["look", "--url", ""], ["look", "--url="], ["show", ""],
    ])
    func `an unknown argument is a usage error`(words: [String]) {
        #expect(throws: UsageError.self) { try Invocation(words, of: Self.table) }
    }

    @Test func `an operand may be one of fixed words`() throws {
        #expect(try run("script", "zsh")?.arguments.operands == ["zsh"])
    }

    @Test func `help shows commands in their groups`() throws {
        #expect(
            Help(Self.table).overview.hasPrefix(
                """
                A program.

                First:
                  p look       Does look.
                  p list all   Does list all.
                  p list some  Does list some.

                Second:
                  p script     Does script.
                  p show       Does show.
                  p plain      Does plain.

                """))
        guard case .help(let group) = try Invocation(["--url", "u", "list", "--help"], of: Self.table) else {
            Issue.record("no help")
            return
        }
        #expect(group.contains("p list all") && !group.contains("p look"))
    }

    @Test func `progress is shown in numbers`() {
        #expect(Progress.line("Sending", 3, of: 12) == "Sending: 3 of 12, 25 %")
        #expect(Progress.line("Sending", 0, of: 0) == "Sending: 0 of 0, 100 %" && Progress.line("Reading", 7, of: nil) == "Reading: 7")
    }

    @Test func `the manual contains no unintended roff commands`() {
        #expect(ManPage.escaped(".x -y 'z' \\ … \u{1F600}") == "\\&.x \\-y \\(aqz\\(aq \\e \\[u2026] \\[u1F600]")
    }
}
