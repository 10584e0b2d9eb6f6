// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignalboxDocuments

/// An order of the signed-in user.
public struct Order: Sendable, Hashable, Identifiable {
    public enum State: String, Sendable, Codable {
        case new, paid
    }

    public var id: String
    public var product: String
    public var quantity: Int
    public var state: State
    /// Whether the order is on this device alone, as without a network.
    public var isPending: Bool

    init(id: String, product: String, quantity: Int, state: State, isPending: Bool) {
        (self.id, self.product, self.quantity, self.state, self.isPending) = (id, product, quantity, state, isPending)
    }

    /// - Throws: `DocumentError` with the code `dataLoss` if the document is no order. It names the field.
    init?(_ document: DocumentSnapshot) throws(DocumentError) {
        guard let fields = try document.data(as: Fields.self) else { return nil }
        self.init(
            id: document.id, product: fields.product, quantity: fields.quantity, state: fields.state, isPending: document.hasPendingWrites)
    }

    private struct Fields: Decodable {
        var product: String
        var quantity: Int
        var state: State
    }
}

/// The receipt that the payment function returns.
public struct Receipt: Sendable, Hashable, Codable {
    public var order: String
    public var product: String
    public var quantity: Int
    public var totalCents: Int
    public var currency: String

    public var total: Decimal { Decimal(totalCents) / 100 }

    /// The text of the receipt's file.
    public var text: String { "Order \(order)\n\(quantity) x \(product)\nTotal: \(total) \(currency)\n" }

    private enum CodingKeys: String, CodingKey {
        case order, product, quantity, currency
        case totalCents = "total_cents"
    }
}
