// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A decoder of the fields of a document.
///
/// An integer is decoded as a double where a type asks for one; a double with a fraction is no integer.
struct DocumentDecoder {
    /// - Parameter path: The path of the document, for `@DocumentID` and error messages.
    func decode<T: Decodable>(_ type: T.Type, from value: FieldValue, path: String?) throws(DocumentError) -> T {
        do { return try FieldDecoder(value, [], path).decode(type) } catch {
            throw DocumentError(.dataLoss, "The document \(path ?? "") is malformed: \(DocumentDecoder.text(of: error))")
        }
    }

    private static func text(of error: any Error) -> String {
        let names = { (context: DecodingError.Context) in context.codingPath.map(\.stringValue).joined(separator: ".") }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return "the field \((context.codingPath.map(\.stringValue) + [key.stringValue]).joined(separator: ".")) is missing"
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            return "the field \(names(context)) is no \(type)"
        case DecodingError.dataCorrupted(let context): return "the field \(names(context)): \(context.debugDescription)"
        default: return "\(error)"
        }
    }
}

/// The state of a decoder at one place.
struct FieldDecoder: Decoder {
    let value: FieldValue
    let codingPath: [any CodingKey]
    let documentPath: String?
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ value: FieldValue, _ path: [any CodingKey], _ documentPath: String?) {
        (self.value, codingPath, self.documentPath) = (value, path, documentPath)
    }

    /// Decodes a value, with the types that documents have of their own.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let own: Any? =
            switch type {
            case is FieldValue.Type: value
            case is Date.Type: value.date
            case is Data.Type: if case .bytes(let data) = value { data } else { nil }
            case is GeoPoint.Type: if case .place(let place) = value { place } else { nil }
            case is URL.Type: value.string.flatMap { URL(string: $0) }
            case is Decimal.Type: value.decimal
            default: try type.init(from: self)
            }
        guard let decoded = own as? T else { throw mismatch(type) }
        return decoded
    }

    func mismatch(_ type: Any.Type) -> DecodingError {
        DecodingError.typeMismatch(type, .init(codingPath: codingPath, debugDescription: "The field has another type."))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let fields = value.fields else { throw mismatch([String: FieldValue].self) }
        return KeyedDecodingContainer(KeyedValues<Key>(fields: fields, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if case .vector(let numbers) = value { return UnkeyedValues(elements: numbers.map(FieldValue.double), decoder: self) }
        guard let elements = value.elements else { throw mismatch([FieldValue].self) }
        return UnkeyedValues(elements: elements, decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { SingleValue(decoder: self) }

    func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        let found: T? =
            switch value {
            case .integer(let number): T(exactly: number)
            case .double(let number): T(exactly: number)
            default: nil
            }
        guard let found else { throw mismatch(type) }
        return found
    }

    func number() throws -> Double {
        guard let number = value.number else { throw mismatch(Double.self) }
        return number
    }
}

extension FieldValue {
    /// The number with the fewest digits that tell it from other doubles, as `Decimal(19.99)` would be 19.98999999999999488; nil for one that
    /// is too large, such as infinity.
    fileprivate var decimal: Decimal? {
        switch self {
        case .integer(let number): Decimal(number)
        case .double(let number): number.isNaN ? .nan : number.magnitude < 1e128 ? Decimal(string: "\(number)") : nil
        default: nil
        }
    }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: FieldValue]
    let decoder: FieldDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }

    private func inner(_ key: Key) throws -> FieldDecoder {
        guard let value = fields[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "The field is missing."))
        }
        return FieldDecoder(value, codingPath + [key], decoder.documentPath)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try inner(key).value == .null }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        // The ID is no field.
        if type is DocumentID.Type { return try FieldDecoder(.null, codingPath + [key], decoder.documentPath).decode(type) }
        return try inner(key).decode(type)
    }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) throws -> KeyedDecodingContainer<Inner> {
        try inner(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try inner(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }
}

private struct UnkeyedValues: UnkeyedDecodingContainer {
    let elements: [FieldValue]
    let decoder: FieldDecoder
    var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private func next() throws -> FieldDecoder {
        if isAtEnd {
            throw DecodingError.valueNotFound(
                FieldValue.self, .init(codingPath: codingPath + [IndexKey(currentIndex)], debugDescription: "The array ends."))
        }
        return FieldDecoder(elements[currentIndex], codingPath + [IndexKey(currentIndex)], decoder.documentPath)
    }

    mutating func decodeNil() throws -> Bool {
        guard try next().value == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try next().decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) throws -> KeyedDecodingContainer<Inner> {
        let inner = try next()
        currentIndex += 1
        return try inner.container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let inner = try next()
        currentIndex += 1
        return try inner.unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        let inner = try next()
        currentIndex += 1
        return inner
    }
}

private struct SingleValue: SingleValueDecodingContainer {
    let decoder: FieldDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value == .null }
    func decode(_ type: Bool.Type) throws -> Bool { try require(decoder.value.boolean) }
    func decode(_ type: String.Type) throws -> String { try require(decoder.value.string) }
    func decode(_ type: Double.Type) throws -> Double { try decoder.number() }
    func decode(_ type: Float.Type) throws -> Float { Float(try decoder.number()) }
    func decode(_ type: Int.Type) throws -> Int { try decoder.integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoder.integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoder.integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoder.integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoder.integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoder.integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.integer(type) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }

    private func require<T>(_ value: T?) throws -> T {
        guard let value else { throw decoder.mismatch(T.self) }
        return value
    }
}
