// SPDX-License-Identifier: Apache-2.0

import CDemangle
import Glibc

/// Demangles C++ and Swift names. A short name can expand to gigabytes, so this runs in a child process; see `Demangler`.
package enum Demangling {
    /// Writes the demangled form of each line of standard input, or an empty line, until the input ends.
    package static func answerLines() {
        while let line = readLine() {
            print((name(line) ?? "").filter { !$0.isNewline })
            fflush(nil)
        }
    }

    static func name(_ mangled: String) -> String? {
        guard let text = demangle_name(mangled) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Whether the name looks mangled. Others are not sent to the child.
    static func isMangled(_ name: String) -> Bool {
        ["$s", "_$s", "$S", "_$S", "$e", "_Z", "_T0"].contains { name.hasPrefix($0) }
    }
}
