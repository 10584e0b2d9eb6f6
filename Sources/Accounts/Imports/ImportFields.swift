// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON
import Platform

/// The reason why one account of an import cannot be added.
package struct ImportProblem: Error, Sendable, Equatable {
    package var field: String
    package var problem: String

    package init(_ field: String, _ problem: String) {
        (self.field, self.problem) = (field, problem)
    }
}

/// The fields of one object of an import. Null counts as missing, and a name that occurs twice is an error.
struct ImportFields {
    private let values: [[UInt8]: JSONValue]

    init(_ object: JSONValue) throws(ImportProblem) {
        guard object.json.first == UInt8(ascii: "{") else { throw ImportProblem("", "is not an object") }
        var values: [[UInt8]: JSONValue] = [:]
        for (name, value) in object.fields where values.updateValue(value, forKey: Array(name.utf8)) != nil {
            throw ImportProblem(String(name.prefix(64)), "occurs twice")
        }
        self.values = values.filter { !$0.value.json.elementsEqual("null".utf8) }
    }

    func has(_ name: String) -> Bool { values[Array(name.utf8)] != nil }

    func value(_ name: String) -> JSONValue? { values[Array(name.utf8)] }

    /// The value of the first name that is there, and that name.
    private func first(_ names: [String]) -> (name: String, value: JSONValue)? {
        names.lazy.compactMap { name in value(name).map { (name, $0) } }.first
    }

    /// The text of the first of some names that is there, without control characters; nil if it is missing or empty.
    func text(_ names: String..., limit: Int = 256) throws(ImportProblem) -> String? {
        try text(names, limit: limit)
    }

    private func text(_ names: [String], limit: Int) throws(ImportProblem) -> String? {
        guard let (name, value) = first(names) else { return nil }
        guard let text = value.string, text.utf8.count <= limit, !text.unicodeScalars.contains(where: \.isControl) else {
            throw ImportProblem(name, "must be a text of at most \(limit) bytes without control characters")
        }
        return text.isEmpty ? nil : text
    }

    /// A truth value; false if it is missing.
    func flag(_ name: String) throws(ImportProblem) -> Bool {
        guard let value = value(name) else { return false }
        switch value.string ?? String(decoding: value.json.prefix(6), as: UTF8.self) {
        case "true": return true
        case "false": return false
        default: throw ImportProblem(name, "must be true or false")
        }
    }

    func number(_ names: String...) throws(ImportProblem) -> Int? {
        guard let (name, value) = first(names) else { return nil }
        guard let number = value.integer ?? value.string.flatMap({ Int64($0) }) else { throw ImportProblem(name, "must be a whole number") }
        return Int(number)
    }

    /// Bytes in base64 of either alphabet, with or without padding.
    func bytes(_ names: String..., limit: Int = 1_024) throws(ImportProblem) -> [UInt8]? {
        guard let text = try text(names, limit: limit) else { return nil }
        let standard = text.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0 }
        guard let bytes = Base64.decodeLeniently(String(decoding: standard, as: UTF8.self)) else { throw ImportProblem(names[0], "must be base64") }
        return bytes
    }

    /// A time: milliseconds since 1970 as number or text, or a text of RFC 3339 or PostgreSQL.
    func time(_ names: String...) throws(ImportProblem) -> Timestamp? {
        guard let (name, value) = first(names) else { return nil }
        if let milliseconds = value.integer ?? value.string.flatMap({ Int64($0) }) {
            guard ImportFields.times.contains(milliseconds) else { throw ImportProblem(name, "is beyond the year 9999") }
            return Timestamp(milliseconds: milliseconds)
        }
        guard let text = value.string, let time = ImportFields.parse(text) else { throw ImportProblem(name, "must be a time") }
        return time
    }

    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    /// `2024-01-31 10:00:00.123+00` as `2024-01-31T10:00:00.123+00:00`.
    private static func parse(_ text: String) -> Timestamp? {
        guard text.utf8.count <= 40 else { return nil }
        var bytes = Array(text.utf8)
        if bytes.count > 10, bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
        if bytes.count > 3, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[bytes.count - 3]) { bytes += Array(":00".utf8) }
        guard let time = Timestamp(rfc3339: bytes.span), times.contains(time.milliseconds) else { return nil }
        return time
    }
}
