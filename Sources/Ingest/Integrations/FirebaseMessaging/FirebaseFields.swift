// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

/// An object as Google's APIs read it: names in snake or camel case, the last of duplicate names counts, and null counts as missing.
struct FirebaseFields {
    let tape: JSONTape
    /// The path for refusals; empty at the top level.
    let path: String
    private var places: [String: Int] = [:]

    init(_ place: Int, of tape: JSONTape, path: String = "") throws(Refusal) {
        self.tape = tape
        self.path = path
        for key in tape.keys(of: place) {
            guard let name = tape.text(tape[key]) else { throw Refusal(.invalidJSON, "A key in the body is not valid text.") }
            let value = tape[key].next
            places[FirebaseFields.snakeCase(name)] = tape[value].kind == .null ? nil : value
        }
    }

    private static func snakeCase(_ name: String) -> String {
        guard name.utf8.contains(where: { (0x41...0x5a).contains($0) }) else { return name }
        var out: [UInt8] = []
        for byte in name.utf8 {
            if (0x41...0x5a).contains(byte) { out += [UInt8(ascii: "_"), byte + 0x20] } else { out.append(byte) }
        }
        return String(decoding: out, as: UTF8.self)
    }

    func allow(_ names: String...) throws(Refusal) {
        if let unknown = places.keys.filter({ !names.contains($0) }).min() {
            throw .field(within(VerdictMessages.short(unknown)), "unknown", "is not a known field")
        }
    }

    func place(_ name: String) -> Int? { places[name] }

    func within(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    func object(_ name: String) throws(Refusal) -> FirebaseFields? {
        guard let place = places[name] else { return nil }
        guard tape[place].kind == .object else { throw .field(within(name), "wrong_type", "must be an object") }
        return try FirebaseFields(place, of: tape, path: within(name))
    }

    func text(_ name: String) throws(Refusal) -> String? {
        guard let place = places[name] else { return nil }
        guard let text = tape.string(place) else { throw .field(within(name), "wrong_type", "must be a string") }
        return text
    }

    func texts(_ name: String) throws(Refusal) -> [String]? {
        guard let place = places[name] else { return nil }
        guard tape[place].kind == .array else { throw .field(within(name), "wrong_type", "must be a list of strings") }
        var found: [String] = []
        for element in tape.elements(of: place) {
            guard let text = tape.string(element) else { throw .field(within(name), "wrong_type", "must be a list of strings") }
            found.append(text)
        }
        return found
    }

    func flag(_ name: String) throws(Refusal) -> Bool? {
        guard let place = places[name] else { return nil }
        switch tape[place].kind {
        case .true: return true
        case .false: return false
        default: throw .field(within(name), "wrong_type", "must be true or false")
        }
    }

    /// Returns a field of `headers`, whose names are case-insensitive.
    func header(_ name: String) throws(Refusal) -> String? {
        guard let headers = places["headers"] else { return nil }
        guard tape[headers].kind == .object else { throw .field(within("headers"), "wrong_type", "must be an object") }
        for key in tape.keys(of: headers) where tape.text(tape[key])?.lowercased() == name {
            guard let text = tape.string(tape[key].next) else { throw .field(within("headers.\(name)"), "wrong_type", "must be a string") }
            return text
        }
        return nil
    }
}
