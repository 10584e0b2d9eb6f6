// SPDX-License-Identifier: Apache-2.0

import Platform
import Symbols

enum ResolveCommand {
    static let name = "resolve"
    static let command = Command(
        name, "Looks up places in source maps and R8 mappings.",
        details:
            """
            Reads one question a line, such as {"map": "app.js.map", "line": 1, "column": 4711}, and prints one line each. The daemon runs it as a \
            child process, because a hostile file can use much memory.
            """
    ) { _ in read() }

    static func read() { MappedPlaceReader.answerLines() }
}
