// SPDX-License-Identifier: Apache-2.0

package import Crashes

/// A source map of version 3: the original source, position and name of places in a generated file.
///
///     {"version":3,"sources":["cart.ts"],"names":["checkout"],"mappings":"AAAA,SAASA"}
///     line 1, column 12  →  cart.ts, line 1, column 10, checkout
///
/// Lines and columns count from 1, as in stack traces. Columns are UTF-16 code units.
package struct SourceMap: Sendable {
    /// The limit of a map's bytes.
    package static let longest = 128 << 20

    /// The identifier that bundlers write into the generated file as well.
    package let debugID: DebugID?
    /// The name of the generated file.
    package let file: String?
    let segments: SegmentTable
    let sources: SourceTable
    let names: TextTable

    /// Reads a map, or an index map whose sections contain maps.
    package init(_ bytes: [UInt8]) throws(SymbolFileError) {
        var reader = try SourceMapReader(bytes)
        try reader.read()
        debugID = reader.debugID
        file = reader.file
        segments = reader.segments
        sources = reader.sources
        names = reader.names
    }

    /// The number of mappings.
    package var count: Int { segments.count }

    /// The approximate memory in use.
    package var bytes: Int { segments.bytes + sources.bytes + names.bytes }

    /// Returns the original location of a place: that of the last mapping on its line that does not begin after it.
    package func location(line: Int, column: Int) -> OriginalLocation? {
        guard line > 0, column > 0, let index = segments.index(line: line - 1, column: column - 1) else { return nil }
        let segment = segments[index]
        guard let source = segment.source, let path = sources.path(source) else { return nil }
        return OriginalLocation(
            source: path, sourceIndex: source, line: Int(segment.originalLine) + 1, column: Int(segment.originalColumn) + 1,
            name: segment.name.flatMap { names[$0] }, isIgnored: sources.isIgnored(source))
    }

    /// Returns the text of a source, if the map contains it.
    package func content(ofSource index: Int) -> ArraySlice<UInt8>? {
        let content = sources.contents.bytes(index)
        return content.isEmpty ? nil : content
    }

    /// Returns the original name of the function that a stack frame names, if the map has a name for its declaration.
    ///
    /// It searches backwards from the frame's place for the nearest declaration of that name in the generated file. Functions of the same
    /// short name that end before the place can hide the right one.
    package func functionName(_ generated: String, line: Int, column: Int, in file: GeneratedFile) -> String? {
        // `new a.b` and `Object.b` are calls of `b`.
        let name = Array(generated.utf8.split { $0 == 0x2e || $0 == 0x20 }.last ?? [])
        guard !name.isEmpty, let last = segments.index(line: line - 1, column: column - 1) else { return nil }
        for index in (max(0, last - SourceMap.declarationDistance)...last).reversed() {
            guard let original = segments[index].name else { continue }
            if file.declares(name, line: segments.line(of: index), column: Int(segments[index].column)) { return names[original] }
        }
        return nil
    }

    /// The limit of mappings between a declaration and a place in the function.
    private static let declarationDistance = 512
}

/// A place in a file that a build has transformed.
package struct OriginalLocation: Sendable, Equatable {
    /// The path or URL of the source.
    package var source: String
    package var sourceIndex: Int
    package var line: Int
    package var column: Int
    /// The name of the variable, function or property at the place.
    package var name: String?
    /// Whether the map marks the source as code of a library.
    package var isIgnored: Bool
}
