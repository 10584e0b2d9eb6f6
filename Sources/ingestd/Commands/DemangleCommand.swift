// SPDX-License-Identifier: Apache-2.0

import Platform
import Symbols

enum DemangleCommand {
    static let name = "demangle"
    static let command = Command(
        name, "Makes names readable that Swift and C++ compilers have made.",
        details: "Reads a name a line and answers it with a line. The daemon starts it for itself, as a name can be made to unfold without end."
    ) { _ in
        Demangling.answerLines()
    }
}
