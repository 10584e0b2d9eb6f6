// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import Platform
import TestSupport
import Testing

@testable import Panes
@testable import dashboard_cli

/// Runs the program against a running daemon.
struct DashboardCommandTests {
    private static let dashboard = ProgramUnderTest.dashboard

    @Test func `overview and queries of demo data are printed in every format`() async throws {
        let running = try await DevelopmentDaemon()
        let demo = try await running.run("demo", "--people", "20", "--days", "2", as: "ingest")
        #expect(demo.code == 0 && demo.output.isEmpty && demo.complaint.contains("of 20 people"), "\(demo)")

        // The shop of the demo sleeps at night and on Sundays for less than 24 hours.
        let overview = try await running.run("overview", "--since", "24h")
        #expect(overview.code == 0 && !overview.output.contains("\u{1b}"))
        for part in [
            "Events by day", "people now", "crash-free users", "Messages", "Top events", "Top screens", "Revenue today",
            "Quarantined", "events today", "screen_view",
        ] {
            #expect(overview.output.contains(part), "\(part) in\n\(overview.output)")
        }
        let json = try await running.run("overview", "--json").json()
        #expect(
            Set(json.keys).isSuperset(of: ["app", "system", "events", "days", "top_events"])
                && (json["app"] as? [String: Any])?["name"] as? String == "default")

