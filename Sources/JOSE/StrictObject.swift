// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

/// A small JSON object in which no object has a name twice. Two readers of `{"sub": "a", "sub": "b"}` may see different users.
struct StrictObject {
    private static let parser = JSONParser()
    private static let depthLimit = 16
    /// Up to this number of members, comparing them with each other is faster than collecting them.
    private static let fewMembers = 24

    let tape: JSONTape

    /// Nil for anything else, and for texts with an unpaired surrogate.
    init?(_ bytes: [UInt8], depth: Int = StrictObject.depthLimit) {
        let limits = JSONLimits(bytes: SignedToken.mostBytes, tokens: SignedToken.mostBytes, depth: depth, members: SignedToken.mostBytes)
        guard let tape = try? StrictObject.parser.withReader({ reader throws(JSONError) in try reader.parse(bytes, limits: limits) }),
            tape[0].isObject
        else { return nil }
        self.tape = tape
        for index in 0..<tape.count {
            let token = tape[index]
            if token.kind == .object, !hasDistinctNames(index) { return nil }
            if token.escaped, tape.text(token) == nil { return nil }
        }
    }

    /// Returns the index of a member's value; nil if it is missing.
    func place(_ name: StaticString) -> Int? {
        var key = 1
        while key < tape[0].next {
            if tape.isText(tape[key], name) { return key + 1 }
            key = tape[key + 1].next
        }
        return nil
    }

    func has(_ name: StaticString) -> Bool { place(name) != nil }

    /// Returns the text of a string; nil for any other value.
    func text(_ name: StaticString) -> String? {
        place(name).flatMap { tape[$0].isString ? tape.text(tape[$0]) : nil }
    }

    /// Returns a NumericDate in seconds: a number of the years 1970 to about 36,800, of which a fraction is dropped.
    func seconds(_ name: StaticString) -> Int64? {
        guard let place = place(name), let value = tape[place].double, (0...0x1p40).contains(value) else { return nil }
        return Int64(value)
    }

    func integer(_ name: StaticString) -> Int64? { place(name).flatMap { tape[$0].integer } }

    /// Returns a text or the texts of an array of at most 32.
    func texts(_ name: StaticString) -> [String]? {
        guard let place = place(name) else { return nil }
        if let text = text(name) { return [text] }
        guard tape[place].kind == .array, (1...32).contains(tape[place].children) else { return nil }
        var texts: [String] = []
        var element = place + 1
        while element < tape[place].next {
            guard tape[element].isString, let text = tape.text(tape[element]) else { return nil }
            texts.append(text)
            element = tape[element].next
        }
        return texts
    }

    /// The names of the outermost object.
    var names: [String] { keys(0).compactMap { tape.text(tape[$0]) } }

    private func keys(_ object: Int) -> [Int] {
        var keys: [Int] = []
        keys.reserveCapacity(tape[object].children)
        var key = object + 1
        while key < tape[object].next {
            keys.append(key)
            key = tape[key + 1].next
        }
        return keys
    }

    private func hasDistinctNames(_ object: Int) -> Bool {
        let keys = keys(object)
        guard keys.count <= StrictObject.fewMembers else {
            // Bytes and not Strings, whose equality is canonical equivalence.
            return Set(keys.map { tape.text(tape[$0]).map { Array($0.utf8) } }).count == keys.count
        }
        for (place, key) in keys.enumerated() {
            for other in keys[..<place] where tape.isSameText(tape[key], tape[other]) { return false }
        }
        return true
    }
}
