// SPDX-License-Identifier: Apache-2.0

package enum SymbolFormat: String, Sendable {
    case machO = "macho"
    case elf
    case breakpad
    /// A source map of JavaScript.
    case sourceMap = "sourcemap"
    /// A mapping of R8 or ProGuard.
    case classMapping = "proguard"
}
