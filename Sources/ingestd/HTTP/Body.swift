// SPDX-License-Identifier: Apache-2.0

import Analytics
import Events
import JSON
import Platform
import AcrossStores

/// A small JSON object whose fields are read by name and checked; unknown fields are rejected by name.
struct Body: Sendable {
    let tape: JSONTape
    /// The index of each value's token, by name.
    let values: [(name: String, index: Int)]
    private static let parser = JSONParser()
    /// Bounds the linear look-ups.
    private static let mostFields = 1_000

    init(_ bytes: [UInt8]) throws(Refusal) {
        let tape: JSONTape
        do throws(JSONError) {
            tape = try Body.parser.withReader { reader throws(JSONError) in try reader.parse(bytes, limits: JSONLimits(bytes: 1 << 20, depth: 8)) }
        } catch {
            throw Body.refusal(error)
        }
        try self.init(tape, at: 0)
    }

    init(_ tape: JSONTape, at index: Int) throws(Refusal) {
        guard tape[index].kind == .object else { throw Refusal(.badRequest, "The body must be a JSON object.") }
        var values: [(name: String, index: Int)] = []
        var names: Set<String> = []
        var i = index + 1
        while i < tape[index].next {
            guard let name = tape.text(tape[i]) else { throw Refusal(.invalidJSON, "A member name in the body is not valid text.") }
            guard values.count < Body.mostFields else { throw .field(name, "unknown", "exceeds the limit of \(Body.mostFields) fields") }
            guard names.insert(name).inserted else { throw .field(name, "repeated", "occurs twice") }
            values.append((name, i + 1))
            i = tape[i + 1].next
        }
        self.tape = tape
        self.values = values
    }

    private static func refusal(_ failure: JSONError) -> Refusal {
        switch failure.reason {
        case .tooLarge, .tooManyTokens, .tooManyMembers:
            Refusal(.tooLarge, "The body \(failure.explanation).", hint: "This route takes at most 1 MiB.")
        case .tooDeep: Refusal(.badRequest, "The body \(failure.explanation).", hint: "Nest fewer objects and arrays.")
        default: Refusal(.invalidJSON, "The body \(failure.explanation).", hint: "Send one JSON object in UTF-8.")
        }
    }

    var names: [String] { values.map(\.name) }

    func allow(_ names: String...) throws(Refusal) {
        try allow(names)
    }

    func allow(_ names: [String]) throws(Refusal) {
        for (name, _) in values where !names.contains(name) {
            throw .field(name, "unknown", "is not a field of this route; it takes \(names.joined(separator: ", "))")
        }
    }

    func isNull(_ name: String) -> Bool { token(name)?.kind == .null }

    func text(_ name: String) throws(Refusal) -> String {
        guard let text = try optionalText(name) else { throw .field(name, "missing", "is required") }
        return text
    }

    func optionalText(_ name: String) throws(Refusal) -> String? {
        guard let token = token(name) else { return nil }
        guard token.kind == .string, let text = tape.text(token) else { throw .field(name, "wrong_type", "must be a string") }
        return text
    }

    /// A time of RFC 3339 or relative to now, as `-7d`; nil without the field.
    func moment(_ name: String, now: Timestamp) throws(Refusal) -> Timestamp? {
        guard let text = try optionalText(name) else { return nil }
        guard let time = Timestamp(parameter: text, now: now) else {
            throw .field(name, "bad_time", "must be a time, or relative to now such as -7d")
        }
        return time
    }

    func number(_ name: String, _ range: ClosedRange<Int>) throws(Refusal) -> Int? {
        guard let token = token(name) else { return nil }
        guard let number = token.integer, range.contains(Int(number)) else {
            throw .field(name, "out_of_range", "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(number)
    }

    /// A truth value; nil without the field.
    func flag(_ name: String) throws(Refusal) -> Bool? {
        guard let value = values.first(where: { $0.name == name }) else { return nil }
        switch tape[value.index].kind {
        case .true: return true
        case .false: return false
        default: throw .field(name, "wrong_type", "must be true or false")
        }
    }

    /// A list of short texts; missing is empty. The store joins them with commas, so none may contain one.
    ///
    /// - Parameter numbers: Whether whole numbers are taken as texts.
    func texts(_ name: String, most: Int = 100, mayBeEmpty: Bool = false, numbers: Bool = false) throws(Refusal) -> [String] {
        guard let index = values.first(where: { $0.name == name })?.index else { return [] }
        guard tape[index].kind == .array, tape[index].children <= most else {
            throw .field(name, "wrong_type", "must be a list of at most \(most) strings")
        }
        return try items(index).map { item throws(Refusal) in
            let token = tape[item]
            if numbers, token.kind == .integer, let number = token.integer { return String(number) }
            guard
                token.kind == .string, let text = tape.text(token), mayBeEmpty || !text.isEmpty, text.utf8.count <= 256,
                !text.utf8.contains(UInt8(ascii: ","))
            else {
                throw .field(name, "wrong_type", "must contain strings of \(mayBeEmpty ? 0 : 1) to 256 bytes without commas")
            }
            return text
        }
    }

    /// The scalars of a list, as values for a statement; missing is empty.
    func scalars(_ name: String) throws(Refusal) -> [SQLValue] {
        guard let index = values.first(where: { $0.name == name })?.index else { return [] }
        let found = items(index).compactMap { scalar(tape[$0]) }
        guard tape[index].kind == .array, found.count == tape[index].children, found.count <= 100 else {
            throw .field(name, "wrong_type", "must be a list of at most 100 strings, numbers, booleans or nulls")
        }
        return found
    }

    private func scalar(_ token: JSONToken) -> SQLValue? {
        switch token.kind {
        case .string: tape.text(token).map { .text(Array($0.utf8)) }
        case .integer: token.integer.map { .integer($0) }
        case .unsigned, .double: token.double.map { .real($0) }
        case .true: .integer(1)
        case .false: .integer(0)
        case .null: .null
        case .object, .array, .key, .bigNumber: nil
        }
    }

    /// An object inside this one.
    func object(_ name: String) throws(Refusal) -> Body {
        guard let value = values.first(where: { $0.name == name }), tape[value.index].kind == .object else {
            throw .field(name, "wrong_type", "must be an object")
        }
        return try Body(tape, at: value.index)
    }

    /// The objects of a list; missing is empty.
    func objects(_ name: String) throws(Refusal) -> [Body] {
        guard let index = values.first(where: { $0.name == name })?.index, tape[index].kind == .array else { return [] }
        return try items(index).map { item throws(Refusal) in try Body(tape, at: item) }
    }

    /// Every field as it is written in the body.
    func plainTexts() -> [(name: String, value: String)] {
        values.map { ($0.name, tape.text(tape[$0.index]) ?? "") }
    }

    /// The elements of a list; a value that is no list is its own only element.
    func items(_ index: Int) -> [Int] {
        guard tape[index].kind == .array else { return [index] }
        var out: [Int] = []
        var i = index + 1
        while i < tape[index].next {
            out.append(i)
            i = tape[i].next
        }
        return out
    }

    private func token(_ name: String) -> JSONToken? {
        values.first { $0.name == name }.map { tape[$0.index] }
    }
}
