// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import Platform
import TestSupport
import Testing

@testable import Panes
@testable import dashboard_cli

/// The commands for scripts: limits, effective settings, and output without escape sequences.
struct ScriptTests {
    @Test func `check compares figures with limits`() async throws {
        let running = try await DevelopmentDaemon()
        let nothing = try await running.run("check", "--crash-free-min", "99.5", "--crash-free-sessions-min", "99")
        #expect(
            nothing.code == 0 && nothing.output.split(separator: "\n").allSatisfy { $0.hasPrefix("ok ") && $0.contains("no data") },
            "\(nothing)")
        let strict = try await running.run("check", "--crash-free-min", "99.5", "--strict", "--json")
        #expect(try strict.code == 5 && strict.json()["ok"] as? Bool == false, "\(strict)")
        try await running.take(
            #"[{"name": "session_start", "user_id": "u", "session_id": "1"}, {"name": "session_start", "user_id": "v", "session_id": "2"}, {"name": ""}, {"name": "app_exception", "user_id": "v", "session_id": "2", "params": {"fatal": 1}}]"#
        )
        let well = try await running.run(
            "check", "--events-min", "2", "--since", "1h", "--storage-max", "1GiB", "--dead-deliveries-max", "0",
            "--quarantine-max-share", "30", "--ready")
        #expect(well.code == 0 && well.complaint.isEmpty && well.output.split(separator: "\n").count == 5, "\(well)")
        let broken = try await running.run("check", "--events-min", "1000", "--quarantine-max-share", "24.9", "--ready", "--quiet")
        #expect(
            broken.code == 5 && broken.complaintIsOneLine && broken.complaint.contains("2 of 3") && broken.output.split(separator: "\n").count == 2
                && broken.output.contains("at least 1,000"), "\(broken)")
        let json = try await running.run("check", "--events-min", "1000", "--ready", "--json").json()
        let checks = try #require(json["checks"] as? [[String: Any]])
        #expect(
            checks.map { $0["state"] as? String } == ["failed", "ok"] && checks[0]["limit"] as? Double == 1_000 && json["since"] as? String == "24h")
        #expect(try await running.run("check", "--ready", as: "ingest").code == 3)
        #expect(await running.process.stop() == 0)
        #expect(try await running.run("check", "--ready").code == 4)
    }

    @Test func `check compares figures of the machine over the control socket`() async throws {
        let running = try await DevelopmentDaemon()
        let limits = ["check", "--free-disk-min", "1MiB", "--commit-p99-max", "100000", "--ready"]
        for role in ["read", "admin"] {
            let denied = try await running.run(limits, as: role)
            #expect(denied.code == 3 && denied.complaintIsOneLine && denied.output.isEmpty, "\(denied)")
            for part in ["--free-disk-min", "--control-socket", "ingestd status"] { #expect(denied.complaint.contains(part), "\(denied)") }
        }
        let socket = running.folder.path + "/control.sock"
        try await running.take(#"[{"name": "a"}]"#)
        let well = try await running.run(limits + ["--control-socket", socket])
        #expect(well.code == 0 && well.output.split(separator: "\n").count == 3, "\(well)")
        let environment = running.environment("read").merging(["SIGNALBOX_CONTROL_SOCKET": socket]) { $1 }
        let full = try await ProgramUnderTest.dashboard.run(
            ["check", "--free-disk-min", "9000000000000000000", "--commit-p99-max", "0", "--quiet"], environment: environment)
        #expect(full.code == 5 && full.output.split(separator: "\n").count == 2 && full.output.contains(" ms"), "\(full)")
        let missing = try await running.run(["check", "--free-disk-min", "1", "--control-socket", socket + "x"])
        #expect(missing.code == 4 && missing.complaint.contains(socket + "x"), "\(missing)")
    }

    @Test(arguments: [
        ("free-disk-min", "5GiB", 5_368_709_120.0), ("commit-p99-max", "20", 20), ("storage-max", "5GiB", 5_368_709_120.0),
        ("storage-max", "100", 100), ("crash-free-min", "99.95", 99.95), ("events-min", "20", 20),
    ])
    func `limits accept sizes and numbers`(name: String, text: String, limit: Double) throws {
        let check = try #require(Check.all.first { $0.option.name == "--" + name })
        var arguments = Arguments()
        #expect(try check.limit(arguments) == nil)
        arguments.values[check.option.name] = [text]
        #expect(try check.limit(arguments) == limit && check.side.holds(limit, limit))
    }

    @Test func `a closed output ends the program with the code of SIGPIPE`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        #expect(await (try ProgramUnderTest.dashboard.start(["man"], output: ends[1])).exitCode() == 141)
    }

    @Test func `an unsupported URL scheme is a usage error`() async throws {
        let ended = try await ProgramUnderTest.dashboard.run(["overview", "--url", "ftp://x", "--key", "sb_x"])
        #expect(ended.code == 2 && ended.complaintIsOneLine, "\(ended)")
    }

    @Test func `info prints the effective settings without the key`() async throws {
        let running = try await DevelopmentDaemon()
        let info = try await running.run("info")
        #expect(info.code == 0 && info.output.contains("SIGNALBOX_KEY") && info.output.contains(running.url), "\(info)")
        #expect(!info.output.contains(running.keys.text("read")))
        let file = running.folder.path + "/key"
        try running.keys.text("send").write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let open = try await ProgramUnderTest.dashboard.run(
            ["--url", running.url, "--key-file", file, "info", "--json"], environment: ["HOME": running.folder.path])
        let json = try open.json()
        #expect(json["role"] as? String == "send" && json["url_from"] as? String == "--url" && json["key_from"] as? String == "--key-file \(file)")
        #expect(
            json["app"] as? String == "default" && open.complaint.contains("chmod 600") && !open.output.contains(running.keys.text("send")), "\(open)"
        )
        let nobody = try await ProgramUnderTest.dashboard.run(["info"], environment: ["HOME": "/nowhere"])
        #expect(nobody.code == 3 && nobody.output.contains("/nowhere/.config/signalbox/profiles.json") && nobody.complaintIsOneLine, "\(nobody)")
        #expect(await running.process.stop() == 0)
        #expect(try await running.run("info").code == 4)
    }

    private static let words: [String: [String]] = [
        "live": ["--since", "1h"], "query top": ["--field", "name"], "query funnel": ["--steps", "session_start", "--steps", "purchase"],
        "query sql": ["SELECT 1"],
        "demo": ["--people", "2", "--days", "1"], "send": ["--topic", "news", "--title", "\u{1b}[31mred"], "check": ["--ready"],
        "completions": ["zsh"], "report": ["--html", "-"],
        "login": ["--profile", "other"], "logout": ["--profile", "other"],
    ]

    @Test func `output that is not a terminal gets no escape sequences`() async throws {
        let running = try await DevelopmentDaemon(["INGESTD_SQL_ENABLED": "true"])
        let home = ["XDG_CONFIG_HOME": running.folder.path, "TERM": "xterm-256color", "COLORTERM": "truecolor"]
        try await running.take(#"[{"name": "a", "params": {"x": "\u001b[31mred\u001b]0;title\u0007"}}]"#)
        for command in CommandTable.dashboard.commands where command.name != "tail" {
            let environment = running.environment(["demo": "ingest"][command.name] ?? "admin").merging(home) { $1 }
            let ended = try await ProgramUnderTest.dashboard.run(
                command.path + (Self.words[command.name] ?? []) + (command.name == "login" ? ["--url", running.url] : []), environment: environment,
                input: running.keys.text("read"))
            #expect(!(ended.output + ended.complaint).utf8.contains(0x1b), "\(ended)")
            #expect(ended.code == 0, "\(command.name): \(ended)")
        }
        let tail = try LiveProgram(.dashboard, ["tail", "--after", "0"], running.environment("read").merging(home) { $1 })
        #expect(try await !tail.output.line { $0.contains("red") }.utf8.contains(0x1b))
        tail.signal(SIGINT)
        #expect(await tail.exitCode() == 0)
        #expect(try await running.run("overview", "--color", "always").output.contains("\u{1b}["))
    }

    @Test func `the demo shows progress only on a terminal`() async throws {
        let running = try await DevelopmentDaemon()
        #expect(try await !running.run("demo", "--people", "4", "--days", "1", as: "ingest").complaint.contains("\r"))
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let program = try terminal.start(.dashboard, ["demo", "--people", "40", "--days", "1"], running.environment("ingest"))
        #expect(terminal.read(until: "people over").contains("\rSending to /v1/events: 0 of "))
        #expect(await program.exitCode() == 0)
    }
}
