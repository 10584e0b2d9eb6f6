// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The full-screen program with a running daemon: tests type keys and wait for a text on the screen.
///
/// The emulated screen is searched rather than the output, because the painter writes only changed cells.
final class LiveScreen {
    private let terminal: PseudoTerminal
    private let program: ChildProcess
    private var screen: WrittenScreen

    init(_ running: DevelopmentDaemon, as role: String, rows: Int = 30) throws {
        screen = WrittenScreen(width: 100, height: rows)
        terminal = try PseudoTerminal(columns: 100, rows: UInt16(rows))
        program = try terminal.start(.dashboard, [], running.environment(role).merging(["TERM": "xterm"]) { $1 })
        try see("Overview")
    }

    func see(_ text: String, after keys: String = "") throws {
        terminal.type(keys)
        let end = ContinuousClock.now + .seconds(40)
        while ContinuousClock.now < end, case let frame = terminal.readFrame(), !frame.isEmpty {
            try screen.write(frame)
            if screen.lines.contains(where: { $0.contains(text) }) { return }
        }
        Issue.record("After \(keys) there is no \(text) in\n\(screen.lines.joined(separator: "\n"))")
    }

    func leave() async {
        terminal.type("q")
        #expect(await program.exitCode() == 0)
    }
}
