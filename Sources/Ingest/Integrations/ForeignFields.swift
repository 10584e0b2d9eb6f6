// SPDX-License-Identifier: Apache-2.0

import JSON

/// Fields of another product's objects, written into ours.
extension JSONTape {
    /// What stands at the end of a path of fields; nil where there is none, and where it is null.
    func value(at outer: StaticString, _ inner: StaticString, of object: Int) -> Int? {
        value(outer, of: object).flatMap { value(inner, of: $0) }
    }

    /// The first of these that is there.
    func first(_ names: StaticString..., of object: Int) -> Int? {
        for name in names { if let place = value(name, of: object) { return place } }
        return nil
    }

    /// The text of a string; nil for anything else.
    func string(_ place: Int?) -> String? {
        guard let place, self[place].isString else { return nil }
        return text(self[place])
    }

    /// Whether a value is exactly this text.
    func isString(_ place: Int?, _ literal: StaticString) -> Bool {
        guard let place, self[place].isString else { return false }
        return isText(self[place], literal)
    }

    /// Whether a key is one of these.
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

    /// A value as it stands, if there is one.
    mutating func field(_ name: StaticString, copying place: Int?, of tape: JSONTape) {
        guard let place else { return }
        key(name)
        copy(place, of: tape)
    }

    /// An id, which some write as a number and we as text; an empty one is none.
    mutating func id(_ name: StaticString, copying place: Int?, of tape: JSONTape) {
        guard let place else { return }
        let token = tape[place]
        if token.isString, token.count == 0 { return }
        key(name)
        if token.isNumber { string(copyingNumber: place, of: tape) } else { copy(place, of: tape) }
    }

    /// A platform under the name that we know it by.
    mutating func platform(_ place: Int?, of tape: JSONTape) {
        guard let place, tape[place].isString, tape[place].count > 0 else { return }
        for (theirs, ours) in ForeignPlatform.known where tape.isText(tape[place], lowerCased: theirs) { return field("platform", ours) }
        if let name = tape.text(tape[place]) { field("platform", name.lowercased()) }
    }

    /// The fields of an object but for some, without its braces.
    mutating func fields(of object: Int?, but left: [StaticString] = [], in tape: JSONTape) {
        guard let object else { return }
        members(of: object, in: tape) { _, key in left.isEmpty || !tape.isKey(key, among: left) }
    }

    /// The fields of an object under longer names.
    mutating func fields(of object: Int?, prefix: String, in tape: JSONTape) {
        guard let object else { return }
        for place in tape.keys(of: object) {
            guard let name = tape.text(tape[place]) else { continue }
            key(text: prefix + name)
            copy(tape[place].next, of: tape)
        }
    }

    /// The members of an object that are wanted; those that stand one after the other come along in one piece.
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
