// SPDX-License-Identifier: Apache-2.0

/// A property may be a value of any type, and in writes a change. Encoders of other formats have no form for it.
extension FieldValue: Codable {
    /// Reads a value of a document. Throws for decoders of other formats.
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? FieldDecoder else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "A FieldValue is read from documents only."))
        }
        self = decoder.value
    }

    /// Writes the value into a document. Throws for encoders of other formats.
    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? FieldEncoder else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "A FieldValue is written to documents only."))
        }
        encoder.set(self)
    }
}
