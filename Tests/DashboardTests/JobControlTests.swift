// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// The full-screen program as a job of an interactive shell.
struct JobControlTests {
    private let terminal: PseudoTerminal
    private let shell: ChildProcess
    /// The result of bash's `wait` for a job that SIGTTOU stopped.
    private static let stopped = "ended=\(128 + SIGTTOU)"

    init() throws {
        terminal = try PseudoTerminal(columns: 80, rows: 24)
        shell = try terminal.startShell(["SIGNALBOX_URL": "http://127.0.0.1:1", "SIGNALBOX_KEY": "k", "TERM": "xterm", "LANG": "C.UTF-8"])
    }

    @Test(arguments: [SIGTSTP, SIGSTOP])
    func `a job continued in the background stops again and leaves typed lines to the shell`(signal: Int32) async throws {
        terminal.type("\(ProgramUnderTest.dashboard.path)\n")
        #expect(terminal.read(until: "retrying").contains("\u{1b}[?1049h"))
        if signal == SIGTSTP { terminal.type("\u{1a}") } else { terminal.signalForeground(signal) }
        #expect(terminal.read(until: "Stopped").contains("Stopped"))
        terminal.type("bg; wait %1; echo ended=$?\n")
        #expect(terminal.read(until: Self.stopped).contains(Self.stopped))
        // The second line is in the terminal until the job has stopped or ended. In one round the job may stop before it looks.
        for _ in 0..<20 {
            terminal.type("bg; wait %1\necho ended=$?\n")
            let output = terminal.read(until: Self.stopped)
            try #require(output.contains(Self.stopped) && !output.contains("\u{1b}"), "\(output)")
        }
        try await resume()
    }

    @Test func `a job started in the background stops before it changes the terminal`() async throws {
        terminal.type("\(ProgramUnderTest.dashboard.path) & wait %1; echo ended=$?\n")
        let output = terminal.read(until: Self.stopped)
        #expect(output.contains(Self.stopped) && !output.contains("\u{1b}"), "\(output)")
        try await resume()
    }

    /// Continues the job in the foreground and leaves it and the shell.
    private func resume() async throws {
        terminal.type("fg\n")
        let output = terminal.read(until: "\u{1b}[?2026l")
        try #require(output.contains("\u{1b}[?1049h") && output.contains("Overview"), "\(output)")
        terminal.type("q")
        #expect(terminal.read(until: "shell>").contains("\u{1b}[?1049l"))
        terminal.type("exit\n")
        #expect(await shell.exitCode() == 0)
    }
}
