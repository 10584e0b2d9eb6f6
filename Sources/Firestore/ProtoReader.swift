// SPDX-License-Identifier: Apache-2.0

import Crypto
package import JSON
import SignalboxDocumentModel

/// Reads messages of Firestore from ProtoJSON.
///
/// A member may be spelled `fieldPath` or `field_path`; null is a missing member; an unknown member is an error, as at Google.
/// Each token is visited once for each message that contains it, so the work is linear in the body.
package struct ProtoReader {
    /// A value of 20 levels has three tokens a level, within a write of a request.
    package static let limits = JSONLimits(bytes: 11 << 20, tokens: 2_000_000, depth: 100)

    let tape: JSONTape
    let database: FirestoreDatabase
    /// Whether values are those of conditions and cursors, where names may contain NUL.
    private(set) var readsBounds = false

    package init(_ tape: JSONTape, _ database: FirestoreDatabase) {
        (self.tape, self.database) = (tape, database)
    }

    /// A reader of the values of conditions and cursors.
    var ofBounds: ProtoReader {
        var reader = self
        reader.readsBounds = true
        return reader
    }

    /// The members of a message by their names in `fieldPath` spelling.
    ///
    /// - Parameter known: The names that the message has.
    func message(_ index: Int, _ type: String, _ known: [String]) throws(FirestoreFault) -> ProtoMembers {
        guard tape[index].isObject else { throw .invalid("A \(type) is an object.") }
        var members = ProtoMembers()
        var place = index + 1
        while place < tape[index].next {
            let name = ProtoReader.camelCase(tape.text(tape[place]) ?? "")
            let value = tape[place].next
            place = tape[value].next
            guard known.contains(name) else { throw .invalid("Unknown name \"\(ProtoReader.shown(name))\" at '\(type)': Cannot find field.") }
            if tape[value].isNull { continue }
            if !members.add(name, at: value) { throw .invalid("\(name) of a \(type) is given twice.") }
        }
        return members
    }

    /// A name in the spelling of ProtoJSON.
    ///
    ///     field_path   →   fieldPath
    package static func camelCase(_ name: String) -> String {
        let underscore = UInt8(ascii: "_")
        guard name.utf8.contains(underscore) else { return name }
        var (out, isUpper) = ([UInt8](), false)
        for byte in name.utf8 {
            if isUpper, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) {
                out[out.count - 1] = byte - 0x20
                isUpper = false
            } else {
                out.append(byte)
                isUpper = byte == underscore
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The beginning of a name from outside, for an error.
    static func shown(_ name: String) -> String { String(name.unicodeScalars.prefix(100)) }

    /// The indexes of an array's elements; none without an array.
    func elements(_ index: Int?) throws(FirestoreFault) -> [Int] {
        guard let index else { return [] }
        guard tape[index].kind == .array else { throw .invalid("An array is expected.") }
        var (places, place) = ([Int](), index + 1)
        while place < tape[index].next {
            places.append(place)
            place = tape[place].next
        }
        return places
    }

    func text(_ index: Int) throws(FirestoreFault) -> String {
        guard tape[index].isString, let text = tape.text(tape[index]) else { throw .invalid("A string of valid Unicode is expected.") }
        return text
    }

    func text(_ index: Int?) throws(FirestoreFault) -> String? {
        guard let index else { return nil }
        return try text(index)
    }

    /// Reads `true`, or `"true"` as some clients write it.
    func flag(_ index: Int?) throws(FirestoreFault) -> Bool {
        guard let index else { return false }
        switch tape[index].kind {
        case .true: return true
        case .false: return false
        case .string where tape.isText(tape[index], "true"): return true
        case .string where tape.isText(tape[index], "false"): return false
        default: throw .invalid("true or false is expected.")
        }
    }

    /// Reads a whole number of 64 bits: `7`, `"7"` or `7.0`.
    func integer(_ index: Int) throws(FirestoreFault) -> Int64 {
        if let integer = tape[index].integer { return integer }
        if tape[index].isString, let text = tape.text(tape[index]), let integer = Int64(text) { return integer }
        if let number = ProtoReader.exact(tape[index].double) { return number }
        throw .invalid("A whole number of 64 bits is expected.")
    }

    /// A double without a fraction below 2^53, as an integer.
    private static func exact(_ number: Double?) -> Int64? {
        guard let number, number.magnitude <= 0x1p53, number == number.rounded() else { return nil }
        return Int64(number)
    }

    func double(_ index: Int) throws(FirestoreFault) -> Double {
        if let number = tape[index].double {
            // The number -0 is an integer in JSON.
            return number == 0 && tape.bytes[tape[index].offset] == UInt8(ascii: "-") ? -0.0 : number
        }
        guard tape[index].isString, let text = tape.text(tape[index]) else { throw .invalid("A number is expected.") }
        switch text {
        case "NaN": return .nan
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        default:
            guard let number = Double(text), number.isFinite, text.utf8.allSatisfy(ProtoReader.isOfNumber) else {
                throw .invalid("A number is expected.")
            }
            return number
        }
    }

    /// Whether a byte may be in a decimal number. `Double` also parses hexadecimal ones.
    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Reads the name of an enumeration's case, or its number.
    func word<Case>(_ index: Int, _ cases: [(name: String, number: Int64, value: Case)], _ type: String) throws(FirestoreFault) -> Case {
        let number = tape[index].integer
        let name = tape[index].isString ? tape.text(tape[index]) : nil
        guard let found = cases.first(where: { $0.number == number || $0.name == name }) else { throw .invalid("Unknown \(type).") }
        return found.value
    }

    func bytes(_ index: Int) throws(FirestoreFault) -> [UInt8] { try ProtoReader.bytes(try text(index)) }

    /// Reads Base64 of either alphabet, with or without padding. A single last character is refused: it is what a cut text ends with.
    package static func bytes(_ text: String) throws(FirestoreFault) -> [UInt8] {
        let (minus, underscore, padding) = (UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="))
        let digits = text.utf8.prefix { $0 != padding }
        let standard = digits.map { $0 == minus ? UInt8(ascii: "+") : $0 == underscore ? UInt8(ascii: "/") : $0 }
        guard standard.count % 4 != 1, text.utf8[digits.endIndex...].allSatisfy({ $0 == padding }),
            let bytes = Base64.decodeLeniently(String(decoding: standard, as: UTF8.self))
        else { throw .invalid("Base64 is expected.") }
        return bytes
    }

    func time(_ index: Int) throws(FirestoreFault) -> DocumentTime {
        guard let time = DocumentTime(rfc3339: try text(index)) else { throw .invalid("A time such as 2026-01-31T23:59:59Z is expected.") }
        return time
    }

    func field(_ index: Int?) throws(FirestoreFault) -> FieldPath {
        guard let index else { throw .invalid("A field path is missing.") }
        let text = try text(index)
        guard let path = FieldPath(text) else { throw .invalid("Invalid property path \"\(ProtoReader.shown(text))\".") }
        return path
    }

    /// Reads `{"fieldPaths": ["a.b"]}`; nil without a mask.
    func mask(_ index: Int?) throws(FirestoreFault) -> [FieldPath]? {
        guard let index else { return nil }
        var fields: [FieldPath] = []
        for path in try elements(message(index, "DocumentMask", ["fieldPaths"])["fieldPaths"]) { fields.append(try field(path)) }
        return fields
    }

    /// Throws if the fields that an answer has are named by too many paths.
    static func check(_ selection: [FieldPath], _ name: String) throws(FirestoreFault) {
        if selection.count > FieldSelection.maximumPaths { throw .invalid("\(name) has more than \(FieldSelection.maximumPaths) fields.") }
    }
}
