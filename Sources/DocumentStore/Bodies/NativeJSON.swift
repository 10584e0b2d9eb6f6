// SPDX-License-Identifier: Apache-2.0

import Crypto
package import JSON
package import SignalboxDocumentModel

/// Why native JSON is not a value.
package struct NativeJSONError: Error, Equatable, Sendable {
    package enum Reason: String, Sendable, CaseIterable {
        case notAnObject = "must be an object"
        case unknownTag = "has an unknown tag; a field whose name begins with $ is written with $$"
        case tagWithFields = "has a tag beside other fields"
        case invalidTime = "must have in $time a text with a time, such as 2026-11-23T10:00:00Z"
        case invalidBytes = "must have in $bytes a text in Base64 with padding, such as AAE="
        case invalidReference = "must have in $ref a text with the path of a document, such as users/u1"
        case invalidDouble = "must have in $double one of the texts NaN, Infinity and -Infinity, or a text with a number, such as 1.5"
        case invalidGeoPoint = "must have in $geo a latitude from -90 to 90 and a longitude from -180 to 180, such as [48.1, 11.5]"
        case invalidVector = "must have in $vector a list of numbers"
        /// The content of `$now` or `$delete`.
        case invalidFlag = "must have true in $now or $delete"
        /// The content of `$increment`, `$max` or `$min`.
        case invalidOperand = "must have a number in $increment, $max or $min"
        /// The content of `$union` or `$remove`.
        case invalidElements = "must have a list of values in $union or $remove"
        case number = "is a number that neither 64 bits nor a double can represent"
        case repeatedField = "has a field twice"
        case unpairedSurrogate = "has text that is not Unicode"
        /// A transform where only a value may be.
        case misplacedTransform = "has a transform where only a value may be"
        case deletionWithoutMask = "removes a field, which needs an update or a merge"
        case nestedDeletion = "removes a field of a map that is replaced as a whole; name its path, such as a.b, or merge"
        case fieldPath = "is not the path of a field"
        case overlappingPaths = "has a path twice, or one within another"
        case tooManyNames = "names more than 2000 fields to change"
        case tooManyTransforms = "has more than 500 transforms"

        /// The word for programs.
        package var code: String {
            switch self {
            case .notAnObject: "wrong_type"
            case .repeatedField: "repeated"
            default: "invalid"
            }
        }
    }

    package var reason: Reason
    /// The names on the way to the value, outermost first.
    package var path: [String] = []

    func within(_ name: String) -> NativeJSONError { NativeJSONError(reason: reason, path: [name] + path) }
}

