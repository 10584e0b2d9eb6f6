// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
import Platform

/// A client's purchase that a trusted one replaces, with what it was counted for.
struct ClientPurchase {
    var seq: Int64
    var time: Int64
    var name: [UInt8]
    var isLate: Bool
    var user: UInt64
    var installation: UInt64
    var sale: EventBatch.Purchase
}

extension DayDB {
    /// Calls a closure with each purchase of a transaction that a client sent.
    func eachClientPurchase(of transaction: UInt64, app: AppID, _ body: (ClientPurchase) throws -> Void) throws {
        let texts = FileTexts(self)
        let request = EventRequest(app, [.seq, .time, .name, .flags, .user, .installation, .purchase], where: [.transaction(transaction)])
        try source(request, withdrawn: .included).eachBatch { batch in
            for row in batch.rows where !batch.flags[row].contains(.trusted) {
                guard let sale = batch.purchases[row], !sale.isRefund else { continue }
                try body(
                    ClientPurchase(
                        seq: batch.seqs[row], time: batch.times[row], name: try texts.name(batch.names[row]) ?? [],
                        isLate: batch.flags[row].contains(.late), user: batch.users[row], installation: batch.installations[row], sale: sale))
            }
        }
    }
}
