// SPDX-License-Identifier: Apache-2.0

/// The ID of the document that a value was read from. It is not a field, and is not written.
///
/// ```swift
/// struct User: Codable { @DocumentID var id: String?; var name: String }
/// ```
@propertyWrapper
public struct DocumentID: Codable, Sendable, Hashable {
    /// The ID; nil for a value that is not stored yet.
    public var wrappedValue: String?

    /// Creates a property with an ID.
    public init(wrappedValue: String?) { self.wrappedValue = wrappedValue }

    /// Decodes the ID of the document; other decoders have none.
    public init(from decoder: any Decoder) throws {
        wrappedValue = (decoder as? FieldDecoder)?.documentPath?.split(separator: "/").last.map(String.init)
    }

    /// Encodes nothing, as the ID is not a field.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}
