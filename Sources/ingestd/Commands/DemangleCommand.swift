// SPDX-License-Identifier: Apache-2.0

import Platform
import Symbols

enum DemangleCommand {
    static let name = "demangle"
    static let command = Command(
        name, "Demangles Swift, C++ and Rust names.",
        details:
            "Reads one name a line and prints one line each. The daemon runs it as a child process, because a hostile name can expand without limit."
    ) { _ in read() }

    static func read() { Demangling.run() }
}