        let series = try await running.run("query", "series", "--interval", "hour", "--from", "-3h", "--json")
        #expect(try (series.json()["series"] as? [Any])?.count == 1)
        let plain = try await running.run("query", "series")
        #expect(plain.code == 0 && plain.output.contains("series\nt ") && plain.output.contains("\ntotal "))
        let csv = try await running.run("query", "top", "--field", "name", "--filter", "name!=screen_view", "--limit", "3", "--csv")
        #expect(csv.output.hasPrefix("name,value\r\n") && csv.output.contains("\r\nsession_start,") && !csv.output.contains("screen_view"), "\(csv)")
        let funnel = try await running.run("query", "funnel", "--steps", "session_start", "--steps", "screen_view;params.screen_name=Home", "--json")
        #expect(try (funnel.json()["steps"] as? [Any])?.count == 2, "\(funnel)")
        let body = #"{"steps": [{"event": "session_start"}, {"event": "screen_view", "filter": "params.screen_name=Home"}]}"#
        #expect(try await running.run("query", "funnel", "--body", "-", "--json", input: body).output == funnel.output)
        let wrong = try await running.run("query", "series", "--filter", "nonsense")
        #expect(wrong.code == 1 && wrong.complaintIsOneLine && wrong.complaint.contains("filter"))
        #expect(await running.process.stop() == 0)
    }

    @Test func `a message is sent with a send or admin key, not with a read key`() async throws {
        let running = try await DevelopmentDaemon()
        #expect(try await running.run("demo", "--people", "4", "--days", "1", as: "ingest").code == 0)
        let dry = try await running.run("send", "--topic", "news", "--title", "Hello", "--dry", as: "send")
        #expect(dry.code == 0 && dry.output == "It would go to 4 devices.\n", "\(dry)")
        let sent = try await running.run(
            "send", "--topic", "offers", "--title", "=Hello", "--body", "a \"b\"", "--label", "test", "--json", as: "send")
        #expect(try sent.json()["audience"] as? Int == 2, "\(sent)")
        let some = try await running.run("send", "--condition", "!('offers' in topics)", "--title", "Hello", as: "admin")
        #expect(some.code == 0 && some.output.hasPrefix("msg_") && some.output.hasSuffix(" goes to 2 devices.\n"), "\(some)")
        for (refused, code) in [
            (try await running.run("send", "--topic", "news", "--title", "x"), ExitCode.denied),
            (try await running.run("send", "--topic", "no topic", "--title", "x", as: "send"), ExitCode.failed),
        ] {
            #expect(refused.code == code && refused.output.isEmpty && refused.complaintIsOneLine, "\(refused)")
        }
        #expect(await running.process.stop() == 0)
    }

    @Test func `SQL queries run with an admin key`() async throws {
        let running = try await DevelopmentDaemon(["INGESTD_SQL_ENABLED": "true"])
        try await running.take(#"[{"name": "a", "params": {"n": 3}}, {"name": "b"}, {"name": "b", "user_id": "=x"}]"#)
        let sql = "SELECT name, count(*) AS n, max(user_id) AS who FROM events GROUP BY name ORDER BY name"
        let csv = try await running.run("query", "sql", sql, "--csv", as: "admin")
        #expect(csv.output == "name,n,who\r\na,1,null\r\nb,2,'=x\r\n", "\(csv)")
        let plain = try await running.run("query", "sql", "--file", "-", "--limit", "1", as: "admin", input: sql)
        #expect(plain.output == "truncated  true\n\nrows\nname  n  who\na     1  null\n", "\(plain)")
        let json = try await running.run("query", "sql", "SELECT 1", "--json", as: "admin").json()
        #expect(json["columns"] as? [String] == ["1"] && (json["rows"] as? [[Int]]) == [[1]])
        for (refused, code) in [
            (try await running.run("query", "sql", sql), ExitCode.denied),
            (try await running.run("query", "sql", "SELEC", as: "admin"), ExitCode.failed),
            (try await running.run("query", "sql", "--file", "/nowhere", as: "admin"), ExitCode.failed),
        ] {
            #expect(refused.code == code && refused.output.isEmpty && refused.complaintIsOneLine, "\(refused)")
        }
    }

    @Test func `a login is verified, stored and removed`() async throws {
        let running = try await DevelopmentDaemon()
        let home = ["XDG_CONFIG_HOME": running.folder.path + "/config"]
        let run = { (arguments: [String], input: String?) in try await Self.dashboard.run(arguments, environment: home, input: input) }
        let key = running.keys.text("read")
        let login = try await run(["login", "--url", running.url], key + "\n")
        #expect(login.code == 0 && login.output.contains("«default»") && !(login.output + login.complaint).contains(key), "\(login)")
        #expect(try await run(["query", "realtime", "--json"], nil).code == 0)
        let ingest = try await run(["login", "--url", running.url, "--profile", "x"], running.keys.text("ingest"))
        #expect(ingest.code == 1 && ingest.complaintIsOneLine && ingest.complaint.contains("ingest"))
        let unknown = try await run(["login", "--url", running.url], "sb_read_nobody")
        #expect(unknown.code == 3 && unknown.complaintIsOneLine && !unknown.complaint.contains("nobody"))
        #expect(try await run(["login", "--url", running.url], "").code == 1)
        #expect(try await run(["logout"], nil).code == 0)
        let out = try await run(["overview"], nil)
        #expect(out.code == 3 && out.complaintIsOneLine && out.complaint.contains("dashboard-cli login"))
    }

    @Test func `an unreachable daemon is a one-line error`() async throws {
        let environment = ["SIGNALBOX_URL": "http://127.0.0.1:1", "SIGNALBOX_KEY": "sb_read_x"]
        for arguments in [
            ["overview"], ["overview", "--json"], ["query", "series"], ["tail"], ["demo"], ["send", "--topic", "news", "--title", "x"],
        ] {
            let ended = try await Self.dashboard.run(arguments, environment: environment)
            #expect(ended.code == 4 && ended.output.isEmpty && ended.complaintIsOneLine && ended.complaint.contains("127.0.0.1:1"), "\(ended)")
        }
    }

    @Test(arguments: [
        ["overvew"], ["query"], ["query", "serie"], ["query", "series", "--intervall", "day"], ["query", "series", "--interval", "year"],
        ["query", "top", "--json", "--csv"], ["query", "sql"], ["query", "sql", "SELECT 1", "--file", "-"],
        ["query", "top", "--limit", "3", "--body", "-"], ["tail", "--kind", "messages"], ["query", "series", "--watch", "-1"], ["tail", "x"],
        ["--plan"], ["login", "--key"], ["send", "--topic", "news"], ["send", "--title", "x"],
        ["send", "--title", "x", "--topic", "a", "--condition", "b"],
        ["overview", "--since", "1y"], ["overview", "x"], ["crashes", ""], ["crashes", "iss_1", "iss_2"], ["topics", "--json", "--plain"],
        ["--url", "http://127.0.0.1:1", "tpics"], ["--color", "always", "version"], ["live", "--watch", "5"],
        ["info", "--key", "a", "--key-file", "b"],
        ["check"], ["check", "--crash-free-min", "101"], ["check", "--storage-max", "5 GiB more"], ["completions"], ["completions", "csh"],
    ])
    func `a usage error is one line with exit code 2`(arguments: [String]) async throws {
        let ended = try await Self.dashboard.run(arguments)
        #expect(ended.code == 2 && ended.output.isEmpty && ended.complaintIsOneLine, "\(ended)")
    }

    @Test(arguments: CommandTable.dashboard.commands.map(\.name))
    func `every command has help`(command: String) async throws {
        let help = try await Self.dashboard.run(command.split(separator: " ").map(String.init) + ["--help"])
        #expect(help.code == 0 && help.complaint.isEmpty && help.output.contains("Usage: dashboard-cli \(command)"))
    }

    @Test func `the overview of help has every command`() async throws {
        let overview = try await Self.dashboard.run(["help"])
        #expect(overview.code == 0)
        for command in CommandTable.dashboard.commands { #expect(overview.output.contains("dashboard-cli \(command.name) "), "\(command.name)") }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGABRT]) func `the terminal is restored after every signal`(signal: Int32) async throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let before = terminal.settings
        let program = try terminal.start(
            Self.dashboard, ["overview"], ["SIGNALBOX_URL": "http://127.0.0.1:1", "SIGNALBOX_KEY": "k", "TERM": "xterm", "LANG": "C.UTF-8"])
        let shown = terminal.read(until: "retrying")
        #expect(shown.contains("\u{1b}[?1049h") && shown.contains("No daemon responds") && terminal.settings != before)
        terminal.signal(signal)
        #expect(await program.exitCode() == 128 + signal)
        #expect(terminal.read(until: "\u{1b}[?1049l").contains("\u{1b}[?25h") && terminal.settings == before)
    }

    @Test func `keys and resizing take effect without a daemon, and q quits`() async throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let before = terminal.settings
        let program = try terminal.start(
            Self.dashboard, ["overview"], ["SIGNALBOX_URL": "http://127.0.0.1:1", "SIGNALBOX_KEY": "k", "TERM": "xterm", "LANG": "C.UTF-8"])
        _ = terminal.read(until: "retrying")
        terminal.type("?")
        #expect(terminal.read(until: "Keys").contains("Keys"))
        terminal.resize(columns: 20, rows: 5)
        terminal.signal(SIGWINCH)
        #expect(terminal.read(until: "20x5").contains("Too small"))
        terminal.type("q")
        #expect(await program.exitCode() == 0)
        #expect(terminal.read(until: "\u{1b}[?1049l").contains("\u{1b}[?25h") && terminal.settings == before)
    }
}
