// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Properties of a stream's terminal.
package enum TerminalStream {
    package static let input: Int32 = 0
    package static let output: Int32 = 1

    package static func isTerminal(_ stream: Int32) -> Bool { isatty(stream) == 1 }

    /// Whether input and output are a terminal.
    package static var isInteractive: Bool { isTerminal(input) && isTerminal(output) }

    /// Whether the terminal declares that it cannot move the cursor (`TERM=dumb`).
    static var isDumb: Bool { getenv("TERM").map { String(cString: $0) } == "dumb" }

    /// Returns the size; `nil` if the stream is not a terminal or the size is unknown.
    package static func size(_ stream: Int32 = output) -> Size? {
        var (columns, rows): (Int32, Int32) = (0, 0)
        return clinux_terminal_size(stream, &columns, &rows) == 0 ? Size(Int(columns), Int(rows)) : nil
    }

    /// Reads a line without echo; `nil` at the end of input.
    package static func readSecret() -> String? {
        let isHidden = clinux_terminal_set_echo(input, 0) == 0
        defer { if isHidden { _ = clinux_terminal_set_echo(input, 1) } }
        return readLine()
    }
}
