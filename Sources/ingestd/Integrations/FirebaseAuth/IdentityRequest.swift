// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPServer
import JSON
import Platform

/// The fields of a request of a Firebase client.
///
///     {"idToken": "…", "return_secure_token": "true", "validSince": 1790000000}
///
/// Names are in camel case or snake case. Numbers and truth values may be texts, and the other way round.
struct IdentityRequest: Sendable {
    private let fields: [[UInt8]: JSONValue]

    /// The fields of a body; none of an empty one.
    init(_ body: [UInt8]) throws(Refusal) {
        guard !body.isEmpty else {
            self.init(fields: [:])
            return
        }
        let object: JSONValue
        do throws(JSONError) { object = try JSONValue(body) } catch { throw Refusal(.invalidJSON, "The body \(error.explanation).") }
        guard object.isObject else { throw Refusal(.invalidJSON, "The body is not an object.") }
        self.init(object)
    }

    init(_ object: JSONValue) {
        var fields: [[UInt8]: JSONValue] = [:]
        for (name, value) in object.fields where name.utf8.count <= 64 && !value.isNull {
            let key = IdentityRequest.camelCase(name)
            if fields[key] == nil { fields[key] = value }
        }
        self.init(fields: fields)
    }

    private init(fields: [[UInt8]: JSONValue]) {
        self.fields = fields
    }

    /// A form (`a=1&b=2`), in which every value is a text.
    init(form body: [UInt8]) throws(Refusal) {
        guard let text = String(validating: body, as: UTF8.self), let pairs = PercentDecoding.pairs(of: text) else {
            throw Refusal(.badRequest, "The body is not a form.")
        }
        var json = JSONWriter()
        json.beginObject()
        for pair in pairs.prefix(100) { json.field(pair.name, pair.value) }
        json.endObject()
        try self.init(json.bytes)
    }

    func has(_ name: String) -> Bool { value(name) != nil }

    func value(_ name: String) -> JSONValue? { fields[Array(name.utf8)] }

    /// The text of a field, or its number as text; nil if it is missing or empty.
    func text(_ name: String) throws(Refusal) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string ?? value.integer.map({ String($0) }) else { throw IdentityRequest.invalid(name, "must be a text") }
        return text.isEmpty ? nil : text
    }

    /// A text of a profile; nil if it is missing or empty.
    func profileText(_ name: String, limit: Int = 256) throws(Refusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard text.utf8.count <= limit, text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw IdentityRequest.invalid(name, "must have at most \(limit) bytes and no control characters")
        }
        return text
    }

    /// The URL of a picture; nil if it is missing or empty.
    func pictureURL(_ name: String) throws(Refusal) -> String? {
        guard let text = try profileText(name, limit: 2_048) else { return nil }
        guard PictureURL.isOne(text) else { throw IdentityRequest.invalid(name, "must be a URL that begins with https:// or http://") }
        return text
    }

    func flag(_ name: String) throws(Refusal) -> Bool? {
        guard let value = value(name) else { return nil }
        switch value.string ?? String(decoding: value.json, as: UTF8.self) {
        case "true": return true
        case "false": return false
        default: throw IdentityRequest.invalid(name, "must be true or false")
        }
    }

    func number(_ name: String) throws(Refusal) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let number = value.integer ?? value.string.flatMap({ Int64($0) }) else { throw IdentityRequest.invalid(name, "must be a number") }
        return number
    }

    /// The texts of a list. A single text counts as a list of one.
    func texts(_ name: String, most: Int) throws(Refusal) -> [String] {
        guard let value = value(name) else { return [] }
        if let text = value.string { return [text] }
        let texts = value.elements.compactMap(\.string)
        guard value.isArray, texts.count == value.elements.count, texts.count <= most else {
            throw IdentityRequest.invalid(name, "must be a list of at most \(most) texts")
        }
        return texts
    }

    /// An object inside the request; nil if it is missing.
    func object(_ name: String) throws(Refusal) -> IdentityRequest? {
        guard let value = value(name) else { return nil }
        guard value.isObject else { throw IdentityRequest.invalid(name, "must be an object") }
        return IdentityRequest(value)
    }

    /// The objects of a list.
    func objects(_ name: String, most: Int) throws(Refusal) -> [IdentityRequest] {
        guard let value = value(name) else { return [] }
        let elements = value.elements
        guard value.isArray, elements.count <= most, elements.allSatisfy(\.isObject) else {
            throw IdentityRequest.invalid(name, "must be a list of at most \(most) objects")
        }
        return elements.map { IdentityRequest($0) }
    }

    static func invalid(_ name: String, _ problem: String) -> Refusal {
        Refusal(.invalid, "\(name) \(problem).", fields: [.init(name, "invalid", problem)])
    }

    /// `return_secure_token` as `returnSecureToken`.
    private static func camelCase(_ name: String) -> [UInt8] {
        var out: [UInt8] = []
        var isUpper = false
        for byte in name.utf8 {
            if byte == UInt8(ascii: "_") {
                isUpper = true
                continue
            }
            out.append(isUpper && (0x61...0x7a).contains(byte) ? byte - 0x20 : byte)
            isUpper = false
        }
        return out
    }
}

extension JSONValue {
    fileprivate var isNull: Bool { json.elementsEqual("null".utf8) }
    fileprivate var isArray: Bool { json.first == UInt8(ascii: "[") }
    fileprivate var isObject: Bool { json.first == UInt8(ascii: "{") }
}
