// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The value of an event parameter or user property. String, number and Boolean literals convert to it.
public enum ParameterValue: Sendable, Equatable, Codable {
    /// A string.
    case text(String)
    /// An integer.
    case integer(Int64)
    /// A floating-point number. NaN and infinity are not sent.
    case number(Double)
    /// An exact decimal, for amounts of money.
    case decimal(Decimal)
    /// A Boolean, stored as 1 or 0 as in Firebase.
    case flag(Bool)
    /// Products, for the parameter `items`.
    case items([Item])

    /// The value without numbers that JSON cannot represent; `nil` if nothing is left.
    var jsonCompatible: ParameterValue? {
        switch self {
        case .number(let number) where !number.isFinite: nil
        case .decimal(let number) where number.isNaN: nil
        case .items(let items): .items(items.map(\.jsonCompatible))
        default: self
        }
    }

    func write(to json: inout JSONText, as name: String) {
        switch self {
        case .number(let number) where !number.isFinite: return
        case .decimal(let number) where number.isNaN: return
        default: json.key(name)
        }
        switch self {
        case .text(let text): json.string(text)
        case .integer(let number): json.raw(String(number))
        case .number(let number): json.raw(number.description)
        case .decimal(let number): json.raw(number.description)
        case .flag(let flag): json.raw(flag ? "1" : "0")
        case .items(let items): json.list(items) { json, item in item.write(to: &json) }
        }
    }
}

extension ParameterValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    /// Creates a string value.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates an integer value.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a floating-point value.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
}

/// A product in a purchase.
public struct Item: Sendable, Equatable, Codable {
    /// The shop's product ID.
    public var id: String
    /// The product's name.
    public var name: String?
    /// The product's category.
    public var category: String?
    /// The unit price in the purchase's currency.
    public var price: Decimal?
    /// The number of units.
    public var quantity: Int?

    /// Creates an item; all fields but the ID are optional.
    public init(id: String, name: String? = nil, category: String? = nil, price: Decimal? = nil, quantity: Int? = nil) {
        self.id = id
        self.name = name
        self.category = category
        self.price = price
        self.quantity = quantity
    }

    fileprivate var jsonCompatible: Item {
        var item = self
        if price?.isNaN == true { item.price = nil }
        return item
    }

    func write(to json: inout JSONText) {
        json.object { json in
            json.field("item_id", id)
            json.field("item_name", name)
            json.field("item_category", category)
            if let price { ParameterValue.decimal(price).write(to: &json, as: "price") }
            if let quantity { json.field("quantity", Int64(quantity)) }
        }
    }
}
