// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON document that distinguishes numbers from Booleans.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(_ bytes: [UInt8]) throws {
        self.init(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    /// - Parameter value: What `JSONSerialization` makes of a document.
    private init(_ value: Any) {
        switch value {
        case let members as [String: Any]: self = .object(members.mapValues { JSONValue($0) })
        case let items as [Any]: self = .list(items.map { JSONValue($0) })
        case let text as String: self = .text(text)
        // Foundation has one type for numbers and booleans, which names the C type it was made from.
        case let number as NSNumber:
            let isBool = number.objCType.pointee == CChar(UInt8(ascii: "c"))
            self = isBool ? .bool(number.boolValue) : .number(number.doubleValue)
        default: self = .null
        }
    }

    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    var members: [String: JSONValue] {
        guard case .object(let members) = self else { return [:] }
        return members
    }

    var items: [JSONValue] {
        guard case .list(let items) = self else { return [] }
        return items
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// The value as a query parameter.
    var plain: String? {
        if let number { return String(Int(number)) }
        return text
    }
}
