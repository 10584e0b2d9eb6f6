// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Messaging
import Platform

/// The fields of a JSON object, each read by name and validated. Unknown fields are rejected, so that a typing error is noticed.
struct ObjectFields {
    let tape: JSONTape
    private let values: [(name: String, index: Int)]
    /// The prefix of field names in refusals, such as `endpoint.`.
    private let prefix: String

    init(_ tape: JSONTape) throws(Refusal) {
        guard tape[0].kind == .object else {
            throw Refusal(.badRequest, "The body is JSON, but not an object.", hint: "See this route in /v1/openapi.json.")
        }
        try self.init(tape, at: 0, prefix: "")
    }

    private init(_ tape: JSONTape, at index: Int, prefix: String) throws(Refusal) {
        var values: [(name: String, index: Int)] = []
        var at = index + 1
        while at < tape[index].next {
            guard let name = tape.text(tape[at]) else { throw Refusal(.invalidJSON, "A key in the body is not valid text.") }
            guard !values.contains(where: { $0.name == name }) else {
                throw .field(prefix + VerdictMessages.short(name), "repeated", "is a duplicate", hint: "Send it once.")
            }
            // More than any object has; it bounds the look-ups.
            guard values.count < 100 else { throw .field(prefix + VerdictMessages.short(name), "unknown", "exceeds the number of fields") }
            values.append((name, tape[at].next))
            at = tape[tape[at].next].next
        }
        (self.tape, self.values, self.prefix) = (tape, values, prefix)
    }

    func allow(_ names: String...) throws(Refusal) {
        for (name, _) in values where !names.contains(name) {
            throw .field(
                prefix + VerdictMessages.short(name), "unknown", "is not a known field", hint: "Known fields: \(names.joined(separator: ", ")).")
        }
    }

    func has(_ name: String) -> Bool {
        index(name) != nil
    }

    /// Whether the field is null.
    func isNull(_ name: String) -> Bool {
        index(name).map { tape[$0].kind == .null } ?? false
    }

    func index(_ name: String) -> Int? {
        values.first { $0.name == name }?.index
    }

    func object(_ name: String) throws(Refusal) -> ObjectFields? {
        guard let index = index(name) else { return nil }
        guard tape[index].kind == .object else { throw .field(prefix + name, "wrong_type", "must be an object", hint: Self.omitHint) }
        return try ObjectFields(tape, at: index, prefix: "\(prefix)\(name).")
    }

    func text(_ name: String) throws(Refusal) -> String? {
        guard let index = index(name) else { return nil }
        guard tape[index].kind == .string, let text = tape.text(tape[index]) else {
            throw .field(prefix + name, "wrong_type", "must be a string", hint: Self.omitHint)
        }
        return text
    }

    /// Returns a name or description: non-empty, at most `limit` characters, without control characters.
    func shortText(_ name: String, limit: Int) throws(Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        let isPrintable = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard (1...limit).contains(text.unicodeScalars.count), isPrintable else {
            throw .field(prefix + name, "bad_text", "must have 1 to \(limit) characters and no control characters", hint: Self.omitHint)
        }
        return text
    }

    /// Returns the strings of a list with their paths for refusals, such as `tokens[3]`.
    func texts(_ name: String, atMost limit: Int) throws(Refusal) -> [(text: String, field: String)]? {
        guard let list = index(name) else { return nil }
        guard tape[list].kind == .array else { throw .field(prefix + name, "wrong_type", "must be a list of strings", hint: Self.omitHint) }
        guard tape[list].children <= limit else {
            throw .field(prefix + name, "too_many", "may have at most \(limit) entries", hint: "Send the others in another request.")
        }
        var texts: [(text: String, field: String)] = []
        var at = list + 1
        while at < tape[list].next {
            let field = "\(prefix)\(name)[\(texts.count)]"
            guard tape[at].kind == .string, let text = tape.text(tape[at]) else { throw .field(field, "wrong_type", "must be a string") }
            texts.append((text, field))
            at = tape[at].next
        }
        return texts
    }

    func flag(_ name: String) throws(Refusal) -> Bool? {
        guard let index = index(name) else { return nil }
        switch tape[index].kind {
        case .true: return true
        case .false: return false
        default: throw .field(prefix + name, "wrong_type", "must be true or false", hint: Self.omitHint)
        }
    }

    func word<Word: StoredWord>(_ name: String, _: Word.Type) throws(Refusal) -> Word? {
        guard let text = try text(name) else { return nil }
        guard let word = Word(name: text) else { throw .field(prefix + name, "unknown", "must be one of \(Word.names)") }
        return word
    }

    private static let omitHint = "Omit it if it has no value."
}
