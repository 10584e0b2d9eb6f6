// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An encoder of values into the fields of a document.
///
/// Integers and doubles stay apart, `Date` becomes a time and `Data` bytes. A property that is `FieldValue` is written as it is, so a type may
/// have `.serverTime` or `.increment(1)`.
public struct DocumentEncoder: Sendable {
    /// Creates an encoder.
    public init() {}

    /// Returns the fields of a value, which must be encoded as an object.
    public func encode(_ value: some Encodable) throws(DocumentError) -> [String: FieldValue] {
        let encoder = FieldEncoder(path: [])
        do { try encoder.encode(value) } catch { throw DocumentEncoder.failure(error) }
        guard case .map(let fields) = encoder.value else { throw .invalid("A value of the type \(type(of: value)) has no fields.") }
        return fields
    }

    private static func failure(_ error: any Error) -> DocumentError {
        if let error = error as? DocumentError { return error }
        guard case EncodingError.invalidValue(_, let context) = error else { return .invalid("A value cannot be encoded: \(error)") }
        return .invalid("A value cannot be encoded: \(context.codingPath.map(\.stringValue).joined(separator: ".")): \(context.debugDescription)")
    }
}

/// The state of an encoder at one place.
final class FieldEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var form = Form.none
    /// The containers within, which are kept until the value is asked for.
    private var members: [String: FieldEncoder] = [:]
    private var elements: [FieldEncoder] = []

    private enum Form {
        case none, map, array
        case value(FieldValue)
    }

    init(path: [any CodingKey]) {
        codingPath = path
    }

    var value: FieldValue? {
        switch form {
        case .none: nil
        case .value(let value): value
        case .map: .map(members.compactMapValues(\.value))
        case .array: .array(elements.map { $0.value ?? .map([:]) })
        }
    }

    /// Encodes a value, with the types that documents have of their own.
    func encode(_ value: some Encodable) throws {
        switch value {
        case let value as FieldValue: set(value)
        case let value as Date: set(.time(value))
        case let value as Data: set(.bytes(value))
        case let value as GeoPoint: set(.place(value))
        case let value as URL: set(.text(value.absoluteString))
        // By its digits: the double of an NSDecimalNumber is not always the nearest one, as of 0.07.
        case let value as Decimal: set(.double(Double("\(value)") ?? .nan))
        case is DocumentID: break
        default: try value.encode(to: self)
        }
    }

    func set(_ value: FieldValue) { form = .value(value) }

    func beginMap() { if case .map = form {} else { (form, members) = (.map, [:]) } }
    func beginArray() { if case .array = form {} else { (form, elements) = (.array, []) } }

    func member(_ key: any CodingKey) -> FieldEncoder {
        let inner = FieldEncoder(path: codingPath + [key])
        members[key.stringValue] = inner
        return inner
    }

    func element() -> FieldEncoder {
        let inner = FieldEncoder(path: codingPath + [IndexKey(elements.count)])
        elements.append(inner)
        return inner
    }

    var elementCount: Int { elements.count }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        beginMap()
        return KeyedEncodingContainer(KeyedFields<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        beginArray()
        return UnkeyedFields(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleField(encoder: self) }
}

/// The place of an element of an array.
struct IndexKey: CodingKey {
    let index: Int

    init(_ index: Int) { self.index = index }
    init?(intValue: Int) { index = intValue }
    init?(stringValue: String) { return nil }

    var stringValue: String { String(index) }
    var intValue: Int? { index }
}

private struct KeyedFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FieldEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.member(key).set(.null) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.member(key).encode(value) }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type, forKey key: Key) -> KeyedEncodingContainer<Inner> {
        encoder.member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.member(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key) }
}

private struct UnkeyedFields: UnkeyedEncodingContainer {
    let encoder: FieldEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.elementCount }

    func encodeNil() { encoder.element().set(.null) }
    func encode(_ value: some Encodable) throws { try encoder.element().encode(value) }

    func nestedContainer<Inner: CodingKey>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> { encoder.element().container(keyedBy: type) }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder.element() }
}

private struct SingleField: SingleValueEncodingContainer {
    let encoder: FieldEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.set(.null) }
    func encode(_ value: Bool) { encoder.set(.bool(value)) }
    func encode(_ value: String) { encoder.set(.text(value)) }
    func encode(_ value: Double) { encoder.set(.double(value)) }
    func encode(_ value: Float) { encoder.set(.double(Double(value))) }
    func encode(_ value: Int) throws { try integer(value) }
    func encode(_ value: Int8) throws { try integer(value) }
    func encode(_ value: Int16) throws { try integer(value) }
    func encode(_ value: Int32) throws { try integer(value) }
    func encode(_ value: Int64) throws { try integer(value) }
    func encode(_ value: UInt) throws { try integer(value) }
    func encode(_ value: UInt8) throws { try integer(value) }
    func encode(_ value: UInt16) throws { try integer(value) }
    func encode(_ value: UInt32) throws { try integer(value) }
    func encode(_ value: UInt64) throws { try integer(value) }
    func encode(_ value: some Encodable) throws { try encoder.encode(value) }

    private func integer(_ value: some BinaryInteger) throws {
        guard let integer = Int64(exactly: value) else {
            throw EncodingError.invalidValue(value, .init(codingPath: codingPath, debugDescription: "The number does not fit into 64 bits."))
        }
        encoder.set(.integer(integer))
    }
}
