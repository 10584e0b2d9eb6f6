import TestSupport
import Testing

/// What comes in, in a terminal beside a running daemon.
struct LiveTailTests {
    @Test func `events are seen as they come, one is opened, and a pause holds the others back`() async throws {
        let running = try await DevelopmentDaemon()
        try await running.take(#"[{"name": "came_before", "user_id": "ann"}, {"name": "9lives", "params": {"cats": 9}}]"#)
        let terminal = try PseudoTerminal(columns: 100, rows: 30)
        let program = try terminal.start(.dashboard, [], running.environment("admin").merging(["TERM": "xterm"]) { $1 })
        #expect(terminal.read(until: "Overview").contains("Overview"))
        func see(_ text: String, after keys: String = "") {
            if !keys.isEmpty { terminal.type(keys) }
            let shown = terminal.read(until: text)
            #expect(shown.contains(text), "\(keys) in \(shown)")
        }
        see("came_before", after: "2")
        try await running.take(#"[{"name": "level_up", "user_id": "bea", "params": {"level": 7}}]"#)
        see("level_up")
        see(#""level": 7"#, after: "\r")
        see("bad_event_name", after: "\u{7f}")
        see("paused", after: " ")
        try await running.take(#"[{"name": "held_back"}]"#)
        see("1 wait")
        see("held_back", after: " ")
        // What is refused is told too, and its raw text asked for.
        see(#""cats": 9"#, after: "jj\r")
        see("Sure?", after: "P")
        see("1 still refused", after: "y")
        terminal.type("q")
        #expect(await program.exitCode() == 0)
        #expect(await running.process.stop() == 0)
    }
}
