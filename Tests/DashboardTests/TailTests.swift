// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import TestSupport
import Testing

/// Runs `tail` while daemons stop and start.
struct TailTests {
    private func tail(_ daemon: DevelopmentDaemon, _ options: String...) async throws -> LiveProgram {
        let program = try LiveProgram(.dashboard, ["tail", "--json"] + options, daemon.environment("read"))
        // The daemon has set the start position of the tail once it logs the request.
        try await daemon.process.line(containing: "route=/v1/tail")
        return program
    }

    private func names(_ program: LiveProgram) throws -> [String] {
        try program.output.lines.map { try JSONValue(Array($0.utf8)).text("name") }
    }

    @Test func `a tail resumes after the daemon stopped or was killed`() async throws {
        var daemon = try await DevelopmentDaemon()
        let tail = try await tail(daemon)
        try await daemon.take(#"[{"name": "a"}, {"name": "b", "params": {"n": 1}}]"#)
        _ = try await tail.output.line { $0.contains(#""name":"b""#) }
        #expect(await daemon.process.stop() == 0)
        daemon = try await daemon.startedAgain()
        try await daemon.take(#"[{"name": "c"}, {"name": "d"}]"#)
        _ = try await tail.output.line { $0.contains(#""name":"d""#) }
        await daemon.process.killHard()
        daemon = try await daemon.startedAgain()
        try await daemon.take(#"[{"name": "e"}]"#)
        _ = try await tail.output.line { $0.contains(#""name":"e""#) }
        tail.signal(SIGINT)
        #expect(await tail.exitCode() == 0)
        #expect(try names(tail) == ["a", "b", "c", "d", "e"])
        #expect(tail.complaints.lines.allSatisfy { $0.hasPrefix("dashboard-cli: ") && $0.contains("retrying") })
        #expect(await daemon.process.stop() == 0)
    }

    @Test func `a tail misses nothing if the daemon is killed before the first event`() async throws {
        var daemon = try await DevelopmentDaemon()
        try await daemon.take(#"[{"name": "before"}]"#)
        let tail = try await tail(daemon)
        await daemon.process.killHard()
        daemon = try await daemon.startedAgain()
        try await daemon.take(#"[{"name": "after"}]"#)
        _ = try await tail.output.line { $0.contains("after") }
        tail.signal(SIGTERM)
        #expect(await tail.exitCode() == 0)
        #expect(try names(tail) == ["after"])
    }

    @Test(arguments: [
        (["--filter", "params.n>=2", "--filter", "context.platform=ios|web"], ["b"]), (["--event", "a", "--event", "c"], ["a", "c"]),
        (["--user", "u"], ["b"]), (["--installation", "i"], ["c"]), (["--kind", "quarantine"], [""]), (["--kind", "events"], ["a", "b", "c"]),
        (["--after", "2"], ["c", ""]),
    ])
    func `a tail applies its filters`(options: [String], shown: [String]) async throws {
        let daemon = try await DevelopmentDaemon()
        let events =
            #"{"name": "a", "params": {"n": 2}}, {"name": "b", "user_id": "u", "params": {"n": 10}, "context": {"platform": "ios"}}, {"name": "c", "installation_id": "i"}"#
        try await daemon.take("[\(events), {\"name\": \"9\"}]")
        let after = options.first == "--after" ? [] : ["--after", "0"]
        let tail = try LiveProgram(.dashboard, ["tail", "--json"] + after + options, daemon.environment("read"))
        // An event that every filter accepts ends the wait.
        let last = #"{"name": "c", "user_id": "u", "installation_id": "i", "params": {"n": 2}, "context": {"platform": "web"}}, {"name": "8"}"#
        try await daemon.take("[\(last)]")
        _ = try await tail.output.line { $0.contains(#""seq":5,"#) || $0.contains(#""seq":6,"#) }
        tail.signal(SIGINT)
        #expect(await tail.exitCode() == 0)
        #expect(try Array(names(tail).prefix(shown.count)) == shown)
    }

    @Test func `a stopped reader gets a gap with the number of missed records`() async throws {
        // A machine may need longer than the usual write timeout to take the events. The reader would reconnect and miss nothing.
        let daemon = try await DevelopmentDaemon(["INGESTD_TAIL_MEMORY": "1MiB", "INGESTD_SERVER_WRITE_TIMEOUT": "1h"])
        let tail = try await tail(daemon)
        try await daemon.take(#"[{"name": "first"}]"#)
        _ = try await tail.output.line { $0.contains("first") }
        tail.signal(SIGSTOP)
        let text = String(repeating: "x", count: 100)
        let params = (0..<20).map { #""p\#($0)": "\#(text)""# }.joined(separator: ",")
        let events = Array(repeating: #"{"name": "big", "params": {\#(params)}}"#, count: 1_900).joined(separator: ",")
        for _ in 0..<8 { try await daemon.take("[\(events)]") }
        tail.signal(SIGCONT)
        // All records have arrived, as events or as part of gaps; the next event follows the last of them.
        _ = try await tail.output.line { $0.contains(#""seq":15201,"#) || $0.contains(#""after":15201}"#) }
        try await daemon.take(#"[{"name": "last"}]"#)
        _ = try await tail.output.line { $0.contains(#""name":"last""#) }
        let lines = try tail.output.lines.map { try JSONValue(Array($0.utf8)) }
        let missed = lines.compactMap { Int($0.text("missed")) }.reduce(0, +)
        #expect(missed > 0 && lines.count { $0.text("name") == "big" } + missed == 8 * 1_900)
        tail.signal(SIGINT)
        #expect(await tail.exitCode() == 0)
    }
}
