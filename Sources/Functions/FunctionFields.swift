// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// The fields of an object in a definition, each read by name and validated. Unknown fields are refused.
struct FunctionFields {
    private let tape: JSONTape
    private let values: [(name: String, index: Int)]
    /// The prefix of field names in refusals, such as `triggers[0].`.
    private let prefix: String
    /// More than any object of a definition has. It bounds the look-ups.
    private static let maximumFields = 50

    init(_ tape: JSONTape) throws(Refusal) {
        guard tape[0].kind == .object else { throw Refusal(.badRequest, "The body must be a JSON object.", hint: "Send a function's definition.") }
        try self.init(tape, at: 0, prefix: "")
    }

    private init(_ tape: JSONTape, at index: Int, prefix: String) throws(Refusal) {
        var values: [(name: String, index: Int)] = []
        var key = index + 1
        while key < tape[index].next {
            guard let name = tape.text(tape[key]) else { throw Refusal(.invalidJSON, "A key in the body is not valid text.") }
            guard values.count < FunctionFields.maximumFields else { throw .field(prefix + name, "unknown", "exceeds the number of fields") }
            guard !values.contains(where: { $0.name == name }) else {
                throw .field(prefix + name, "repeated", "is a duplicate", hint: "Send it once.")
            }
            let value = tape[key].next
            values.append((name, value))
            key = tape[value].next
        }
        (self.tape, self.values, self.prefix) = (tape, values, prefix)
    }

    func allow(_ names: String...) throws(Refusal) {
        for (name, _) in values where !names.contains(name) {
            throw refusal(name, "unknown", "is not a known field", hint: "Known fields: \(names.joined(separator: ", ")).")
        }
    }

    func has(_ name: String) -> Bool { index(name) != nil }

    func refusal(_ name: String, _ code: String, _ problem: String, hint: String? = nil) -> Refusal {
        .field(prefix + name, code, problem, hint: hint)
    }

    // MARK: Scalars

    func text(_ name: String) throws(Refusal) -> String? {
        guard let index = index(name) else { return nil }
        guard tape[index].kind == .string, let text = tape.text(tape[index]) else { throw refusal(name, "wrong_type", "must be a string") }
        return text
    }

    func requiredText(_ name: String) throws(Refusal) -> String {
        guard let text = try text(name) else { throw refusal(name, "missing", "is required") }
        return text
    }

    func number(_ name: String, _ range: ClosedRange<Int>) throws(Refusal) -> Int? {
        guard let index = index(name) else { return nil }
        guard let number = tape[index].integer, range.contains(Int(number)) else {
            throw refusal(name, "out_of_range", "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(number)
    }

    func flag(_ name: String) throws(Refusal) -> Bool? {
        guard let index = index(name) else { return nil }
        switch tape[index].kind {
        case .true: return true
        case .false: return false
        default: throw refusal(name, "wrong_type", "must be true or false")
        }
    }

    func word<Word: DefinitionWord>(_ name: String, _: Word.Type) throws(Refusal) -> Word? {
        guard let text = try text(name) else { return nil }
        return try word(text, field: name)
    }

    func requiredWord<Word: DefinitionWord>(_ name: String, _: Word.Type) throws(Refusal) -> Word {
        try word(try requiredText(name), field: name)
    }

    func words<Word: DefinitionWord>(_ name: String, _: Word.Type) throws(Refusal) -> [Word] {
        var words: [Word] = []
        for (index, text) in try texts(name, atMost: Word.allCases.count).enumerated() {
            let word: Word = try word(text, field: "\(name)[\(index)]")
            guard !words.contains(where: { $0.rawValue == word.rawValue }) else {
                throw refusal("\(name)[\(index)]", "repeated", "is a duplicate", hint: "List each one once.")
            }
            words.append(word)
        }
        return words
    }

    private func word<Word: DefinitionWord>(_ text: String, field: String) throws(Refusal) -> Word {
        guard let word = Word(rawValue: text) else {
            throw refusal(field, "unknown", "must be one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return word
    }

    // MARK: Lists and objects

    /// Returns the strings of a list; none without the field.
    func texts(_ name: String, atMost limit: Int) throws(Refusal) -> [String] {
        guard let list = index(name) else { return [] }
        guard tape[list].kind == .array else { throw refusal(name, "wrong_type", "must be a list of strings") }
        guard tape[list].children <= limit else { throw refusal(name, "too_many", "may have at most \(limit) entries") }
        var texts: [String] = []
        for place in places(of: list) {
            guard tape[place].kind == .string, let text = tape.text(tape[place]) else {
                throw refusal("\(name)[\(texts.count)]", "wrong_type", "must be a string")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns a string as a list of one, or the strings of a list; none without the field.
    func textOrTexts(_ name: String, atMost limit: Int) throws(Refusal) -> [String] {
        guard let index = index(name), tape[index].kind == .string else { return try texts(name, atMost: limit) }
        return [try requiredText(name)]
    }

    func object(_ name: String) throws(Refusal) -> FunctionFields? {
        guard let index = index(name) else { return nil }
        guard tape[index].kind == .object else { throw refusal(name, "wrong_type", "must be an object") }
        return try FunctionFields(tape, at: index, prefix: "\(prefix)\(name).")
    }

    /// Returns the objects of a list; none without the field.
    func objects(_ name: String, atMost limit: Int) throws(Refusal) -> [FunctionFields] {
        guard let list = index(name) else { return [] }
        guard tape[list].kind == .array else { throw refusal(name, "wrong_type", "must be a list of objects") }
        guard tape[list].children <= limit else { throw refusal(name, "too_many", "may have at most \(limit) entries") }
        var objects: [FunctionFields] = []
        for place in places(of: list) {
            let item = "\(name)[\(objects.count)]"
            guard tape[place].kind == .object else { throw refusal(item, "wrong_type", "must be an object") }
            objects.append(try FunctionFields(tape, at: place, prefix: "\(prefix)\(item)."))
        }
        return objects
    }

    /// Returns the places of a list's elements.
    private func places(of list: Int) -> [Int] {
        var places: [Int] = []
        var place = list + 1
        while place < tape[list].next {
            places.append(place)
            place = tape[place].next
        }
        return places
    }

    private func index(_ name: String) -> Int? { values.first { $0.name == name }?.index }
}

/// A closed set of words of the API.
package protocol DefinitionWord: CaseIterable, RawRepresentable, Sendable where RawValue == String {}

extension FunctionDefinition.AddressFormat: DefinitionWord {}
extension FunctionDefinition.Auth: DefinitionWord {}
extension FunctionDefinition.Grant: DefinitionWord {}
extension WorkerProgram.Transport: DefinitionWord {}
extension FunctionTrigger.Kind: DefinitionWord {}
extension FunctionTrigger.IssueMoment: DefinitionWord {}
extension FunctionTrigger.UserMoment: DefinitionWord {}
extension FunctionTrigger.DocumentMoment: DefinitionWord {}
extension FunctionTrigger.FileMoment: DefinitionWord {}
extension ScheduleTrigger.Missed: DefinitionWord {}
