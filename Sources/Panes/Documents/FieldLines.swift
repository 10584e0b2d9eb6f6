// SPDX-License-Identifier: Apache-2.0

import JSON

/// The fields of a document as lines, each map and array followed by what is in it.
///
///     address     map       2 fields
///       city      string    "Bonn"
///       zip       string    "53111"
///     tags        array     1 element
///       [0]       string    "a"
struct FieldLines: Sendable {
    struct Line: Sendable {
        /// The path of the field: `address.city`, `tags[0]`. It is unique in the document.
        let path: String
        /// The name in its map or array, indented.
        let name: String
        let value: ShownValue
        /// The beginning of the value.
        let text: String
    }

    /// A document may have hundreds of thousands of values.
    static let most = 1_000
    private static let mostCharacters = 200

    private(set) var lines: [Line] = []
    /// Whether the document has more.
    private(set) var isCut = false

    init(_ fields: JSONValue) {
        for (name, value) in ShownValue(untagged: fields).fields { add(name.shownName, name.shownName, value, depth: 0) }
    }

    private mutating func add(_ path: String, _ name: String, _ value: ShownValue, depth: Int) {
        guard lines.count < FieldLines.most else { return isCut = true }
        let indented = String(repeating: "  ", count: depth) + name
        lines.append(Line(path: path, name: indented, value: value, text: value.line(atMost: FieldLines.mostCharacters)))
        for (name, value) in value.fields { add("\(path).\(name.shownName)", name.shownName, value, depth: depth + 1) }
        for (index, value) in value.elements.enumerated() where !isCut { add("\(path)[\(index)]", "[\(index)]", value, depth: depth + 1) }
    }
}

extension String {
    /// A field's name as in paths: plain, or in backquotes. Different names stay different.
    fileprivate var shownName: String {
        let isPlain = !isEmpty && utf8.allSatisfy { $0 == UInt8(ascii: "_") || Character(Unicode.Scalar($0)).isPathLetter }
        return isPlain ? self : "`\(replacing("\\", with: "\\\\").replacing("`", with: "\\`").escaped(atMost: 3_000))`"
    }
}

extension Character {
    fileprivate var isPathLetter: Bool { isASCII && (isLetter || isNumber) }
}
