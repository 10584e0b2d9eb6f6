// SPDX-License-Identifier: Apache-2.0

package enum SymbolFormat: String, Sendable {
    case machO = "macho"
    case elf
    case breakpad
}
