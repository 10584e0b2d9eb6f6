// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// What is known of the terminal a stream belongs to.
package enum TerminalStream {
    package static let input: Int32 = 0
    package static let output: Int32 = 1

    package static func isTerminal(_ stream: Int32) -> Bool { isatty(stream) == 1 }

    /// Whether somebody sees what is written and can press keys.
    package static var isInteractive: Bool { isTerminal(input) && isTerminal(output) }

    /// Whether it says itself that it cannot move its cursor.
    package static var isDumb: Bool { getenv("TERM").map { String(cString: $0) } == "dumb" }

    /// Its size; nil where the stream is no terminal, or one that does not say.
    package static func size(_ stream: Int32 = output) -> Size? {
        var (columns, rows): (Int32, Int32) = (0, 0)
        return clinux_terminal_size(stream, &columns, &rows) == 0 ? Size(Int(columns), Int(rows)) : nil
    }

    /// A line typed without being seen; nil at the end of input.
    package static func readSecret() -> String? {
        let isHidden = clinux_terminal_set_echo(input, 0) == 0
        defer { if isHidden { _ = clinux_terminal_set_echo(input, 1) } }
        return readLine()
    }
}
