// SPDX-License-Identifier: Apache-2.0

import JSON

/// Reads another product's objects and copies their fields.
extension JSONTape {
    /// Returns the value at a path of two fields; nil if it is missing or null.
    func value(at outer: StaticString, _ inner: StaticString, of object: Int) -> Int? {
        value(outer, of: object).flatMap { value(inner, of: $0) }
    }

    /// Returns the first field that exists.
    func first(_ names: StaticString..., of object: Int) -> Int? {
        for name in names { if let place = value(name, of: object) { return place } }
        return nil
    }

    /// Returns the text of a string; nil for anything else.
    func string(_ place: Int?) -> String? {
        guard let place, self[place].isString else { return nil }
        return text(self[place])
    }

    /// Whether the value is exactly this text.
    func isString(_ place: Int?, _ literal: StaticString) -> Bool {
        guard let place, self[place].isString else { return false }
        return isText(self[place], literal)
    }

    /// Whether the key is one of these.
    func isKey(_ place: Int, among names: [StaticString]) -> Bool {
        let key = self[place]
        for name in names where isText(key, name) { return true }
        return false
    }
}

extension TapeWriter {
    mutating func field(_ name: StaticString, _ text: String) {
        key(name)
        string(text)
    }

    mutating func field(_ name: StaticString, _ value: Int64) {
        key(name)
        integer(value)
    }

    mutating func field(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// Copies a value if there is one.
    mutating func field(_ name: StaticString, copying place: Int?, of tape: JSONTape) {
        guard let place else { return }
        key(name)
        copy(place, of: tape)
    }

    /// Copies an ID as text. Some SDKs send numbers. An empty ID is omitted.
    mutating func id(_ name: StaticString, copying place: Int?, of tape: JSONTape) {
        guard let place else { return }
        let token = tape[place]
        if token.isString, token.count == 0 { return }
        key(name)
        if token.isNumber { string(copyingNumber: place, of: tape) } else { copy(place, of: tape) }
    }

    /// Writes the platform under our name for it.
    mutating func platform(_ place: Int?, of tape: JSONTape) {
        guard let place, tape[place].isString, tape[place].count > 0 else { return }
        for (theirs, ours) in PlatformNames.known where tape.isText(tape[place], lowerCased: theirs) { return field("platform", ours) }
        if let name = tape.text(tape[place]) { field("platform", name.lowercased()) }
    }

    /// Copies the fields of an object except some, without its braces.
    mutating func fields(of object: Int?, but left: [StaticString] = [], in tape: JSONTape) {
        guard let object else { return }
        members(of: object, in: tape) { _, key in left.isEmpty || !tape.isKey(key, among: left) }
    }

    /// Copies the fields of an object with a prefix before their names.
    mutating func fields(of object: Int?, prefix: String, in tape: JSONTape) {
        guard let object else { return }
        for place in tape.keys(of: object) {
            guard let name = tape.text(tape[place]) else { continue }
            key(text: prefix + name)
            copy(tape[place].next, of: tape)
        }
    }

    /// Copies the selected members of an object. Adjacent ones are copied as one piece.
    mutating func members(of object: Int, in tape: JSONTape, where isWanted: (_ number: Int, _ key: Int) -> Bool) {
        var run = (first: 0, last: 0, count: 0)
        tape.eachKey(of: object) { number, key in
            if isWanted(number, key) {
                run = (run.count == 0 ? key : run.first, key, run.count + 1)
            } else if run.count > 0 {
                copyMembers(from: run.first, through: run.last, count: run.count, of: tape)
                run.count = 0
            }
        }
        if run.count > 0 { copyMembers(from: run.first, through: run.last, count: run.count, of: tape) }
    }
}
