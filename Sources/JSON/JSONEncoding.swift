// SPDX-License-Identifier: Apache-2.0

/// Encodes Swift values as JSON with names in snake_case. It is meant for small responses.
extension JSONWriter {
    package mutating func encode(_ value: some Encodable) throws {
        let sheet = Sheet(self)
        try sheet.write(value)
        self = sheet.json
    }
}

/// The text being written, shared by the encoders of a value and its parts.
private final class Sheet {
    var json: JSONWriter

    init(_ json: JSONWriter) {
        self.json = json
    }

    func write(_ value: some Encodable) throws {
        let encoder = ValueEncoder(self)
        try value.encode(to: encoder)
        encoder.end()
    }
}

/// The encoder of one value. A value that asks for a container again gets the same one.
private final class ValueEncoder: Encoder {
    private enum Shape {
        case undecided, object, array, single
    }

    let codingPath: [any CodingKey] = []
    let sheet: Sheet
    private var shape = Shape.undecided
    /// Whether the names of members stay as they are, instead of becoming snake_case.
    private(set) var keepsNames = false

    init(_ sheet: Sheet) {
        self.sheet = sheet
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        if shape == .undecided { sheet.json.beginObject() }
        shape = .object
        return KeyedEncodingContainer(ObjectEncoder(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if shape == .undecided { sheet.json.beginArray() }
        shape = .array
        return ListEncoder(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        shape = .single
        return SingleEncoder(encoder: self)
    }

    /// Functions for values in addition to those of `Encoder`, under keys that their module repeats: write existing JSON,
    /// and keep the names of its members.
    var userInfo: [CodingUserInfoKey: Any] {
        let embed: ([UInt8]) -> Void = { [sheet] json in sheet.json.raw(json[...]) }
        let keepNames: () -> Void = { [self] in keepsNames = true }
        return [.embeddedJSON: embed, .exactNames: keepNames]
    }

    func end() {
        switch shape {
        case .object: sheet.json.endObject()
        case .array: sheet.json.endArray()
        case .undecided, .single: break
        }
    }
}

extension CodingUserInfoKey {
    fileprivate static let embeddedJSON = named("json.embedded")
    fileprivate static let exactNames = named("json.exact-names")

    private static func named(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else { preconditionFailure("\(name) is no key") }
        return key
    }
}

/// Values nest by encoding values. A container opened by hand would never be closed.
private let nestedByHand = "a response opens a nested container by hand; encode a value instead"

private struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let codingPath: [any CodingKey] = []
    let encoder: ValueEncoder

    mutating func encodeNil(forKey key: Key) {
        write(key)
        encoder.sheet.json.null()
    }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        write(key)
        try encoder.sheet.write(value)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy _: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        preconditionFailure(nestedByHand)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        preconditionFailure(nestedByHand)
    }

    mutating func superEncoder() -> any Encoder { preconditionFailure(nestedByHand) }
    mutating func superEncoder(forKey _: Key) -> any Encoder { preconditionFailure(nestedByHand) }

    private func write(_ key: Key) {
        if encoder.keepsNames { return encoder.sheet.json.key(key.stringValue) }
        var name: [UInt8] = []
        for byte in key.stringValue.utf8 {
            let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            if isUpper && !name.isEmpty { name.append(UInt8(ascii: "_")) }
            name.append(isUpper ? byte | 0x20 : byte)
        }
        encoder.sheet.json.key(String(decoding: name, as: UTF8.self))
    }
}

private struct ListEncoder: UnkeyedEncodingContainer {
    let codingPath: [any CodingKey] = []
    let encoder: ValueEncoder
    private(set) var count = 0

    init(encoder: ValueEncoder) {
        self.encoder = encoder
    }

    mutating func encodeNil() {
        encoder.sheet.json.null()
        count += 1
    }

    mutating func encode(_ value: some Encodable) throws {
        try encoder.sheet.write(value)
        count += 1
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy _: Nested.Type) -> KeyedEncodingContainer<Nested> {
        preconditionFailure(nestedByHand)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { preconditionFailure(nestedByHand) }
    mutating func superEncoder() -> any Encoder { preconditionFailure(nestedByHand) }
}

private struct SingleEncoder: SingleValueEncodingContainer {
    let codingPath: [any CodingKey] = []
    let encoder: ValueEncoder

    mutating func encodeNil() { encoder.sheet.json.null() }
    mutating func encode(_ value: Bool) { encoder.sheet.json.bool(value) }
    mutating func encode(_ value: String) { encoder.sheet.json.string(value) }
    mutating func encode(_ value: Double) { encoder.sheet.json.real(value) }
    mutating func encode(_ value: Float) { encoder.sheet.json.real(Double(value)) }
    mutating func encode(_ value: Int) { encoder.sheet.json.integer(value) }
    mutating func encode(_ value: Int8) { encoder.sheet.json.integer(value) }
    mutating func encode(_ value: Int16) { encoder.sheet.json.integer(value) }
    mutating func encode(_ value: Int32) { encoder.sheet.json.integer(value) }
    mutating func encode(_ value: Int64) { encoder.sheet.json.integer(value) }
    mutating func encode(_ value: UInt) { encoder.sheet.json.integer(value) }
    mutating func encode(_ value: UInt8) { encoder.sheet.json.integer(value) }
    mutating func encode(_ value: UInt16) { encoder.sheet.json.integer(value) }
    mutating func encode(_ value: UInt32) { encoder.sheet.json.integer(value) }
    mutating func encode(_ value: UInt64) { encoder.sheet.json.integer(value) }
    mutating func encode(_ value: some Encodable) throws { try encoder.sheet.write(value) }
}
