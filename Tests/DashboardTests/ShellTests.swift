// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The completion scripts and the manual that both programs print, read by shells and groff.
struct ShellTests {
    private let folder = TemporaryFolder()
    private static let programs = [ProgramUnderTest.dashboard, .ingestd]

    private static func has(_ tool: String) -> Bool { path(of: tool) != nil }

    private static func path(of tool: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + tool }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private func run(_ tool: String, _ arguments: [String]) async throws -> (code: Int32, output: String) {
        try await ChildProcess.run(try #require(Self.path(of: tool)), arguments, environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"])
    }

    private func file(_ words: [String], of program: ProgramUnderTest) async throws -> String {
        let printed = try await program.run(words)
        #expect(printed.code == 0 && printed.complaint.isEmpty)
        let path = folder.path + "/script"
        try printed.output.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// The completions that bash offers for the last word.
    private func offered(_ words: [String], by program: ProgramUnderTest, _ script: String) async throws -> [String] {
        let complete = """
            set -u; source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
            "_${1//-/_}"; [[ ${#COMPREPLY[@]} == 0 ]] || printf '%s\\n' "${COMPREPLY[@]}"
            """
        let ended = try await run("bash", ["-c", complete, "bash", script, program.name] + words)
        #expect(ended.code == 0, "\(ended)")
        return ended.output.split(separator: "\n").map(String.init)
    }

    @Test func `bash completes commands, options, their choices and files`() async throws {
        let script = try await file(["completions", "bash"], of: .dashboard)
        for (words, expected) in [
            (["cras"], ["crashes"]), (["query", "re"], ["realtime", "retention", "revenue"]), (["--profile", "query", "messa"], ["messages"]),
            (["query", "series", "--interval", "m"], ["minute", "month"]), (["query", "series", "--interval", "=", "w"], ["week"]),
            (["crashes", "--wat"], ["--watch"]), (["tail", "--kind", ""], ["crashes", "events", "quarantine"]), (["--color", "al"], ["always"]),
            (["completions", ""], ["--help", "bash", "fish", "zsh"]), (["info", "--key-file", folder.path + "/scr"], [folder.path + "/script"]),
            (["send", "--topic", "x"], []), (["--url", "=", "http", ":", "//x", "check", "--crash-free-m"], ["--crash-free-min"]),
        ] {
            #expect(try await offered(words, by: .dashboard, script).sorted() == expected, "\(words)")
        }
        let other = try await file(["completions", "bash"], of: .ingestd)
        #expect(try await offered(["app", "cr"], by: .ingestd, other) == ["create"])
        #expect(try await offered(["key", "create", "--role", "s"], by: .ingestd, other) == ["send"])
    }

    @Test(.enabled(if: has("zsh"), "zsh is not installed"), arguments: programs)
    func `zsh loads its completions`(program: ProgramUnderTest) async throws {
        let script = try await file(["completions", "zsh"], of: program)
        let ended = try await run(
            "zsh",
            [
                "-f", "-c", "zsh -n \"$1\" 2>&1 && autoload -U compinit && compinit -D && source \"$1\" 2>&1 && echo $_comps[\(program.name)]", "zsh",
                script,
            ])
        #expect(ended.code == 0 && ended.output == "_\(program.name.replacingOccurrences(of: "-", with: "_"))\n", "\(ended)")
    }

    @Test(.enabled(if: has("fish"), "fish is not installed"))
    func `fish completes commands, options and choices`() async throws {
        let script = try await file(["completions", "fish"], of: .dashboard)
        for (line, expected) in [
            ("cras", ["crashes"]), ("query re", ["realtime", "retention", "revenue"]),
            ("--profile query query series --interval m", ["minute", "month"]),
            ("crashes --wat", ["--watch"]), ("completions ", ["bash", "fish", "zsh"]),
        ] {
            let ended = try await run("fish", ["--no-config", "-c", "source $argv[1]; complete -C \"dashboard-cli $argv[2]\" 2>&1", script, line])
            #expect(ended.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }.map(String.init) == expected, "\(ended)")
        }
    }

    @Test(.enabled(if: has("groff"), "groff is not installed"), arguments: programs)
    func `the manual formats without warnings`(program: ProgramUnderTest) async throws {
        let page = try await file(["man"], of: program)
        let ended = try await run("bash", ["-c", "groff -man -Tutf8 -ww -P-c \"$1\" 2>&1 >/dev/null", "bash", page])
        #expect(ended.code == 0 && ended.output.isEmpty, "\(ended)")
        let shown = try await run("bash", ["-c", "groff -man -Tutf8 -P-cbou \"$1\"", "bash", page])
        for part in ["NAME", "SYNOPSIS", "EXIT STATUS", "completions bash|zsh|fish", program.name] {
            #expect(shown.output.contains(part), "\(part)")
        }
    }
}
