// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

/// The dedupe indexes of event IDs and transactions over all days in the window, and their path from tables to runs.
///
/// Each commit appends its new keys to the `seen` table of its day, one numbered row per kind. The name of a run says which rows it covers,
/// so a restart reads only the rows behind the last run. Event IDs of 2026-11-25:
///
///     commits        rows 1…5 of `seen`; the keys are in memory
///     seal           2026-11-25.ids.1-5.run
///     commits        rows 6…9; the keys are in memory
///     seal           2026-11-25.ids.1-9.run: the older run is not much larger, so it is merged and its file removed
///     commits        rows 10 and 11; the keys are in memory
///     kill, restart  the run is opened, and rows 10 and 11 are read from the table
///
/// Event IDs are kept for the dedupe window, transactions as long as their day's file.
struct DedupeHistory: Sendable {
    var ids = DedupeIndex()
    var transactions = DedupeIndex()
    /// The days in whose files version 0.1 stored transactions.
    var daysOfKeysByApp: Set<Day> = []
    /// The last row written to today's `seen` table.
    var lastLogged: Int64 = 0

    subscript(kind: DedupeKind) -> DedupeIndex {
        get { kind == .ids ? ids : transactions }
        // In place, because a get and a set would copy all keys.
        _modify {
            switch kind {
            case .ids: yield &ids
            case .transactions: yield &transactions
            }
        }
    }

    /// Opens the runs of all days and writes the missing runs of sealed days.
    ///
    /// Today's keys without a run are loaded into memory.
    init(_ paths: StorePaths, today: Day, idsSince: Day, _ options: EventStoreOptions) throws {
        for kind in DedupeKind.allCases { self[kind].filterMemory = options.filterMemory }
        // The limit is above that of normal operation: a start is faster if most of today's keys are sealed after it.
        let many = options.recentKeys * 4
        for day in try paths.days() where try DayDB.open(reading: paths.file(of: day)).hasKeysByApp() { daysOfKeysByApp.insert(day) }
        for day in try paths.days() where day != today {
            for kind in DedupeKind.allCases where kind == .transactions || day >= idsSince {
                let last = try resume(day, kind, atMost: many, paths)
                try sealNow(atLeast: 1, of: day, kind, through: last, paths)
            }
        }
        for kind in DedupeKind.allCases { lastLogged = max(lastLogged, try resume(today, kind, atMost: many, paths)) }
    }

    /// Opens a day's runs and loads the keys of its table that are in none of them.
    ///
    /// Returns the last row of the table. Seals whenever `limit` keys are in memory. Uses a connection of its own, whose page cache is
    /// freed with it.
    private mutating func resume(_ day: Day, _ kind: DedupeKind, atMost limit: Int, _ paths: StorePaths) throws -> Int64 {
        for run in try DedupeHistory.runs(paths, day, kind) { self[kind].add(run, of: day) }
        var last = self[kind].covered(day)
        try DayDB.open(reading: paths.file(of: day)).statement("SELECT number, keys FROM seen WHERE number > ? AND kind = ? ORDER BY number")
            .each([.integer(last), .integer(kind.rawValue)]) { row in
                last = row.integer(0)
                self[kind].load(row.words(1))
                try sealNow(atLeast: limit, of: day, kind, through: last, paths)
            }
        return last
    }

    /// Seals and merges on the calling thread, at the start.
    private mutating func sealNow(atLeast limit: Int, of day: Day, _ kind: DedupeKind, through last: Int64, _ paths: StorePaths) throws {
        var next = sealing(atLeast: limit, of: day, kind, through: last)
        while let order = next {
            let run = order.isMerge ? try? order.written(paths) : try order.written(paths)
            let done = Sealer.Finished(run: run, isMerge: order.isMerge, kind: kind, day: day)
            for run in take(done) { try Folder.remove(run.path) }
            next = merging(kind, of: day)
        }
    }

    /// Returns the first day whose event IDs are deduplicated: the start of the dedupe window, or an earlier day whose file holds newer
    /// events.
    ///
    /// A file holds newer events if the clock was not trusted at once and the day did not change. Days before `ClockTrust.earliest` come
    /// from a clock that was never set; they count as old as the day on which it was set.
    static func firstDayOfIDs(knownOn today: Day, _ dedupeDays: Int, _ paths: StorePaths) throws(FileError) -> Day {
        let since = Day(number: today.number - Int32(clamping: dedupeDays))
        let days = try paths.days()
        guard let before = days.last(where: { $0 < since }) else { return since }
        if before.start < ClockTrust.earliest && today.start >= ClockTrust.earliest { return days[0] }
        // A damaged old file does not stop the new day.
        let received = try? DayDB.open(reading: paths.file(of: before)).lastDayOfReceipt(in: before, until: today)
        return received.map { $0 >= since } == true ? before : since
    }

