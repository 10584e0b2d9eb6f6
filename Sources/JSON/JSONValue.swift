// SPDX-License-Identifier: Apache-2.0

/// A document that was read, or a part of one, to look things up in.
package struct JSONValue: Sendable {
    private let tape: JSONTape
    private let index: Int
    private static let parser = JSONParser()
    /// No answer of ours has as many levels; the text of lists is made by recursion.
    private static let limits = JSONLimits(depth: 64)

    package init(_ bytes: [UInt8]) throws(JSONFailure) {
        tape = try JSONValue.parser.withReader { reader throws(JSONFailure) in try reader.parse(bytes, limits: JSONValue.limits) }
        index = 0
    }

    private init(_ tape: JSONTape, _ index: Int) {
        self.tape = tape
        self.index = index
    }

    /// The fields of an object, in their order.
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

    /// A string's text, an array's elements with commas, any other value as JSON.
    package var text: String {
        tape[index].kind == .array ? elements.map(\.text).joined(separator: ",") : tape.text(tape[index]) ?? ""
    }

    /// Nil for anything but a string.
    package var string: String? { tape[index].kind == .string ? tape.text(tape[index]) : nil }

    /// Nil for anything but a whole number.
    package var integer: Int64? { tape[index].integer }

    /// A field's text; empty where it is missing.
    package func text(_ name: String) -> String { self[name]?.text ?? "" }

    /// As it came.
    package var json: ArraySlice<UInt8> { tape.bytes[tape.slice(index)] }
}
