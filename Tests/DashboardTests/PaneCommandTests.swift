// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import Platform
import TestSupport
import Testing

@testable import Panes
@testable import dashboard_cli

/// Runs every pane as a command against a running daemon.
struct PaneCommandTests {
    private static let panes = PaneList.tabs.filter { !($0 is LivePane) }
    /// The panes with a time range, and those of them that compare.
    private static let compared = ranged.filter { !["crashes", "funnels", "accounts"].contains($0) }
    private static let ranged = ["overview", "events", "screens", "users", "funnels", "revenue", "sessions", "crashes", "releases", "accounts"]

    @Test func `each pane has a name and a summary`() {
        for pane in PaneList.types { #expect(pane.summary.hasSuffix(".") && !pane.name.isEmpty, "\(pane.name)") }
        #expect(CommandTable.dashboard.commands.prefix(PaneList.tabs.count).map(\.name) == PaneList.tabs.map { $0.title.lowercased() })
    }

    @Test func `each pane is printed as text, JSON and CSV`() async throws {
        let running = try await DevelopmentDaemon()
        #expect(try await running.run("demo", "--people", "20", "--days", "2", as: "ingest").code == 0)
        #expect(try await running.run("send", "--topic", "news", "--title", "Hello", as: "send").code == 0)
        for pane in Self.panes {
            let word = pane.title.lowercased()
            let ranged = Self.ranged.contains(word) ? ["--since", "24h"] : []
            let key = word == "accounts" ? "admin" : "read"
            let plain = try await running.run([word] + ranged + (Self.compared.contains(word) ? ["--compare"] : []), as: key)
            #expect(plain.code == 0 && plain.complaint.isEmpty && plain.output.contains("default  127.0.0.1"), "\(plain)")
            let json = try await running.run([word, "--json"] + ranged, as: key)
            let further = word == "overview" ? ["people_so_far", "people_so_far_before"] : []
            let names = pane.queries(ViewOptions(range: .day)).map(\.name) + further + ["app", "system"]
            #expect(try json.code == 0 && Set(json.json().keys) == Set(names) && json.output.filter(\.isNewline).count == 1, "\(json)")
            let csv = try await running.run(word, "--csv", as: key)
            if !pane.queries(ViewOptions()).isEmpty { #expect(csv.code == 0 && csv.complaint.isEmpty, "\(csv)") }
        }
        let topics = try await running.run("topics", "--csv")
        #expect(topics.output.hasPrefix("topic,subscribers,") && topics.output.contains("\r\nnews,20,"), "\(topics)")
    }

    @Test func `an option that a pane would ignore is a usage error that names the panes with it`() async throws {
        for pane in Self.panes.map({ $0.title.lowercased() }) {
            for (option, panes) in [(["--since", "7d"], Self.ranged), (["--compare"], Self.compared)] where !panes.contains(pane) {
                let refused = try await ProgramUnderTest.dashboard.run([pane, "--key", "sb_x", "--plain"] + option)
                #expect(refused.code == 2 && refused.output.isEmpty && refused.complaintIsOneLine, "\(refused)")
                #expect(refused.complaint.contains("\(option[0]) does not apply to \(pane).") && refused.complaint.contains("sessions"), "\(refused)")
            }
        }
        for pane in Self.panes.map({ $0.title.lowercased() }) {
            let help = try await ProgramUnderTest.dashboard.run([pane, "--help"]).output
            #expect(help.contains("--since") == Self.ranged.contains(pane) && help.contains("--compare") == Self.compared.contains(pane), "\(help)")
        }
        let one = try await ProgramUnderTest.dashboard.run(["users", "ann", "--since", "7d", "--key", "sb_x"])
        #expect(one.code == 2 && one.complaint.contains("--since does not apply to one person. It works with overview, live, events,"), "\(one)")
        let picture = try await ProgramUnderTest.dashboard.run(["live", "--since", "7d", "--svg", "-", "--key", "sb_x"])
        #expect(picture.code == 2 && picture.complaintIsOneLine, "\(picture)")
    }

    @Test func `crashes since a time are those last seen within it`() async throws {
        let running = try await DevelopmentDaemon()
        let now = WallClock.system.now()
        let crash = { (type: String, time: Timestamp) in
            #"{"timestamp": "\#(time.rfc3339)", "type": "\#(type)", "frames": [{"function": "\#(type).f()", "in_app": true}]}"#
        }
        let crashes = [crash("Fresh", now - .minutes(5)), crash("Stale", now - .days(2))]
        let sent = try await running.process.api.post(
            "/v1/crashes", key: running.keys.text("ingest"), #"{"crashes": [\#(crashes.joined(separator: ","))]}"#)
        #expect(sent.status == 200, "\(sent.text)")
        let since = try await running.run("crashes", "--since", "24h", "--csv").output
        #expect(since.contains("Fresh") && !since.contains("Stale"), "\(since)")
        let all = try await running.run("crashes", "--csv").output
        #expect(all.contains("Fresh") && all.contains("Stale"), "\(all)")
    }

    @Test func `CSV has all pages of a list`() async throws {
        let running = try await DevelopmentDaemon()
        let bad = (0..<730).map { #"{"name": "9bad\#($0)"}"# }.joined(separator: ",")
        try await running.take("[\(bad)]")
        let csv = try await running.run("quarantine", "--csv").output.split(separator: "\r\n")
        #expect(csv.count == 731 && csv[0].hasPrefix("seq,") && Set(csv).count == 731 && csv[730].contains("9bad0\""), "\(csv.count)")
        let json = try await running.run("quarantine", "--json").json()
        #expect(((json["quarantined"] as? [String: Any])?["items"] as? [Any])?.count == 100)
    }

    @Test func `a message, topic or issue is opened by its ID`() async throws {
        let running = try await DevelopmentDaemon()
        #expect(try await running.run("demo", "--people", "4", "--days", "1", as: "ingest").code == 0)
        let sent = try await running.run("send", "--topic", "news", "--title", "Hello there", "--json", as: "send").json()
        let message = try await running.run("messages", try #require(sent["id"] as? String))
        #expect(message.code == 0 && message.output.contains("Hello there"), "\(message)")
        let topic = try await running.run("--plain", "topics", "news")
        #expect(topic.code == 0 && topic.output.contains("news"), "\(topic)")
        for (word, id) in [("messages", "msg_nothing"), ("crashes", "iss_nothing")] {
            let missing = try await running.run(word, id, "--json")
            #expect(missing.code == 1 && missing.output.isEmpty && missing.complaintIsOneLine, "\(missing)")
        }
    }

    @Test func `a request rejected as a whole is a one-line error with an exit code`() async throws {
        let running = try await DevelopmentDaemon()
        for arguments in [["overview"], ["crashes", "--json"], ["crashes", "--csv"], ["topics", "--watch", "0"]] {
            let refused = try await ProgramUnderTest.dashboard.run(arguments, environment: running.environment("ingest"))
            #expect(refused.code == 3 && refused.output.isEmpty && refused.complaintIsOneLine, "\(refused)")
        }
        let unknown = running.environment("read").merging(["SIGNALBOX_KEY": "sb_read_nobody"]) { $1 }
        #expect(try await ProgramUnderTest.dashboard.run(["topics"], environment: unknown).code == 3)
    }

    @Test func `a watch prints one JSON line per refresh, CSV headings once, and continues after a restart`() async throws {
        var running = try await DevelopmentDaemon()
        let watch = { (arguments: [String]) in try LiveProgram(.dashboard, ["--watch", "0", "messages"] + arguments, running.environment("send")) }
        let (json, csv, plain) = (try watch(["--json"]), try watch(["--csv"]), try watch(["--plain"]))
        for title in ["first", "second"] {
            #expect(try await running.run("send", "--topic", "news", "--title", title, "--label", title, as: "send").code == 0)
            for program in [json, csv, plain] { _ = try await program.output.line { $0.contains(title) } }
        }
        #expect(json.output.lines.dropLast().allSatisfy { (try? JSONValue(Array($0.utf8)))?["messages"] != nil })
        let headings = try #require(csv.output.lines.first { $0.hasPrefix("sent_at,") })
        #expect(csv.output.lines.count { $0.hasPrefix("sent_at,") } <= csv.output.lines.count / 2 && headings.contains("label"))
        #expect(plain.output.lines.contains("") && plain.output.lines.first != "")
        #expect(await running.process.stop() == 0)
        _ = try await json.complaints.line { $0.contains("retrying in") }
        running = try await running.startedAgain()
        #expect(try await running.run("send", "--topic", "news", "--title", "third", as: "send").code == 0)
        _ = try await json.output.line { $0.contains("third") }
        for program in [json, csv, plain] {
            program.signal(SIGINT)
            #expect(await program.exitCode() == 0)
        }
    }

    @Test func `live prints the backlog since a time, then new events`() async throws {
        let running = try await DevelopmentDaemon()
        try await running.take(#"[{"name": "a", "user_id": "=x", "params": {"n": 1}}, {"name": "b"}]"#)
        let plain = try await running.run("live", "--since", "1h")
        #expect(plain.code == 0 && plain.output.split(separator: "\n").count == 2 && plain.output.contains("n=1"), "\(plain)")
        let json = try await running.run("live", "--since", "15m", "--json").output.split(separator: "\n")
        #expect(try json.map { try JSONValue(Array($0.utf8)).text("name") } == ["a", "b"])
        let csv = try await running.run("live", "--since", "15m", "--csv").output.split(separator: "\r\n")
        #expect(csv.count == 3 && csv[0].hasPrefix("kind,seq,timestamp,") && csv[1].hasPrefix("event,1,") && csv[1].contains(",a,'=x,"), "\(csv)")
        let live = try LiveProgram(.dashboard, ["live", "--since", "1h", "--watch", "--json"], running.environment("read"))
        _ = try await live.output.line { $0.contains(#""name":"b""#) }
        try await running.take(#"[{"name": "c"}]"#)
        _ = try await live.output.line { $0.contains(#""name":"c""#) }
        live.signal(SIGTERM)
        #expect(await live.exitCode() == 0)
        #expect(try live.output.lines.map { try JSONValue(Array($0.utf8)).text("name") } == ["a", "b", "c"])
    }

    @Test func `a dumb terminal gets a snapshot`() async throws {
        let running = try await DevelopmentDaemon()
        let terminal = try PseudoTerminal(columns: 90, rows: 40)
        let program = try terminal.start(.dashboard, ["topics"], running.environment("read").merging(["TERM": "dumb"]) { $1 })
        #expect(await program.exitCode() == 0)
        let shown = terminal.read(until: "Topics")
        #expect(shown.contains("TERM=dumb") && !shown.contains("\u{1b}"), "\(shown)")
    }
}
