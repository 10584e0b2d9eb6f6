// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A value of a document's field, or in a write a change of one.
///
/// ```swift
/// try await user.set(["name": "Ann", "born": .time(birthday), "tags": ["a", "b"], "visits": .increment(1)], merge: true)
/// ```
public indirect enum FieldValue: Hashable, Sendable {
    /// Null.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number of 64 bits.
    case integer(Int64)
    /// A number that is not an integer of 64 bits. `1` and `1.0` are equal in queries and stored differently.
    case double(Double)
    /// A time, kept in microseconds.
    case time(Date)
    /// A text.
    case text(String)
    /// Bytes.
    case bytes(Data)
    /// The path of another document.
    case reference(String)
    /// A place on the earth.
    case place(GeoPoint)
    /// An array, which may not contain arrays directly.
    case array([FieldValue])
    /// Numbers of a fixed count, up to 2,048.
    case vector([Double])
    /// Values by name.
    case map([String: FieldValue])
    /// A change that depends on the stored value. It stands in writes only, in maps but not in arrays.
    case change(FieldChange)
}

/// A place on the earth, in degrees.
public struct GeoPoint: Hashable, Sendable, Codable {
    /// From -90 to 90 degrees.
    public var latitude: Double
    /// From -180 to 180 degrees.
    public var longitude: Double

    /// Creates a place. Writes with a latitude beyond ±90 or a longitude beyond ±180 fail.
    public init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

/// A change of a field that the daemon makes when it commits. Until then it is estimated from the cached value.
public enum FieldChange: Hashable, Sendable {
    /// The time of the commit, in milliseconds.
    case serverTime
    /// The sum with a number.
    case increment(FieldValue)
    /// The larger one of the field and a number.
    case maximum(FieldValue)
    /// The smaller one of the field and a number.
    case minimum(FieldValue)
    /// The array with the elements that it lacks.
    case union([FieldValue])
    /// The array without these elements.
    case remove([FieldValue])
    /// Removes the field, in updates and merges.
    case delete
}

extension FieldValue {
    /// The time of the commit.
    public static var serverTime: FieldValue { .change(.serverTime) }
    /// Removes the field, in updates and merges.
    public static var delete: FieldValue { .change(.delete) }

    /// Adds to the field, however many clients do so at the same time.
    public static func increment(_ by: Int) -> FieldValue { .change(.increment(.integer(Int64(by)))) }
    /// Adds a number with a fraction to the field's number.
    public static func increment(_ by: Double) -> FieldValue { .change(.increment(.double(by))) }

    /// Sets the field to a number if that is larger.
    public static func maximum(_ number: Int) -> FieldValue { .change(.maximum(.integer(Int64(number)))) }
    /// Keeps the greater of the field's number and a number with a fraction.
    public static func maximum(_ number: Double) -> FieldValue { .change(.maximum(.double(number))) }

    /// Sets the field to a number if that is smaller.
    public static func minimum(_ number: Int) -> FieldValue { .change(.minimum(.integer(Int64(number)))) }
    /// Keeps the lesser of the field's number and a number with a fraction.
    public static func minimum(_ number: Double) -> FieldValue { .change(.minimum(.double(number))) }

    /// Appends the elements that the array lacks.
    public static func arrayUnion(_ elements: [FieldValue]) -> FieldValue { .change(.union(elements)) }
    /// Removes elements from the array.
    public static func arrayRemove(_ elements: [FieldValue]) -> FieldValue { .change(.remove(elements)) }
}

extension FieldValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Converts `nil` to null.
    public init(nilLiteral: ()) { self = .null }
    /// Converts a Boolean literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Converts an integer literal.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Converts a literal with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Converts a text literal.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Converts a list literal.
    public init(arrayLiteral elements: FieldValue...) { self = .array(elements) }
    /// Converts a literal with names; of a name that is there twice the last value stays.
    public init(dictionaryLiteral elements: (String, FieldValue)...) { self = .map(Dictionary(elements) { $1 }) }
}

extension FieldValue {
    /// The text; nil for other types.
    public var string: String? { if case .text(let value) = self { value } else { nil } }
    /// The integer; nil for other types.
    public var int: Int? { if case .integer(let value) = self { Int(exactly: value) } else { nil } }
    /// The number as a double, also of an integer; nil for other types.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
    /// The truth value; nil for other types.
    public var boolean: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The time; nil for other types.
    public var date: Date? { if case .time(let value) = self { value } else { nil } }
    /// The elements of an array; nil for other types.
    public var elements: [FieldValue]? { if case .array(let values) = self { values } else { nil } }
    /// The fields of a map; nil for other types.
    public var fields: [String: FieldValue]? { if case .map(let fields) = self { fields } else { nil } }
}
