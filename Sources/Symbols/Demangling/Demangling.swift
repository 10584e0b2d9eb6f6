// SPDX-License-Identifier: Apache-2.0

import CDemangle
import Glibc

/// Demangles C++, Rust and Swift names. A short name can expand to gigabytes, so this runs in a child process; see `Demangler`.
package enum Demangling {
    /// Writes the demangled form of each line of standard input, or an empty line, until the input ends.
    package static func run() {
        while let line = readLine() {
            print((name(line) ?? "").filter { !$0.isNewline })
            fflush(nil)
        }
    }

    /// Returns the readable form of a name.
    ///
    ///     _ZN4shop4Cart5totalEv                      →  shop::Cart::total()
    ///     _ZN4shop5total17h0123456789abcdefE         →  shop::total, because it is a Rust name of the older scheme
    ///     _RNvC4shop5total                           →  shop::total
    static func name(_ mangled: String) -> String? {
        if RustName.isMangled(mangled) { return RustName.readable(mangled) }
        guard let text = native(LegacyRustName.withoutSuffix(mangled) ?? mangled) else { return nil }
        return mangled.hasPrefix("_Z") ? LegacyRustName.readable(text) ?? text : text
    }

    private static func native(_ mangled: String) -> String? {
        guard let text = demangle_name(mangled) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Whether the name looks mangled. Others are not sent to the child.
    static func isMangled(_ name: String) -> Bool {
        isSwift(name) || name.hasPrefix("_Z") || RustName.isMangled(name)
    }

    static func isSwift(_ name: String) -> Bool {
        ["$s", "_$s", "$S", "_$S", "$e", "_T0"].contains { name.hasPrefix($0) }
    }
}
