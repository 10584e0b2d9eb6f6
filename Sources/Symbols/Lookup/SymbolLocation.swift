// SPDX-License-Identifier: Apache-2.0

package import Crashes

/// An address in a loaded binary.
package struct SymbolLookup: Sendable, Hashable {
    /// The symbol file's name in the folder.
    package var file: String
    /// The object of the file.
    package var debugID: DebugID
    /// The distance from the binary's start.
    package var offset: UInt64

    package init(file: String, debugID: DebugID, offset: UInt64) {
        self.file = file
        self.debugID = debugID
        self.offset = offset
    }
}

/// A function and its source line, as a symbol file describes an address.
package struct SymbolLocation: Sendable, Equatable {
    /// The linker's name, mangled for C++, Rust and Swift.
    package var function: String
    package var file: String?
    package var line: Int?
    package var column: Int?

    package init(function: String, file: String? = nil, line: Int? = nil, column: Int? = nil) {
        self.function = function
        self.file = file
        self.line = line
        self.column = column
    }
}
