// SPDX-License-Identifier: Apache-2.0

import JSON

/// A place in code that a build transformed, to be looked up in a source map or a mapping of R8.
enum MappedQuestion: Hashable {
    /// - Parameter code: The minified file, in which declarations of functions are found.
    case script(map: String, code: String?, line: Int, column: Int, function: String?)
    case method(mapping: String, className: String, method: String, line: Int?)
    case className(mapping: String, String)
    /// Whether a file can be read at all.
    case check(file: String, SymbolFormat)

    /// The file that is read first.
    var file: String {
        switch self {
        case .script(let map, _, _, _, _): map
        case .method(let mapping, _, _, _), .className(let mapping, _): mapping
        case .check(let file, _): file
        }
    }

    // Texts are compared byte by byte.
    static func == (one: MappedQuestion, other: MappedQuestion) -> Bool { one.json == other.json }

    func hash(into hasher: inout Hasher) { hasher.combine(json) }

    var json: [UInt8] {
        var json = JSONWriter(reserving: 256)
        json.beginObject()
        switch self {
        case .script(let map, let code, let line, let column, let function):
            json.field("map", map)
            if let code { json.field("code", code) }
            json.field("line", line)
            json.field("column", column)
            if let function { json.field("function", function) }
        case .method(let mapping, let className, let method, let line):
            json.field("mapping", mapping)
            json.field("class", className)
            json.field("function", method)
            if let line { json.field("line", line) }
        case .className(let mapping, let className):
            json.field("mapping", mapping)
            json.field("class", className)
        case .check(let file, let format):
            json.field("check", file)
            json.field("format", format.rawValue)
        }
        json.endObject()
        return json.bytes
    }

    init?(_ json: JSONValue) {
        let (line, column) = (json["line"]?.integer.flatMap { Int(exactly: $0) }, json["column"]?.integer.flatMap { Int(exactly: $0) })
        if let map = json["map"]?.string, let line, let column {
            self = .script(map: map, code: json["code"]?.string, line: line, column: column, function: json["function"]?.string)
        } else if let mapping = json["mapping"]?.string, let className = json["class"]?.string {
            let method = json["function"]?.string
            self = method.map { .method(mapping: mapping, className: className, method: $0, line: line) } ?? .className(mapping: mapping, className)
        } else if let file = json["check"]?.string, let format = json["format"]?.string.flatMap(SymbolFormat.init) {
            self = .check(file: file, format)
        } else {
            return nil
        }
    }
}

/// A frame of the program as it was written.
struct MappedPlace: Equatable {
    var className: String?
    var function: String?
    var file: String?
    var line: Int?
    var column: Int?
    /// The name at the place, which in a call is that of the called function.
    var name: String?
    var isIgnored = false
    /// The source line, and those before and after it.
    var text: String?
    var before: [String] = []
    var after: [String] = []

    init(
        className: String? = nil, function: String? = nil, file: String? = nil, line: Int? = nil, column: Int? = nil, name: String? = nil,
        isIgnored: Bool = false
    ) {
        (self.className, self.function, self.file, self.line, self.column, self.name) = (className, function, file, line, column, name)
        self.isIgnored = isIgnored
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        for (key, value) in [("class", className), ("function", function), ("file", file), ("name", name), ("text", text)] {
            if let value { json.field(key, value) }
        }
        if let line { json.field("line", line) }
        if let column { json.field("column", column) }
        if isIgnored { json.field("ignored", true) }
        for (key, lines) in [("before", before), ("after", after)] where !lines.isEmpty { json.field(key, lines) }
        json.endObject()
    }

    fileprivate init(_ frame: JSONValue) {
        (className, function, file) = (frame["class"]?.string, frame["function"]?.string, frame["file"]?.string)
        (line, column) = (MappedPlace.number(frame["line"]), MappedPlace.number(frame["column"]))
        (name, isIgnored, text) = (frame["name"]?.string, frame["ignored"] != nil, frame["text"]?.string)
        before = frame["before"]?.elements.compactMap(\.string) ?? []
        after = frame["after"]?.elements.compactMap(\.string) ?? []
    }

    private static func number(_ value: JSONValue?) -> Int? { value?.integer.flatMap { Int(exactly: $0) } }
}

/// The answer to a question.
///
///     {"frames":[{"class":"Cart","function":"pay","line":12}]}        frames, innermost first
///     {"frames":[],"damage":"its mappings are not base64"}            the file cannot be read
struct MappedAnswer: Equatable {
    var frames: [MappedPlace] = []
    /// The reason why the file cannot be read.
    var damage: String?

    var json: [UInt8] {
        var json = JSONWriter(reserving: 1_024)
        json.beginObject()
        json.key("frames")
        json.beginArray()
        for frame in frames { frame.write(to: &json) }
        json.endArray()
        if let damage { json.field("damage", damage) }
        json.endObject()
        return json.bytes
    }

    init(_ frames: [MappedPlace] = [], damage: String? = nil) {
        (self.frames, self.damage) = (frames, damage)
    }

    init(_ result: [UInt8]) {
        guard let json = try? JSONValue(result) else { return }
        frames = json["frames"]?.elements.map(MappedPlace.init) ?? []
        damage = json["damage"]?.string
    }
}
