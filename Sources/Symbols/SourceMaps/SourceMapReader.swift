// SPDX-License-Identifier: Apache-2.0

import Crashes
import JSON

/// Reads the JSON of a source map.
struct SourceMapReader {
    private static let parser = JSONParser()
    private static let limits = JSONLimits(bytes: SourceMap.longest, tokens: 4_000_000)
    private static let pathLimit = 4_096

    private enum Field: String {
        case version, file, sourceRoot, sources, sourcesContent, names, mappings, sections, offset, map, url, line, column
        case debugID = "debugId"
        case debugID2 = "debug_id"
        case ignoreList
        case olderIgnoreList = "x_google_ignoreList"
    }

    private let tape: JSONTape
    private(set) var debugID: DebugID?
    private(set) var file: String?
    private(set) var segments = SegmentTable()
    private(set) var sources = SourceTable()
    private(set) var names = TextTable()

    init(_ bytes: [UInt8]) throws(SymbolFileError) {
        guard bytes.count <= SourceMap.longest else { throw .tooLarge(SourceMap.longest) }
        let range = SourceMapReader.document(bytes)
        do throws(JSONError) {
            tape = try SourceMapReader.parser.withReader { reader throws(JSONError) in
                try reader.parse(bytes, in: range, limits: SourceMapReader.limits)
            }
        } catch {
            throw .damaged("it \(error.explanation)")
        }
        guard tape[0].isObject else { throw .unknownFormat }
    }

    /// Returns the document without the line `)]}'`, which keeps browsers from running it as a script.
    private static func document(_ bytes: [UInt8]) -> Range<Int> {
        guard bytes.starts(with: ")]}".utf8) else { return 0..<bytes.count }
        return (bytes.firstIndex(of: 0x0a).map { $0 + 1 } ?? bytes.count)..<bytes.count
    }

    mutating func read() throws(SymbolFileError) {
        let fields = fields(of: 0)
        guard fields[.version].flatMap({ tape[$0].integer }) == 3 else { throw .unknownFormat }
        debugID = (text(fields[.debugID]) ?? text(fields[.debugID2])).flatMap { DebugID($0) }
        file = text(fields[.file])
        if let sections = fields[.sections], tape[sections].kind == .array {
            try readSections(sections)
        } else {
            try readMap(fields, MappingRange())
        }
        segments.end()
    }

    // MARK: Sections

    private mutating func readSections(_ array: Int) throws(SymbolFileError) {
        var sections: [(start: MappingPosition, fields: [Field: Int])] = []
        for section in elements(of: array) {
            let fields = fields(of: section)
            let offset = fields[.offset].map { self.fields(of: $0) } ?? [:]
            let start = MappingPosition(line: number(offset[.line]), column: number(offset[.column]))
            guard let map = fields[.map], tape[map].isObject else { throw .damaged("a section has no map") }
            if let last = sections.last, start <= last.start { throw .damaged("its sections are out of order") }
            let inner = self.fields(of: map)
            guard inner[.sections] == nil else { throw .damaged("a section has sections") }
            sections.append((start, inner))
        }
        for (index, section) in sections.enumerated() {
            let end = index + 1 < sections.count ? sections[index + 1].start : nil
            // Places before the first mapping of a section do not belong to the section before.
            try segments.begin(line: section.start.line)
            try segments.append(SegmentTable.Segment(column: UInt32(section.start.column)))
            try readMap(section.fields, MappingRange(start: section.start, end: end))
        }
    }

    private func number(_ place: Int?) -> Int {
        let value = place.flatMap { tape[$0].integer } ?? 0
        return Int(min(max(value, 0), 1 << 31))
    }

    // MARK: A map

    private mutating func readMap(_ fields: [Field: Int], _ range: MappingRange) throws(SymbolFileError) {
        let (firstSource, firstName) = (sources.count, names.count)
        readSources(fields)
        if let array = fields[.names] { for name in elements(of: array) { names.append(tape[name], of: tape) } }
        guard let mappings = fields[.mappings], tape[mappings].isString else { throw .damaged("it has no mappings") }
        var reader = MappingReader(range, sources: firstSource..<sources.count, names: firstName..<names.count)
        let token = tape[mappings]
        if token.escaped {
            var text: [UInt8] = []
            guard tape.appendUnescaped(token, to: &text) else { throw .damaged("its mappings are not base64") }
            try reader.read(text, 0..<text.count, into: &segments)
        } else {
            try reader.read(tape.bytes, token.range, into: &segments)
        }
    }

    private mutating func readSources(_ fields: [Field: Int]) {
        let first = sources.count
        sources.begin(root: text(fields[.sourceRoot]))
        if let array = fields[.sources] { for source in elements(of: array) { sources.append(tape[source], of: tape) } }
        if let array = fields[.sourcesContent] {
            // As for mappings.
            if first == 0 { sources.reserveContent(bytes: tape[array].count) }
            for content in elements(of: array) { sources.appendContent(tape[content], of: tape) }
        }
        sources.end()
        guard let array = fields[.ignoreList] ?? fields[.olderIgnoreList] else { return }
        for element in elements(of: array) {
            guard let index = tape[element].integer, index >= 0, index < sources.count - first else { continue }
            sources.ignore(first + Int(index))
        }
    }

    // MARK: JSON

    /// Returns the values of known members; of several with one name the last.
    private func fields(of object: Int) -> [Field: Int] {
        guard tape[object].isObject else { return [:] }
        var fields: [Field: Int] = [:]
        var place = object + 1
        while place < tape[object].next {
            if tape[place].count <= 64, let field = tape.text(tape[place]).flatMap(Field.init) { fields[field] = place + 1 }
            place = tape[place + 1].next
        }
        return fields
    }

    private func elements(of array: Int) -> some Sequence<Int> {
        let end = tape[array].kind == .array ? tape[array].next : 0
        return sequence(first: array + 1) { [tape] in tape[$0].next }.prefix { $0 < end }
    }

    private func text(_ place: Int?) -> String? {
        guard let place, tape[place].isString, tape[place].count <= SourceMapReader.pathLimit else { return nil }
        return tape.text(tape[place])
    }
}
