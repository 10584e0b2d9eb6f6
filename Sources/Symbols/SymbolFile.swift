// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Platform

/// What a symbol file says of itself.
package struct SymbolFile: Sendable, Equatable {
    package var format: SymbolFormat
    /// One of each architecture, those that can name a function; never none.
    package var objects: [SymbolObject]

    /// Looks at the parts of a file that say what it is, a few MiB of it at most; the rest is not read.
    package static func inspect(_ path: String) throws(SymbolFileProblem) -> SymbolFile {
        try inspect(ByteSource(path: path))
    }

    package static func inspect(bytes: [UInt8]) throws(SymbolFileProblem) -> SymbolFile {
        try inspect(ByteSource(bytes: bytes))
    }

    private static func inspect(_ source: ByteSource) throws(SymbolFileProblem) -> SymbolFile {
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

    private init(_ format: SymbolFormat, _ all: [SymbolObject]) throws(SymbolFileProblem) {
        self.format = format
        objects = all.filter { $0.hasDebugInfo || $0.hasSymbols }
        if objects.isEmpty { throw .withoutSymbols(format) }
    }
}

/// The symbols of one build for one architecture.
package struct SymbolObject: Sendable, Equatable {
    package var debugID: DebugID
    /// As its format's own tools call it.
    package var architecture: String
    /// What the addresses in it count from: where its first byte would like to lie.
    package var preferredAddress: UInt64 = 0
    /// Whether it knows lines and inlined functions.
    package var hasDebugInfo = false
    /// Whether it has names of functions beside that.
    package var hasSymbols = false
}
