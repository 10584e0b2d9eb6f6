// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignalboxDocuments

/// A product of the catalog.
public struct Product: Sendable, Hashable, Identifiable {
    public var id: String
    public var name: String
    public var price: Decimal
    /// An ISO 4217 code, such as `EUR`.
    public var currency: String
    public var isAvailable: Bool

    public init(id: String, name: String, price: Decimal, currency: String, isAvailable: Bool = true) {
        (self.id, self.name, self.price, self.currency, self.isAvailable) = (id, name, price, currency, isAvailable)
    }
}

/// A document that is no product.
public enum MappingError: Error, Hashable, Sendable {
    case missing(document: String, field: String)
    case malformed(document: String, field: String, reason: String)
    case doesNotExist(document: String)
}

/// Makes products of documents, and rejects those that are not whole.
///
///     products/tea {name: "Tea", price_cents: 300, currency: "EUR"}   →   Product(id: "tea", name: "Tea", price: 3, …)
///     products/tea {name: "Tea", price_cents: "300", …}               →   malformed(document: "products/tea", field: "price_cents", …)
public enum ProductMapper {
    public static func product(_ document: StoredDocument) throws(MappingError) -> Product {
        guard let data = document.data else { throw .doesNotExist(document: document.path) }
        let fields = Fields(path: document.path, data: data)
        let cents = try fields.value("price_cents", "is no integer") { $0.int }
        let currency = try fields.text("currency")
        guard cents >= 0 else { throw fields.malformed("price_cents", "is negative") }
        guard currency.wholeMatch(of: /[A-Z]{3}/) != nil else { throw fields.malformed("currency", "is no ISO 4217 code") }
        return Product(
            id: document.id, name: try fields.text("name"), price: Decimal(cents) / 100, currency: currency,
            isAvailable: data["available"] == nil ? true : try fields.value("available", "is no Boolean") { $0.boolean })
    }

    private struct Fields {
        let path: String
        let data: [String: FieldValue]

        func value<T>(_ field: String, _ reason: String, _ read: (FieldValue) -> T?) throws(MappingError) -> T {
            guard let value = data[field] else { throw .missing(document: path, field: field) }
            guard let read = read(value) else { throw malformed(field, reason) }
            return read
        }

        func text(_ field: String) throws(MappingError) -> String {
            let text = try value(field, "is no text") { $0.string }
            guard !text.isEmpty else { throw malformed(field, "is empty") }
            return text
        }

        func malformed(_ field: String, _ reason: String) -> MappingError { .malformed(document: path, field: field, reason: reason) }
    }
}
