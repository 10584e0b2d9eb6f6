// SPDX-License-Identifier: Apache-2.0

import JSON

/// A value of a document, with its type and a text of one line.
///
///     7                                    integer     7
///     {"$time": "2026-11-23T10:00:00Z"}    timestamp   2026-11-23T10:00:00Z
///     {"a": 1, "b": [2, 3]}                map         2 fields
struct ShownValue: Sendable {
    enum Kind: String, Sendable {
        case null, boolean, integer, double, string, timestamp, bytes, reference, vector, array, map
        case geoPoint = "geo point"
    }

    let kind: Kind
    /// The content of the tag, if the JSON is a tagged value.
    private let content: JSONValue
    let json: JSONValue

    private static let tags: [String: Kind] = [
        "$time": .timestamp, "$bytes": .bytes, "$ref": .reference, "$geo": .geoPoint, "$vector": .vector, "$double": .double,
    ]

    init(_ json: JSONValue) {
        self.json = json
        let members = json.fields
        if members.count == 1, let kind = ShownValue.tags[members[0].name] {
            (self.kind, content) = (kind, members[0].value)
        } else {
            (kind, content) = (ShownValue.kind(of: json), json)
        }
    }

    /// The fields of a document, or any other map that is no tagged value.
    init(untagged json: JSONValue) {
        (self.json, content, kind) = (json, json, ShownValue.kind(of: json))
    }

    private static func kind(of json: JSONValue) -> Kind {
        switch json.json.first {
        case UInt8(ascii: "{"): .map
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        case UInt8(ascii: "n"): .null
        default: json.json.contains { ".eE".utf8.contains($0) } ? .double : .integer
        }
    }

    /// The fields of a map with the names that they have in the document: `$$a` is `$a`.
    var fields: [(name: String, value: ShownValue)] {
        guard kind == .map else { return [] }
        return content.fields.map { name, value in (name.hasPrefix("$$") ? String(name.dropFirst()) : name, ShownValue(value)) }
    }

    var elements: [ShownValue] { kind == .array ? content.elements.map { ShownValue($0) } : [] }

    /// The value in one line, with control characters escaped: `"line 1\nline 2"`, `2 fields`.
    func line(atMost limit: Int) -> String {
        switch kind {
        case .null, .boolean, .integer, .double, .timestamp, .reference: content.text.escaped(atMost: limit)
        case .string: "\"\(content.text.escaped(atMost: limit))\""
        case .bytes: "\(ShownValue.byteCount(content.text).of("byte", "bytes")) \(content.text.escaped(atMost: limit))"
        case .geoPoint: content.elements.map(\.text).joined(separator: ", ")
        case .vector: "\(content.elements.count.of("dimension", "dimensions")) \(ShownValue.start(of: content.elements))"
        case .array: content.elements.count.of("element", "elements")
        case .map: content.fields.count.of("field", "fields")
        }
    }

    /// The value for programs: the text of a string, a tag's content, or JSON.
    var plain: String {
        switch kind {
        case .vector, .geoPoint, .array, .map: String(decoding: content.json, as: UTF8.self)
        default: content.text
        }
    }

    /// The value with all that is in it, on as many lines as it needs.
    func lines(atMost limit: Int) -> String {
        (kind == .map || kind == .array ? json.pretty : plain).escaped(atMost: limit, keepsLines: true)
    }

    private static func byteCount(_ base64: String) -> Int {
        base64.utf8.count / 4 * 3 - base64.utf8.suffix(2).count { $0 == UInt8(ascii: "=") }
    }

    private static func start(of numbers: [JSONValue]) -> String {
        let most = 4
        return numbers.prefix(most).map(\.text).joined(separator: ", ") + (numbers.count > most ? ", …" : "")
    }
}
