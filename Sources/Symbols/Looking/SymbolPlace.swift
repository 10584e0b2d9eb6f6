// SPDX-License-Identifier: Apache-2.0

package import Crashes

/// An address in a binary that was loaded somewhere.
package struct SymbolQuestion: Sendable, Hashable {
    /// The symbol file, by its name in the folder.
    package var file: String
    /// Which of the file's objects is meant.
    package var debugID: DebugID
    /// How far behind the binary's first byte.
    package var offset: UInt64

    package init(file: String, debugID: DebugID, offset: UInt64) {
        self.file = file
        self.debugID = debugID
        self.offset = offset
    }
}

/// What a symbol file knows of an address: a function, and where in its source.
package struct SymbolPlace: Sendable, Equatable {
    /// As the linker knows it; a C++ or Swift name is mangled.
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
