// SPDX-License-Identifier: Apache-2.0

import CDemangle
import Glibc

/// Undoes what compilers do to names. A short name can be made to unfold to gigabytes, so this is done by a child of the daemon that may be lost; see `Demangler`.
package enum Demangling {
    /// Answers each line of the standard input with what it stands for, or an empty line, until there are no more.
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

    /// Whether it looks like a name that a compiler made: others are not worth asking for.
    static func isMangled(_ name: String) -> Bool {
        ["$s", "_$s", "$S", "_$S", "$e", "_Z", "_T0"].contains { name.hasPrefix($0) }
    }
}
