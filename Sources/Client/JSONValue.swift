// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Any JSON value: claims of accounts, data and results of functions.
///
/// ```swift
/// let order: JSONValue = ["id": "o-7", "lines": [1, 2], "paid": true]
/// order["id"].stringValue    // "o-7"
/// ```
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without a fraction that fits in 64 bits.
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Values by name.
    case object([String: JSONValue])

    /// The member of an object; `null` if there is none.
    public subscript(name: String) -> JSONValue { objectValue?[name] ?? .null }

    /// The element of an array; `null` if there is none.
    public subscript(index: Int) -> JSONValue {
        guard let list = arrayValue, list.indices.contains(index) else { return .null }
        return list[index]
    }

    /// The Boolean; `nil` for other values.
    public var boolValue: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    /// The integer; `nil` for other values.
    public var integerValue: Int64? { if case .integer(let number) = self { number } else { nil } }
    /// The number, of integers too; `nil` for other values.
    public var numberValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
    /// The text; `nil` for other values.
    public var stringValue: String? { if case .string(let text) = self { text } else { nil } }
    /// The elements; `nil` for other values.
    public var arrayValue: [JSONValue]? { if case .array(let list) = self { list } else { nil } }
    /// The members; `nil` for other values.
    public var objectValue: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
}

extension JSONValue: Codable {
    /// Reads any JSON.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(UInt64.self) {
            self = .unsigned(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let list = try? value.decode([JSONValue].self) {
            self = .array(list)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    /// Writes the value as JSON.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let flag): try value.encode(flag)
        case .integer(let number): try value.encode(number)
        case .unsigned(let number): try value.encode(number)
        case .number(let number): try value.encode(number)
        case .string(let text): try value.encode(text)
        case .array(let list): try value.encode(list)
        case .object(let members): try value.encode(members)
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Converts `nil` to `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Converts a Boolean literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Converts an integer literal.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Converts a literal with a fraction.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Converts a text literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Converts a list literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// The last of several members with a name wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
