// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// The full-screen program with unresponsive daemons and terminals.
struct ScreenTests {
    private static func environment(_ url: String) -> [String: String] {
        ["SIGNALBOX_URL": url, "SIGNALBOX_KEY": "k", "TERM": "xterm", "LANG": "C.UTF-8"]
    }

    @Test func `keys work while the daemon does not respond`() async throws {
        let (server, terminal) = (try SilentServer(), try PseudoTerminal(columns: 80, rows: 24))
        let program = try terminal.start(.dashboard, [], Self.environment(server.url))
        #expect(terminal.read(until: "asking").contains("Overview"))
        let clock = ContinuousClock()
        let heard = clock.measure {
            terminal.type("?")
            #expect(terminal.read(until: "Keys").contains("Keys"))
        }
        let left = clock.measure {
            terminal.type("q")
            _ = terminal.read(until: "\u{1b}[?1049l")
        }
        #expect(await program.exitCode() == 0)
        // Queries time out after twenty seconds; these bounds leave time for other tests on the machine.
        #expect(heard < .seconds(15) && left < .seconds(15))
    }

    @Test func `mouse reporting is enabled only with --mouse and disabled at exit`() async throws {
        for (arguments, isOn) in [([], false), (["overview", "--mouse"], true)] {
            let terminal = try PseudoTerminal(columns: 80, rows: 24)
            let program = try terminal.start(.dashboard, arguments, Self.environment("http://127.0.0.1:1"))
            #expect(terminal.read(until: "retrying").contains("\u{1b}[?1006h") == isOn)
            // The second tab is in the second row.
            terminal.type("\u{1b}[<0;14;2M\u{1b}[<0;14;2m:")
            #expect(terminal.read(until: "Go to").contains("Go to"))
            terminal.type("\u{03}")
            #expect(await program.exitCode() == 0)
            #expect(terminal.read(until: "\u{1b}[?1049l").contains("\u{1b}[?1006l") == isOn)
        }
    }

    @Test func `a dumb terminal gets no escape sequences and keeps its settings`() async throws {
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let before = terminal.settings
        let program = try terminal.start(.dashboard, [], Self.environment("http://127.0.0.1:1").merging(["TERM": "dumb"]) { $1 })
        #expect(await program.exitCode() != 0 && terminal.settings == before)
        terminal.type("end of it\n")
        #expect(!terminal.read(until: "end of it").contains("\u{1b}"))
    }

    @Test func `the program ends although its output is not read`() async throws {
        let terminal = try PseudoTerminal(columns: 200, rows: 60)
        let program = try terminal.start(.dashboard, [], Self.environment("http://127.0.0.1:1"))
        _ = terminal.read(until: "retrying")
        let isStuck = try await eventually {
            terminal.type(String(repeating: "\u{0c}", count: 50))
            return !terminal.takesMore
        }
        #expect(isStuck)
        terminal.signal(SIGTERM)
        #expect(await program.exitCode() == 128 + SIGTERM)
    }
}
