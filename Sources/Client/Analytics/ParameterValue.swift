// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a parameter or a property may be; literals of text, numbers and truth values are.
public enum ParameterValue: Sendable, Equatable, Codable {
    /// Some text.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A number; one that is none, or without end, is left out.
    case number(Double)
    /// An exact number, as amounts of money are.
    case decimal(Decimal)
    /// Yes or no, stored as 1 or 0, which is how Firebase has them.
    case flag(Bool)
    /// What was bought or looked at, for the parameter `items`.
    case items([Item])

    /// Without what JSON cannot say; nil where that is all of it.
    var sayable: ParameterValue? {
        switch self {
        case .number(let number) where !number.isFinite: nil
        case .decimal(let number) where number.isNaN: nil
        case .items(let items): .items(items.map(\.sayable))
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
    /// Some text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Yes or no.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
}

/// Something that is sold.
public struct Item: Sendable, Equatable, Codable {
    /// What the shop calls it.
    public var id: String
    /// What people call it.
    public var name: String?
    /// Where it belongs.
    public var category: String?
    /// Of one piece, in the purchase's currency.
    public var price: Decimal?
    /// How many.
    public var quantity: Int?

    /// An item; what is not known may be left out.
    public init(id: String, name: String? = nil, category: String? = nil, price: Decimal? = nil, quantity: Int? = nil) {
        self.id = id
        self.name = name
        self.category = category
        self.price = price
        self.quantity = quantity
    }

    fileprivate var sayable: Item {
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
