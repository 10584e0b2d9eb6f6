// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Platform

/// The properties of a symbol file.
package struct SymbolFile: Sendable, Equatable {
    package var format: SymbolFormat
    /// The objects that can name functions, one per architecture; never empty.
    package var objects: [SymbolObject]

    /// Reads only the parts that identify the file, at most a few MiB; a source map is scanned to its end.
    ///
    /// - Parameter id: The build for which the file was uploaded. Formats without an ID of their own belong to that build.
    package static func inspect(_ path: String, for id: DebugID? = nil) throws(SymbolFileError) -> SymbolFile {
        try inspect(ByteSource(path: path), for: id)
    }

    package static func inspect(bytes: [UInt8], for id: DebugID? = nil) throws(SymbolFileError) -> SymbolFile {
        try inspect(ByteSource(bytes: bytes), for: id)
    }

    private static func inspect(_ source: ByteSource, for id: DebugID?) throws(SymbolFileError) -> SymbolFile {
        var file = FileBytes(source)
        guard file.count >= 8 else { throw .unknownFormat }
        let magic = try file.fields(at: 0, count: 8)
        switch try magic.word32(0) {
        case ELFReader.magic: return try SymbolFile(.elf, [try ELFReader.read(&file)])
        case let word where MachOReader.magics.contains(word): return try SymbolFile(.machO, try MachOReader.read(&file))
        case BreakpadHeader.magic: return try SymbolFile(.breakpad, [try BreakpadHeader.read(&file)])
        case let word where SourceMapHeader.mayBe(word):
            return try SymbolFile(.sourceMap, [named(try SourceMapHeader.read(source) ?? id, .sourceMap)])
        default:
            guard try ClassMappingHeader.isOne(source) else { throw .unknownFormat }
            return try SymbolFile(.classMapping, [named(id, .classMapping)])
        }
    }

    private static func named(_ id: DebugID?, _ format: SymbolFormat) throws(SymbolFileError) -> SymbolObject {
        guard let id else { throw .withoutID(format) }
        return SymbolObject(debugID: id, architecture: "", hasDebugInfo: true)
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
