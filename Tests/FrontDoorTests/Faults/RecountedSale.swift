// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import SQLite

@testable import EventStore

/// A stored purchase, for a recount of transactions and of what was withdrawn.
struct RecountedSale {
    let app: Int64
    let time: Int64
    let name: String
    private let flags: EventFlags
    private let transaction: UInt64
    private let person: UInt64
    private let amount: Int64
    private let currency: Int64

    static let select = """
        SELECT e.seq, e.app, e.time, p.kind, e.flags, p.transaction_key, e.user, e.installation, p.amount, p.currency
        FROM events e JOIN purchases p USING (seq) WHERE p.kind != \(EventKind.refund.rawValue)
        """

    init(_ row: Row) {
        (app, time) = (row.integer(1), row.integer(2))
        name = row.integer(3) == Int64(EventKind.purchase.rawValue) ? EventKind.purchase.name : EventKind.inAppPurchase.name
        flags = EventFlags(rawValue: UInt16(row.integer(4)))
        transaction = row.key(5)
        person = row.key(6) != 0 ? row.key(6) : row.key(7)
        (amount, currency) = (row.integer(8), row.integer(9))
    }

    /// The counts that a file has beside those of its rows if it lists the purchase as withdrawn.
    func corrections(word: Int64) -> [(metric: RollupMetric, word: Int64, count: Int64, amount: Int64)] {
        [(.events, word, -1, 0), (.withdrawn, 0, 1, 0)] + (flags.contains(.late) ? [(.late, 0, -1, 0)] : [])
            + (currency != 0 ? [(.purchases, currency, -1, -amount)] : [])
    }

    /// The keys that must be in the dedupe index. Version 0.1 stored one.
    func keys(on day: Day, _ known: Set<UInt64>) -> [UInt64] {
        if transaction == 0 { return [] }
        if known.contains(transaction) { return [transaction] }
        let keys = TransactionKeys(transaction: transaction, person: person)
        return flags.contains(.trusted) ? [keys.trusted] : [keys.ofPerson, keys.ofDay(day)]
    }

    /// Returns transactions that count more often than they should.
    static func problems(_ sales: [Int64: RecountedSale], _ withdrawn: Set<Int64>) -> [String] {
        let withTransaction = sales.filter { $0.value.transaction != 0 }
        var problems: [String] = []
        for (transaction, sales) in Dictionary(grouping: withTransaction, by: \.value.transaction) {
            let trusted = sales.count { $0.value.flags.contains(.trusted) }
            let clients = sales.filter { !$0.value.flags.contains(.trusted) }
            if trusted > 1 { problems.append("transaction \(transaction) has \(trusted) trusted purchases") }
            if Set(clients.map(\.value.person)).count != clients.count { problems.append("a person has transaction \(transaction) twice") }
            let counting = clients.filter { !withdrawn.contains($0.key) }
            if trusted > 0, !counting.isEmpty { problems.append("transaction \(transaction) counts beside its trusted purchase") }
            if trusted == 0, counting.count != clients.count { problems.append("transaction \(transaction) was withdrawn for nothing") }
        }
        return problems
    }
}
