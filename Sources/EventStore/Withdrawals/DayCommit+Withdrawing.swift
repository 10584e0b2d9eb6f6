// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
import Platform
import SQLite

/// A trusted purchase of a commit whose transaction clients have sent before.
struct TrustedOrder {
    var app: AppID
    var transaction: UInt64
    /// The days whose files may have purchases of clients.
    var days: [Day]
}

/// The trusted purchases of a commit, and what they withdraw.
///
/// A commit has a client's purchase of T for 5 EUR, and a trusted one for 9 EUR that arrived later:
///
///     gathered   events 7 and 9; orders [T of today]
///     written    the rows 7 and 9; withdrawn (today, 7); roll-ups of both minutes: 5 − 5 and 9
struct Withdrawing {
    let withdrawals: Withdrawals
    let hash: KeyedHash
    var orders: [TrustedOrder] = []
    /// The number of withdrawn rows.
    fileprivate(set) var count = 0
    /// The withdrawn rows of today's file.
    fileprivate(set) var ofToday: Set<Int64> = []
    /// The connections to earlier files. They last until the end of the commit.
    fileprivate var earlier: [Day: DayDB] = [:]

    init(_ withdrawals: Withdrawals, _ hash: KeyedHash) {
        (self.withdrawals, self.hash) = (withdrawals, hash)
    }

    mutating func clear() {
        orders.removeAll(keepingCapacity: true)
        (count, ofToday, earlier) = (0, [], [:])
    }
}

extension DayCommit {
    /// Returns why an event is a duplicate; nil if it is new.
    func alreadySeen(_ record: EventRecord, of app: AppID, _ prefetched: Prefetched?, on day: Day) throws -> Reason? {
        guard try seen.ids.insert(record.idKey, prefetched) else { return .eventDuplicate }
        newIDs.append(record.idKey)
        guard let keys = record.transactionKeys else { return nil }
        guard try seen.insert(keys, isTrusted: record.isTrusted, on: day, adding: &newTransactions) else {
            seen.ids.remove(newIDs.removeLast())
            return .transactionDuplicate
        }
        if record.isTrusted {
            let days = try seen.daysOfClients(keys, through: day)
            if !days.isEmpty { withdrawing.orders.append(TrustedOrder(app: app, transaction: keys.ofApp, days: days)) }
        }
        return nil
    }

    /// Lists the clients' purchases that the trusted ones replace, and subtracts them from the counts.
    ///
    /// The commit's own purchases are in the file already.
    func withdraw(in file: DayFile) throws {
        for order in withdrawing.orders {
            for day in order.days {
                withdrawing.withdrawals.note(day, listedIn: file.day)
                if day == file.day {
                    try file.db.eachClientPurchase(of: order.transaction, app: order.app) { try withdraw($0, of: day, order.app, in: file) }
                } else {
                    try withdraw(order, ofEarlier: day, in: file)
                }
            }
        }
    }

    /// Withdraws the purchases in an earlier day's file. If that is gone or damaged, they stay; queries report the damage.
    private func withdraw(_ order: TrustedOrder, ofEarlier day: Day, in file: DayFile) throws {
        guard Folder.exists(withdrawing.withdrawals.path(of: day)) else { return }
        var ownError: (any Error)?
        do {
            try earlier(day).eachClientPurchase(of: order.transaction, app: order.app) { purchase in
                do { try withdraw(purchase, of: day, order.app, in: file) } catch {
                    ownError = error
                    throw error
                }
            }
        } catch let error as SQLiteError where ownError == nil && error.isDamage {
            return
        }
    }

    private func withdraw(_ purchase: ClientPurchase, of day: Day, _ app: AppID, in file: DayFile) throws {
        let isRemoved = withdrawing.withdrawals.isRemoved(purchase.seq, app: app, user: purchase.user, installation: purchase.installation)
        guard !isRemoved, try file.db.withdraw(purchase.seq, of: day, app: app, since: events.firstSeq) else { return }
        withdrawing.count += 1
        if day == file.day { withdrawing.ofToday.insert(purchase.seq) }
        let key = withdrawing.hash(.name, app: app, purchase.name.span)
        let word = try file.words.number(.name, app: app.rawValue, key: key, limit: .max) { String(decoding: purchase.name, as: UTF8.self) }
        rollups.tally.withdraw(purchase, app: app.rawValue, word: Int64(word ?? 0))
    }

    private func earlier(_ day: Day) throws -> DayDB {
        if let known = withdrawing.earlier[day] { return known }
        let file = try DayDB.open(reading: withdrawing.withdrawals.path(of: day))
        withdrawing.earlier[day] = file
        return file
    }
}

extension RollupTally {
    /// Counts the opposite of what a purchase was counted for.
    fileprivate mutating func withdraw(_ purchase: ClientPurchase, app: Int64, word: Int64) {
        count(.events, app: app, word: word, time: purchase.time, by: -1)
        count(.withdrawn, app: app, word: 0, time: purchase.time)
        if purchase.isLate { count(.late, app: app, word: 0, time: purchase.time, by: -1) }
        guard purchase.sale.currency != 0 else { return }
        count(.purchases, app: app, word: purchase.sale.currency, time: purchase.time, by: -1, amount: -purchase.sale.amount)
    }
}
