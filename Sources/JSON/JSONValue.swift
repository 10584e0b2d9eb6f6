// SPDX-License-Identifier: Apache-2.0

/// A parsed document, or a part of it, for lookups by name.
package struct JSONValue: Sendable {
    private let tape: JSONTape
    private let index: Int
    private static let parser = JSONParser()
    /// No response has as many levels. The text of a list is built recursively.
    package static let limits = JSONLimits(depth: 64)

    package init(_ bytes: [UInt8], limits: JSONLimits = JSONValue.limits) throws(JSONError) {
        tape = try JSONValue.parser.withReader { reader throws(JSONError) in try reader.parse(bytes, limits: limits) }
        index = 0
    }

    private init(_ tape: JSONTape, _ index: Int) {
        self.tape = tape
        self.index = index
    }

    /// The fields of an object in their order.
    package var fields: [(name: String, value: JSONValue)] {
        guard tape[index].kind == .object else { return [] }
        var out: [(name: String, value: JSONValue)] = []
        var i = index + 1
        while i < tape[index].next {
            out.append((tape.text(tape[i]) ?? "", JSONValue(tape, i + 1)))
            i = tape[i + 1].next
        }
        return out
    }

    /// The elements of an array.
    package var elements: [JSONValue] {
        guard tape[index].kind == .array else { return [] }
        var out: [JSONValue] = []
        var i = index + 1
        while i < tape[index].next {
            out.append(JSONValue(tape, i))
            i = tape[i].next
        }
        return out
    }

    package subscript(_ name: String) -> JSONValue? { fields.first { $0.name == name }?.value }

    /// The text of a string, the elements of an array joined by commas, or any other value as JSON.
    package var text: String {
        tape[index].kind == .array ? elements.map(\.text).joined(separator: ",") : tape.text(tape[index]) ?? ""
    }

    /// The text of a string; nil for any other value.
    package var string: String? { tape[index].kind == .string ? tape.text(tape[index]) : nil }

    /// The value of a whole number; nil for any other value.
    package var integer: Int64? { tape[index].integer }

    /// Returns a field's text; empty if the field is missing.
    package func text(_ name: String) -> String { self[name]?.text ?? "" }

    /// The JSON exactly as parsed.
    package var json: ArraySlice<UInt8> { tape.bytes[tape.slice(index)] }
}
