// SPDX-License-Identifier: Apache-2.0

import Database
import Events
import Platform
import SQLite

extension DedupeHistory {
    /// Inserts the keys of a purchase's transaction, and adds them to a list.
    ///
    /// Returns false for a duplicate.
    mutating func insert(_ keys: TransactionKeys, isTrusted: Bool, on day: Day, adding new: inout [UInt64]) throws(FileError) -> Bool {
        if isTrusted {
            guard try transactions.insert(keys.trusted) else { return false }
            new.append(keys.trusted)
            return true
        }
        guard try !isDuplicate(ofClient: keys), try transactions.insert(keys.ofPerson) else { return false }
        new.append(keys.ofPerson)
        if try transactions.insert(keys.ofDay(day), of: day) { new.append(keys.ofDay(day)) }
        return true
    }

    /// Returns whether a purchase would be a duplicate.
    func contains(_ keys: TransactionKeys, isTrusted: Bool) throws(FileError) -> Bool {
        if isTrusted { return try transactions.contains(keys.trusted) }
        if try isDuplicate(ofClient: keys) { return true }
        return try transactions.contains(keys.ofPerson)
    }

    private func isDuplicate(ofClient keys: TransactionKeys) throws(FileError) -> Bool {
        if try transactions.contains(keys.trusted) { return true }
        return try !daysByApp(keys).isEmpty
    }

    /// Returns the days on which clients sent a transaction, oldest first.
    func daysOfClients(_ keys: TransactionKeys, through today: Day) throws(FileError) -> [Day] {
        var found = Set(try daysByApp(keys))
        for day in Set(transactions.days).union([today]) where try transactions.contains(keys.ofDay(day), of: day) { found.insert(day) }
        return found.sorted()
    }

    /// Returns the days in whose files version 0.1 stored a transaction.
    private func daysByApp(_ keys: TransactionKeys) throws(FileError) -> [Day] {
        var days: [Day] = []
        for day in daysOfKeysByApp where try transactions.isSealed(keys.ofApp, on: day) { days.append(day) }
        // Keys that are not in a run yet are those of the newest day.
        if days.isEmpty, transactions.isInMemory(keys.ofApp), let newest = daysOfKeysByApp.max() { days.append(newest) }
        return days
    }

    /// Forgets the transactions of a day whose file is removed.
    mutating func forgetTransactions(of day: Day) {
        transactions.forget(day)
        daysOfKeysByApp.remove(day)
    }
}

extension DayDB {
    /// Whether version 0.1 stored transactions in the file, which count once per app. It may not have been migrated yet.
    func hasKeysByApp() throws -> Bool {
        let find = try statement("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'transactions_by_app'")
        guard try find.first(row: { _ in true }) == true else { return true }
        return try statement("SELECT 1 FROM transactions_by_app").first { _ in true } ?? false
    }
}
