// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Platform

/// The properties of a symbol file.
package struct SymbolFile: Sendable, Equatable {
    package var format: SymbolFormat
    /// The objects that can name functions, one per architecture; never empty.
    package var objects: [SymbolObject]

    /// Reads only the parts that identify the file, at most a few MiB.
    package static func inspect(_ path: String) throws(SymbolFileError) -> SymbolFile {
        try inspect(ByteSource(path: path))
    }

    package static func inspect(bytes: [UInt8]) throws(SymbolFileError) -> SymbolFile {
        try inspect(ByteSource(bytes: bytes))
    }

    private static func inspect(_ source: ByteSource) throws(SymbolFileError) -> SymbolFile {
        var file = FileBytes(source)
        guard file.count >= 8 else { throw .unknownFormat }
        let magic = try file.fields(at: 0, count: 8)
        let found: (SymbolFormat, [SymbolObject]) =
            switch try magic.word32(0) {
            case ELFReader.magic: (.elf, [try ELFReader.read(&file)])
            case let word where MachOReader.magics.contains(word): (.machO, try MachOReader.read(&file))
            case BreakpadHeader.magic: (.breakpad, [try BreakpadHeader.read(&file)])
            default: throw .unknownFormat
            }
        return try SymbolFile(found.0, found.1)
    }

    private init(_ format: SymbolFormat, _ all: [SymbolObject]) throws(SymbolFileError) {
        self.format = format
        objects = all.filter { $0.hasDebugInfo || $0.hasSymbols }
        if objects.isEmpty { throw .withoutSymbols(format) }
    }
}

/// The symbols of one build for one architecture.
package struct SymbolObject: Sendable, Equatable {
    package var debugID: DebugID
    /// The architecture in the terms of its format's tools.
    package var architecture: String
    /// The base of its addresses: the address the binary was linked for.
    package var preferredAddress: UInt64 = 0
    /// Whether it has lines and inlined functions.
    package var hasDebugInfo = false
    /// Whether it has further function names.
    package var hasSymbols = false
}
