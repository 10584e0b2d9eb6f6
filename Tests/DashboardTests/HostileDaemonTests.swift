// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A hostile daemon, or a hostile server in its place.
struct HostileDaemonTests {
    /// A colour, a window title and a query that the terminal would answer as if typed; the last also with a C1 character.
    private static let attack = #"\u001b[31m\u001b]0;owned\u0007\u001b[6n\u009b31m"#

    private static func server(_ status: String, _ json: String) throws -> SilentServer {
        try SilentServer(
            saying: "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\nConnection: close\r\n\r\n\(json)")
    }

    private static func isHarmless(_ text: String) -> Bool {
        !text.unicodeScalars.contains { $0.properties.generalCategory == .control && !"\n\r\t".unicodeScalars.contains($0) }
    }

    @Test(arguments: [
        ["check", "--events-min", "1"], ["query", "top", "--field", "name"], ["info"], ["login", "--url"], ["send", "--topic", "a", "--title", "b"],
    ])
    func `error texts cannot send control sequences to the terminal`(arguments: [String]) async throws {
        let problem = #"""
            {"type": "about:blank", "title": "t", "status": 422, "code": "invalid", "detail": "no\#(Self.attack)", "hint": "\#(Self.attack)"}
            """#
        let server = try Self.server("422 Unprocessable", problem)
        let ended = try await ProgramUnderTest.dashboard.run(
            arguments + (arguments.last == "--url" ? [server.url] : []),
            environment: ["SIGNALBOX_URL": server.url, "SIGNALBOX_KEY": "sb_k", "HOME": TemporaryFolder().path], input: "sb_k\n")
        #expect(ended.code != 0 && ended.complaint.contains("no?[31m") && Self.isHarmless(ended.complaint), "\(ended)")
    }

    /// JSON may contain C1 control characters unescaped.
    private static let topic = #"{"topic": "\#u{9b}31mshop\#(attack)", "subscribers": 1, "created_at": "2026-11-21T12:00:00Z"}"#

    private static let event = #"""
        {"seq": 2, "id": "e", "name": "shop\#(attack)", "timestamp": "2026-11-21T12:00:00Z", "received_at": "2026-11-21T12:00:00Z"}
        """#

    @Test(arguments: [
        (["query", "top", "--field", "name", "--csv"], #"{"items": [\#(topic)]}"#), (["topics", "--csv"], #"{"items": [\#(topic)]}"#),
        (["query", "top", "--field", "name", "--json"], #"{"items": [\#(topic)]}"#), (["topics", "--json"], #"{"items": [\#(topic)]}"#),
        (["tail", "--after", "1", "--csv"], "id: 2\nevent: event\ndata: \(event)\n\n"),
    ])
    func `control characters in data are replaced on a terminal`(arguments: [String], answer: String) async throws {
        let server = try Self.server("200 OK", answer)
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        _ = try terminal.start(.dashboard, arguments, ["SIGNALBOX_URL": server.url, "SIGNALBOX_KEY": "sb_k", "TERM": "xterm", "LANG": "C.UTF-8"])
        let shown = terminal.read(until: arguments.contains("--csv") ? "12:00:00" : "}\r\n")
        #expect(shown.contains("shop") && shown.contains("12:00:00") && Self.isHarmless(shown), "\(shown)")
        // The CRLF line endings of CSV are kept.
        #expect(shown.components(separatedBy: "\r\n").dropLast().allSatisfy { !$0.hasSuffix("?") }, "\(shown)")
    }

    @Test func `control characters in data are kept for a program`() async throws {
        let server = try Self.server("200 OK", #"{"items": [\#(Self.topic)]}"#)
        let ended = try await ProgramUnderTest.dashboard.run(
            ["query", "top", "--field", "name", "--csv"], environment: ["SIGNALBOX_URL": server.url, "SIGNALBOX_KEY": "sb_k"])
        let attack = "\u{9b}31mshop\u{1b}[31m\u{1b}]0;owned\u{7}\u{1b}[6n\u{9b}31m"
        #expect(ended.output == "topic,subscribers,created_at\r\n\"\(attack)\",1,2026-11-21T12:00:00Z\r\n")
    }

    @Test func `control characters in an app's name are replaced at login`() async throws {
        let folder = TemporaryFolder()
        let app = #"{"app": 1, "name": "shop\#(Self.attack)", "created_at": "2026-10-30T06:00:00Z", "role": "read", "settings": {"tz": "UTC"}}"#
        let server = try Self.server("200 OK", app)
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let key = folder.path + "/key"
        try "sb_k\n".write(toFile: key, atomically: true, encoding: .utf8)
        let program = try terminal.start(
            .dashboard, ["login", "--url", server.url, "--key-file", key], ["XDG_CONFIG_HOME": folder.path, "TERM": "xterm", "LANG": "C.UTF-8"])
        let shown = terminal.read(until: "profile")
        #expect(shown.contains("shop?[31m") && Self.isHarmless(shown), "\(shown)")
        #expect(await program.exitCode() == 0)
    }
}
