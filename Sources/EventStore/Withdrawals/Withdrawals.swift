// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
import Platform
import SQLite
import Synchronization

/// The places where withdrawn purchases are listed.
///
/// A trusted purchase withdraws clients' purchases of its transaction. They are listed in the file of the day on which that happens, because
/// files of earlier days do not change:
///
///     2026-11-21.db   events 7 and 8, purchases of T
///     2026-11-22.db   event 20, the trusted purchase of T; withdrawn: (21 November, 7), (21 November, 8)
///     rows(of: 21 November)   reads the list of 2026-11-22.db: 7 and 8
///
/// Only the days are in memory. A list is read with each use, so it is as new as the file. Each entry has the number since which it holds,
/// the first of its commit, so that a query whose `EventSnapshot` is older does without it.
package final class Withdrawals: Sendable {
    /// An erasure that is removing rows up to a number.
    private struct Removing {
        var keys: PersonKeys
        var last: Int64
    }

    private struct State {
        /// The later days whose files list rows of a day.
        var lists: [Day: Set<Day>] = [:]
        var removing: [Int: Removing] = [:]
        var lastNumber = 0
    }

    private let paths: StorePaths
    private let state = Mutex(State())

    init(_ paths: StorePaths) throws {
        self.paths = paths
        for list in try paths.days() {
            for day in try DayDB.open(reading: paths.file(of: list)).daysOfWithdrawn() { note(day, listedIn: list) }
        }
    }

    /// Notes that a file will list rows of a day. Called before the commit, as a list may be empty.
    func note(_ day: Day, listedIn list: Day) {
        if day == list { return }
        _ = state.withLock { $0.lists[day, default: []].insert(list) }
    }

    /// Drops a day whose file is removed.
    func forget(_ day: Day) {
        state.withLock { state in
            state.lists[day] = nil
            for other in state.lists.keys { state.lists[other]?.remove(day) }
        }
    }

    func path(of day: Day) -> String { paths.file(of: day) }

    /// Returns the withdrawn rows of a day's file as far as the events up to a number withdraw them.
    func rows(of day: Day, _ session: ReadSession, through last: Int64) throws -> WithdrawnRows {
        try rows(of: day, through: last) { path in try session.with(path) { (file: DayDB) in try file.withdrawn(of: day, through: last) } }
    }

    /// Returns the withdrawn rows of a day's file, for its owner.
    func rows(of day: Day) throws -> WithdrawnRows {
        try rows(of: day, through: .max) { try DayDB.open(reading: $0).withdrawn(of: day, through: .max) }
    }

    private func rows(of day: Day, through last: Int64, read: (String) throws -> [Int64]) throws -> WithdrawnRows {
        let lists = state.withLock { $0.lists[day] ?? [] }
        var rows = WithdrawnRows(day: day, last: last)
        for list in lists {
            do {
                rows.add(try read(paths.file(of: list)))
            } catch let error as SQLiteError where error.code.primary == .cannotOpen {
                // Data retention has just removed the file.
            }
        }
        return rows
    }

    // MARK: Erasures

    /// Keeps a person's rows up to a number from being withdrawn while an erasure removes them and subtracts their counts. An anonymised
    /// person's rows stay.
    ///
    /// Returns a number for `endRemoving`. A commit may be under way; wait for the next one before rows are removed.
    func beginRemoving(_ removal: PersonRemoval, through last: Int64) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            if case .erasure = removal.kind { state.removing[state.lastNumber] = Removing(keys: removal.keys, last: last) }
            return state.lastNumber
        }
    }

    func endRemoving(_ number: Int) {
        state.withLock { $0.removing[number] = nil }
    }

    /// Returns whether an erasure is about to remove a row.
    func isRemoved(_ seq: Int64, app: AppID, user: UInt64, installation: UInt64) -> Bool {
        state.withLock { state in
            state.removing.values.contains { $0.keys.app == app && seq <= $0.last && $0.keys.contains(user: user, installation: installation) }
        }
    }
}

/// The numbers of a file's withdrawn rows that other files list. The file's own list is read with its rows.
package struct WithdrawnRows: Sendable {
    let day: Day
    /// The last number that the reader sees.
    let last: Int64
    private var elsewhere: KeySet?

    init(day: Day, last: Int64 = .max) {
        (self.day, self.last) = (day, last)
    }

    fileprivate mutating func add(_ seqs: [Int64]) {
        if seqs.isEmpty { return }
        var all = elsewhere ?? KeySet()
        for seq in seqs { _ = all.insert(UInt64(bitPattern: seq)) }
        elsewhere = all
    }

    /// Returns the numbers with those that the file lists itself; nil for none.
    func seqs(in file: DayDB) throws -> KeySet? {
        var all = self
        all.add(try file.withdrawn(of: day, through: last))
        return all.elsewhere
    }
}

/// The treatment of withdrawn rows by a reader.
package enum WithdrawnHandling: Sendable {
    /// They are read like all others.
    case included
    case leftOut(WithdrawnRows)
    /// They have the flag `withdrawn`.
    case flagged(WithdrawnRows)

    var rows: WithdrawnRows? {
        switch self {
        case .included: nil
        case .leftOut(let rows), .flagged(let rows): rows
        }
    }

    /// The last number that the reader sees.
    var last: Int64 { rows?.last ?? .max }

    var leavesOut: Bool {
        if case .leftOut = self { true } else { false }
    }
}

extension DayDB {
    /// Whether the file has a list. Files of version 0.1 have none until `SealedDays` opens them.
    private func hasWithdrawnList() throws -> Bool {
        try statement("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'withdrawn'").first { _ in true } ?? false
    }

    /// Returns the numbers of a day's rows that this file lists, as far as the events up to a number withdraw them.
    fileprivate func withdrawn(of day: Day, through last: Int64) throws -> [Int64] {
        guard try hasWithdrawnList() else { return [] }
        let ofDay = "SELECT seq FROM withdrawn WHERE day = ?"
        // Like the list itself, the column is missing until `SealedDays` opens a file of an earlier version.
        let hasSince = try statement("SELECT 1 FROM pragma_table_info('withdrawn') WHERE name = 'since'").first { _ in true } ?? false
        guard hasSince else { return try statement(ofDay).all(.integer(Int64(day.number))) { $0.integer(0) } }
        return try statement(ofDay + " AND since <= ?").all(.integer(Int64(day.number)), .integer(last)) { $0.integer(0) }
    }

    /// Returns the days of which this file lists rows. Each step skips to the next day in the index.
    fileprivate func daysOfWithdrawn() throws -> [Day] {
        guard try hasWithdrawnList() else { return [] }
        var days: [Day] = []
        var last = Int64.min
        let next = try statement("SELECT day FROM withdrawn WHERE day > ? ORDER BY day LIMIT 1")
        while let day = try next.first(.integer(last), row: { $0.integer(0) }) {
            last = day
            days.append(Day(number: Int32(truncatingIfNeeded: day)))
        }
        return days
    }

    /// Lists a withdrawn row with the first number of the commit. Returns false if it was listed before.
    func withdraw(_ seq: Int64, of day: Day, app: AppID, since: Int64) throws -> Bool {
        let insert = try statement("INSERT OR IGNORE INTO withdrawn (day, seq, app, since) VALUES (?, ?, ?, ?)")
        try insert.run(integers: [Int64(day.number), seq, app.rawValue, since])
        return changes > 0
    }
}
