// SPDX-License-Identifier: Apache-2.0

/// The plain list that a store is compared with.
struct SalesList: Sendable {
    struct Row: Sendable {
        var sale: Sale
        var person: String
        var isWithdrawn = false
    }

    private(set) var rows: [Row] = []
    private var trusted: Set<String> = []
    /// The persons who reported a transaction. They stay when the person is erased.
    private var ofClients: [String: Set<String>] = [:]
    private var number = 0

    /// The purchases that count.
    var counting: [Sale] { rows.filter { !$0.isWithdrawn }.map(\.sale) }

    mutating func nextID() -> String {
        number += 1
        return "sale \(number)"
    }

    /// Adds a sale. Returns whether it is new.
    @discardableResult
    mutating func take(_ sale: Sale) -> Bool {
        if let transaction = sale.transaction, sale.name != "refund" {
            if trusted.contains(transaction) { return false }
            if sale.isTrusted {
                trusted.insert(transaction)
                for row in rows.indices where rows[row].isClients(transaction) { rows[row].isWithdrawn = true }
            } else if !ofClients[transaction, default: []].insert(sale.user).inserted {
                return false
            }
        }
        rows.append(Row(sale: sale, person: sale.user))
        return true
    }

    mutating func erase(_ user: String) { rows.removeAll { $0.person == user } }

    mutating func anonymise(_ user: String) {
        for row in rows.indices where rows[row].person == user { rows[row].person = "nobody" }
    }
}

extension SalesList.Row {
    fileprivate func isClients(_ transaction: String) -> Bool {
        sale.transaction == transaction && sale.name != "refund" && !sale.isTrusted
    }
}
