// SPDX-License-Identifier: Apache-2.0

import Crashes
import Glibc
import JSON

/// Answers questions about places in source maps and mappings of R8, in the child process of `MappedPlaces`.
package struct MappedPlaceReader {
    private enum Contents {
        case map(SourceMap)
        case code(GeneratedFile)
        case mapping(ClassMapping)
        case damaged(String)

        var bytes: Int {
            switch self {
            case .map(let map): map.bytes
            case .code(let file): file.byteCount
            case .mapping(let mapping): mapping.bytes
            case .damaged: 0
            }
        }

        /// An answer without frames.
        var nothing: MappedAnswer {
            if case .damaged(let reason) = self { MappedAnswer(damage: reason) } else { MappedAnswer() }
        }
    }

    private static let keptBytes = 256 << 20
    private static let keptFiles = 256

    private var known: [String: Contents] = [:]
    private var bytes = 0

    package init() {}

    /// Writes the answer to each line of standard input until the input ends.
    package static func answerLines() {
        var reader = MappedPlaceReader()
        while let line = readLine() {
            print(String(decoding: reader.result(Array(line.utf8)), as: UTF8.self))
            fflush(nil)
        }
    }

    /// Returns the answer to a line. A line that is no question has no frames.
    package mutating func result(_ line: [UInt8]) -> [UInt8] {
        guard let json = try? JSONValue(line), let question = MappedQuestion(json) else { return MappedAnswer().json }
        return answer(question).json
    }

    private mutating func answer(_ question: MappedQuestion) -> MappedAnswer {
        switch question {
        case .script(let map, let code, let line, let column, let function):
            let contents = contents(map, MappedPlaceReader.map)
            guard case .map(let map) = contents else { return contents.nothing }
            return MappedAnswer(place(map, code, line: line, column: column, function).map { [$0] } ?? [])
        case .method(let mapping, let className, let method, let line):
            let contents = contents(mapping, MappedPlaceReader.mapping)
            guard case .mapping(let mapping) = contents else { return contents.nothing }
            let frames = (try? mapping.frames(class: className, method: method, line: line)) ?? []
            return MappedAnswer(frames.map { MappedPlace(className: $0.className, function: $0.method, file: $0.file, line: $0.line) })
        case .className(let mapping, let className):
            let contents = contents(mapping, MappedPlaceReader.mapping)
            guard case .mapping(let mapping) = contents else { return contents.nothing }
            return MappedAnswer((try? mapping.originalClass(className)).flatMap { $0 }.map { [MappedPlace(className: $0)] } ?? [])
        case .check(let file, let format):
            // Each file is checked once, so its contents are not kept.
            return MappedPlaceReader.read(file, format == .classMapping ? MappedPlaceReader.mapping : MappedPlaceReader.map).nothing
        }
    }

    private mutating func place(_ map: SourceMap, _ code: String?, line: Int, column: Int, _ function: String?) -> MappedPlace? {
        guard let found = map.location(line: line, column: column) else { return nil }
        var place = MappedPlace(file: found.source, line: found.line, column: found.column, name: found.name, isIgnored: found.isIgnored)
        if let function, let code, case .code(let file) = contents(code, MappedPlaceReader.code) {
            place.function = map.functionName(function, line: line, column: column, in: file)
        }
        if let source = map.content(ofSource: found.sourceIndex) {
            let lines = SourceLines(source, around: found.line)
            (place.before, place.text, place.after) = (lines.before, lines.line, lines.after)
        }
        return place
    }

    // MARK: Files

    private mutating func contents(_ name: String, _ read: (String) throws -> Contents) -> Contents {
        if let known = known[name] { return known }
        let new = MappedPlaceReader.read(name, read)
        if bytes + new.bytes > MappedPlaceReader.keptBytes || known.count >= MappedPlaceReader.keptFiles { (known, bytes) = ([:], 0) }
        known[name] = new
        bytes += new.bytes
        return new
    }

    private static func read(_ path: String, _ read: (String) throws -> Contents) -> Contents {
        do {
            return try read(path)
        } catch {
            return .damaged((error as? SymbolFileError)?.damage ?? "it cannot be read")
        }
    }

    private static func map(_ path: String) throws -> Contents { .map(try SourceMap(all(path))) }

    private static func code(_ path: String) throws -> Contents { .code(GeneratedFile(try all(path))) }

    private static func mapping(_ path: String) throws -> Contents { .mapping(try ClassMapping(path: path)) }

    private static func all(_ path: String) throws(SymbolFileError) -> [UInt8] {
        let source = try ByteSource(path: path)
        guard source.count <= SourceMap.longest else { throw .tooLarge(SourceMap.longest) }
        return try source.read(at: 0, count: source.count)
    }
}

/// A line of a source text, with those around it, each cut to a width.
struct SourceLines {
    private(set) var before: [String] = []
    private(set) var line: String?
    private(set) var after: [String] = []

    /// - Parameter number: The number of the line, from 1.
    init(_ text: ArraySlice<UInt8>, around number: Int) {
        let first = max(1, number - CrashLimits.contextLines)
        guard var place = SourceLines.start(ofLine: first, in: text) else { return }
        for current in first...(number + CrashLimits.contextLines) {
            guard place < text.endIndex else { return }
            let end = SourceLines.end(from: place, in: text)
            let line = SourceLines.cut(text[place..<end])
            if current < number { before.append(line) } else if current == number { self.line = line } else { after.append(line) }
            place = end + 1
        }
    }

    private static func start(ofLine number: Int, in text: ArraySlice<UInt8>) -> Int? {
        var place = text.startIndex
        for _ in 1..<number {
            let end = end(from: place, in: text)
            guard end < text.endIndex else { return nil }
            place = end + 1
        }
        return place
    }

    private static func end(from place: Int, in text: ArraySlice<UInt8>) -> Int {
        text.withUnsafeBytes { bytes in
            let offset = place - text.startIndex
            // `offset` is never beyond the end of the text.
            guard let start = bytes.baseAddress, let end = memchr(start + offset, 0x0a, bytes.count - offset) else { return text.endIndex }
            return text.startIndex + (UnsafeRawPointer(end) - start)
        }
    }

    private static func cut(_ line: ArraySlice<UInt8>) -> String {
        let line = line.last == 0x0d ? line.dropLast() : line
        let text = String(decoding: line.prefix(4 * CrashLimits.contextCharacters), as: UTF8.self)
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(CrashLimits.contextCharacters)))
    }
}