/// A reader of native JSON, the inverse of `JSONWriter.value`. It calls itself for nested values, so the JSON's depth must be limited.
package struct NativeJSON {
    /// The limits of a body with fields: 20 levels of maps and arrays, and a tag with an array inside.
    package static let limits = JSONLimits(depth: 30, members: 400_000)
    /// The limits of stored fields.
    package static let storedLimits = JSONLimits(tokens: 4_000_000, members: 400_000)

    private let tape: JSONTape

    package init(_ tape: JSONTape) {
        self.tape = tape
    }

    /// Returns the fields of an object.
    package func fields(at place: Int = 0) throws(NativeJSONError) -> DocumentFields {
        guard tape[place].isObject else { throw NativeJSONError(reason: .notAnObject) }
        var fields: [DocumentFields.Field] = []
        fields.reserveCapacity(tape[place].children)
        try members(of: place) { name, place throws(NativeJSONError) in fields.append(DocumentFields.Field(name, try value(at: place))) }
        guard let all = DocumentFields(fields) else { throw NativeJSONError(reason: .repeatedField) }
        return all
    }

    /// Calls a function with the members of an object without tag. `$$a` is the name `$a`.
    package func members(
        of object: Int, _ body: (ExactName, _ value: Int) throws(NativeJSONError) -> Void
    ) throws(NativeJSONError) {
        var key = object + 1
        for _ in 0..<tape[object].children {
            guard var name = tape.text(tape[key]) else { throw NativeJSONError(reason: .unpairedSurrogate) }
            if name.utf8.first == UInt8(ascii: "$") {
                guard name.utf8.dropFirst().first == UInt8(ascii: "$") else {
                    throw NativeJSONError(reason: tape[object].children > 1 ? .tagWithFields : .unknownTag)
                }
                name = String(Substring(name.utf8.dropFirst()))
            }
            let value = tape[key].next
            do throws(NativeJSONError) { try body(ExactName(name), value) } catch { throw error.within(name) }
            key = tape[value].next
        }
    }

    package func value(at place: Int) throws(NativeJSONError) -> DocumentValue {
        let token = tape[place]
        switch token.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .integer, .unsigned, .double, .bigNumber: return try number(token)
        case .string, .key: return .text(ExactName(try text(place)))
        case .array: return .array(try values(at: place))
        case .object:
            if let tag = tag(at: place) { return try tagged(tag.name, tag.value) }
            return .map(try fields(at: place))
        }
    }

    package func values(at array: Int) throws(NativeJSONError) -> [DocumentValue] {
        var values: [DocumentValue] = []
        var place = array + 1
        for index in 0..<tape[array].children {
            do throws(NativeJSONError) { values.append(try value(at: place)) } catch { throw error.within(String(index)) }
            place = tape[place].next
        }
        return values
    }

    /// The name of a tag such as `$time`, and the place of its content; nil for other values.
    package func tag(at place: Int) -> (name: String, value: Int)? {
        guard tape[place].isObject, tape[place].children == 1, let name = tape.text(tape[place + 1]), name.utf8.first == UInt8(ascii: "$"),
            name.utf8.dropFirst().first != UInt8(ascii: "$")
        else { return nil }
        return (name, tape[place + 1].next)
    }

    private func tagged(_ name: String, _ place: Int) throws(NativeJSONError) -> DocumentValue {
        switch name {
        case "$time": return .time(try parsed(place, .invalidTime) { DocumentTime(rfc3339: $0) })
        case "$bytes": return .bytes(try parsed(place, .invalidBytes) { Base64.decode($0) })
        case "$ref": return .reference(try parsed(place, .invalidReference) { DocumentReference(nativeText: $0) })
        case "$double": return .double(try parsed(place, .invalidDouble) { NativeJSON.double($0) })
        case "$geo":
            if let numbers = numbers(place), numbers.count == 2, let point = GeoPoint(latitude: numbers[0], longitude: numbers[1]) {
                return .place(point)
            }
            throw NativeJSONError(reason: .invalidGeoPoint)
        case "$vector":
            if let numbers = numbers(place) { return .vector(numbers) }
            throw NativeJSONError(reason: .invalidVector)
        case "$now", "$increment", "$max", "$min", "$union", "$remove", "$delete": throw NativeJSONError(reason: .misplacedTransform)
        default: throw NativeJSONError(reason: .unknownTag)
        }
    }

    /// Parses the text in a tag. Throws the reason for anything else.
    private func parsed<Value>(
        _ place: Int, _ reason: NativeJSONError.Reason, _ parse: (String) -> Value?
    ) throws(NativeJSONError) -> Value {
        guard tape[place].isString, let value = parse(try text(place)) else { throw NativeJSONError(reason: reason) }
        return value
    }

    private func text(_ place: Int) throws(NativeJSONError) -> String {
        guard let text = tape.text(tape[place]) else { throw NativeJSONError(reason: .unpairedSurrogate) }
        return text
    }

    /// A number with a fraction or an exponent is a double.
    private func number(_ token: JSONToken) throws(NativeJSONError) -> DocumentValue {
        if let integer = token.integer { return .integer(integer) }
        guard token.kind == .double, let double = token.double else { throw NativeJSONError(reason: .number) }
        return .double(double)
    }

    private static func double(_ text: String) -> Double? {
        switch text {
        case "NaN": .nan
        case "Infinity": .infinity
        case "-Infinity": -.infinity
        default: text.utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) } ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
        }
    }

    /// The elements of an array of numbers; nil for anything else.
    private func numbers(_ place: Int) -> [Double]? {
        guard tape[place].kind == .array else { return nil }
        var numbers: [Double] = []
        var element = place + 1
        for _ in 0..<tape[place].children {
            var number = tape[element].double
            if number == nil, let tag = tag(at: element), tag.name == "$double" {
                number = tape.text(tape[tag.value]).flatMap(NativeJSON.double)
            }
            guard let number else { return nil }
            numbers.append(number)
            element = tape[element].next
        }
        return numbers
    }
}

extension NativeJSON {
    /// The name of a field as JSON has it: `$a` is written `$$a`.
    package static func name(of field: ExactName) -> String { field.bytes.first == UInt8(ascii: "$") ? "$" + field.text : field.text }
}
