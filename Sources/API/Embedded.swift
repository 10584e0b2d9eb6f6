// SPDX-License-Identifier: Apache-2.0

/// A value whose JSON the daemon stores or receives as text and passes on byte for byte, such as an event's `params`.
///
/// The daemon encodes `.json`, so that numbers keep their digits and unknown members survive. Decoding gives `.value`, typed.
package enum Embedded<Value: Codable & Sendable>: Codable, Sendable {
    case json([UInt8])
    case value(Value)

    /// The value of JSON that has been decoded.
    package var value: Value {
        guard case .value(let value) = self else { preconditionFailure("embedded JSON is decoded by clients only") }
        return value
    }

    package init(from decoder: any Decoder) throws {
        // Through the container, so that a decoder that renames members keeps those of a dictionary.
        self = .value(try decoder.singleValueContainer().decode(Value.self))
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .json(let bytes):
            guard let write: ([UInt8]) -> Void = encoder.offer("json.embedded") else {
                throw EncodingError.invalidValue(bytes, .init(codingPath: encoder.codingPath, debugDescription: "the encoder embeds no JSON"))
            }
            write(bytes)
        case .value(let value): try value.encode(to: encoder)
        }
    }
}

/// An object whose member names are data: they keep their spelling and order.
///
/// Members of all other types are renamed to snake_case by the encoder: `firstSeen` becomes `first_seen`.
package struct Members<Value: Codable & Sendable>: Codable, Sendable {
    package var pairs: [(name: String, value: Value)]

    package init(_ pairs: [(name: String, value: Value)]) {
        self.pairs = pairs
    }

    package subscript(_ name: String) -> Value? { pairs.first { $0.name == name }?.value }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        // A decoder that renames the members of types keeps those of a dictionary that it decodes itself.
        let members = try decoder.singleValueContainer().decode([String: Value].self)
        pairs = members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    package func encode(to encoder: any Encoder) throws {
        if let keepNames: () -> Void = encoder.offer("json.exact-names") { keepNames() }
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in pairs { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}

extension Encoder {
    /// A function that the encoder of the module JSON offers beside its protocol. It is found by name, as this module does not import JSON.
    fileprivate func offer<Function>(_ name: String) -> Function? {
        CodingUserInfoKey(rawValue: name).flatMap { userInfo[$0] as? Function }
    }
}

/// Any scalar as text, for display: `true`, `2.5`, `free`. Objects and arrays are `{…}`.
package struct AnyText: Codable, Sendable {
    package let text: String

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            text = "null"
        } else if let found = try? value.decode(String.self) {
            text = found
        } else if let found = try? value.decode(Bool.self) {
            text = String(found)
        } else if let found = try? value.decode(Int.self) {
            text = String(found)
        } else if let found = try? value.decode(Double.self) {
            text = String(found)
        } else {
            text = "{…}"
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
