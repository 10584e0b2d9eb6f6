// SPDX-License-Identifier: Apache-2.0

import Ingest
import Platform
import Symbols

enum MinidumpCommand {
    static let name = "read-minidump"
    static let command = Command(
        name, "Reads minidumps as crash reports.",
        details:
            "Reads the path of a minidump a line, followed by `DEBUGID=FILE` for each Breakpad file of its modules, and prints one line of JSON each. The daemon runs it as a child process, because dumps are untrusted."
    ) { _ in read() }

    static func read() { MinidumpProgram.answerLines(\.json) }
}