    /// Starts sealing each kind with at least `limit` keys in memory.
    mutating func seal(atLeast limit: Int, of day: Day, _ paths: StorePaths, with sealer: Sealer) {
        for kind in DedupeKind.allCases {
            if let order = sealing(atLeast: limit, of: day, kind, through: lastLogged) { sealer.write(order, paths) }
        }
    }

    private mutating func sealing(
        atLeast limit: Int, of day: Day, _ kind: DedupeKind, through last: Int64, isLast: Bool = false
    ) -> Sealer.Order? {
        let after = self[kind].covered(day)
        guard last > after, let (keys, small) = self[kind].startSealing(atLeast: limit, of: day, isLast: isLast) else { return nil }
        return Sealer.Order(keys: keys, rows: after + 1...last, merging: small, kind: kind, day: day)
    }

    /// Adopts the runs that the sealer has finished and starts the merges they allow.
    ///
    /// Returns the replaced runs, whose files can be removed.
    mutating func settle(_ paths: StorePaths, with sealer: Sealer) -> [KeyRun] {
        var replaced: [KeyRun] = []
        for done in sealer.collect() {
            replaced += take(done)
            if done.run != nil { startMerges(done.kind, paths, with: sealer) }
        }
        return replaced
    }

    /// Starts a merge that is due. Earlier days may have one, if another was under way when their last runs were written.
    private mutating func startMerges(_ kind: DedupeKind, _ paths: StorePaths, with sealer: Sealer) {
        for order in self[kind].days.compactMap({ merging(kind, of: $0) }) { sealer.write(order, paths) }
    }

    private mutating func take(_ done: Sealer.Finished) -> [KeyRun] {
        if done.isMerge { return self[done.kind].finishMerging(done.run, of: done.day) }
        if let run = done.run { return self[done.kind].finishSealing(run, of: done.day) }
        self[done.kind].abandonSealing()
        return []
    }

    private mutating func merging(_ kind: DedupeKind, of day: Day) -> Sealer.Order? {
        guard let runs = self[kind].startMerging(of: day), let newest = runs.first else { return nil }
        return Sealer.Order(keys: nil, rows: newest.rows, merging: runs, kind: kind, day: day)
    }

    /// Seals all remaining keys of a day that ends, on the calling thread, when no sealing is under way.
    ///
    /// Returns the replaced runs, as `settle` does. Throws if a run cannot be written. The day must not end then: in the memory of the next
    /// day its keys would be those of that day.
    mutating func sealAll(of day: Day, _ paths: StorePaths, with sealer: Sealer) throws(FileError) -> [KeyRun] {
        var replaced: [KeyRun] = []
        for kind in DedupeKind.allCases {
            guard let order = sealing(atLeast: 1, of: day, kind, through: lastLogged, isLast: true) else { continue }
            do {
                replaced += take(Sealer.Finished(run: try order.written(paths), isMerge: false, kind: kind, day: day))
            } catch {
                self[kind].abandonSealing()
                throw error
            }
            startMerges(kind, paths, with: sealer)
        }
        return replaced
    }

    /// Returns the valid runs of a day that cover the table without gaps from row 1.
    ///
    /// Removes the others: damaged runs, runs covered by a larger one, and runs behind a gap. The table is read from where the returned
    /// ones end.
    ///
    ///     1-6, 7-9, 1-9, 12-15 → 1-9     the first two are covered, the last is behind a gap
    private static func runs(_ paths: StorePaths, _ day: Day, _ kind: DedupeKind) throws -> [KeyRun] {
        var kept: [KeyRun] = []
        for path in try paths.runs(of: day, kind) {
            if let run = try whole(path) { kept.append(run) } else { try Folder.remove(path) }
        }
        let covered = kept.filter { run in
            kept.contains { $0.path != run.path && $0.rows.contains(run.rows.lowerBound) && $0.rows.contains(run.rows.upperBound) }
        }
        let sorted = kept.filter { run in !covered.contains { $0.path == run.path } }.sorted { $0.rows.lowerBound < $1.rows.lowerBound }
        let whole = zip(sorted, [0] + sorted.map(\.rows.upperBound)).prefix { $0.rows.lowerBound == $1 + 1 }.map(\.0)
        for run in covered + sorted[whole.count...] { try Folder.remove(run.path) }
        return whole
    }

    /// Opens a run; returns nil if it is damaged or unreadable, because all of its keys are in the table.
    ///
    /// Throws if memory or descriptors are short.
    private static func whole(_ path: String) throws(FileError) -> KeyRun? {
        do {
            return try KeyRun(path)
        } catch {
            if error.isShortage { throw error }
            return nil
        }
    }
}
