// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite

/// Both kinds of seen keys over all days that matter, and how they get from tables to runs.
struct SeenHistory: Sendable {
    var ids = SeenKeys()
    var transactions = SeenKeys()
    /// The last row written to today's `seen` table.
    var lastLogged: Int64 = 0

    subscript(kind: SeenKind) -> SeenKeys {
        get { kind == .ids ? ids : transactions }
        // In place: what is got, changed and set has all its keys copied.
        _modify {
            switch kind {
            case .ids: yield &ids
            case .transactions: yield &transactions
            }
        }
    }

    /// Reads what is known: runs of closed days, made now where they are missing, and of today also the keys not yet in a run.
    init(_ paths: StorePaths, today: Day, idsSince: Day, _ options: EventStoreOptions) throws {
        for kind in SeenKind.allCases { self[kind].filterMemory = options.filterMemory }
        // A start is quicker when few of today's keys wait to be sealed until it is over.
        let many = options.recentKeys * 4
        for day in try paths.days() where day != today {
            for kind in SeenKind.allCases where kind == .transactions || day >= idsSince {
                let last = try resume(day, kind, atMost: many, paths)
                try sealNow(atLeast: 1, of: day, kind, through: last, paths)
            }
        }
        for kind in SeenKind.allCases { lastLogged = max(lastLogged, try resume(today, kind, atMost: many, paths)) }
    }

    /// Takes over a day's runs, and from its table the keys that are in none; no more of them than these are in memory at a time. Answers
    /// the last row there was.
    ///
    /// Read over a connection of its own, whose page cache goes with it.
    private mutating func resume(_ day: Day, _ kind: SeenKind, atMost limit: Int, _ paths: StorePaths) throws -> Int64 {
        for run in try SeenHistory.runs(paths, day, kind) { self[kind].add(run, of: day) }
        var last = self[kind].covered(day)
        try DayDB.open(reading: paths.file(of: day)).statement("SELECT number, keys FROM seen WHERE number > ? AND kind = ? ORDER BY number")
            .each([.integer(last), .integer(kind.rawValue)]) { row in
                last = row.integer(0)
                self[kind].load(row.words(1))
                try sealNow(atLeast: limit, of: day, kind, through: last, paths)
            }
        return last
    }

    /// What the sealer does later, as long as there is nothing else to do.
    private mutating func sealNow(atLeast limit: Int, of day: Day, _ kind: SeenKind, through last: Int64, _ paths: StorePaths) throws {
        var next = sealing(atLeast: limit, of: day, kind, through: last)
        while let order = next {
            let run = order.isMerge ? try? order.written(paths) : try order.written(paths)
            let done = Sealer.Finished(run: run, isMerge: order.isMerge, kind: kind, day: day)
            for run in take(done) { try Folder.remove(run.path) }
            next = merging(kind, of: day)
        }
    }

    /// The first day whose ids are told from new ones: also one from before the window into whose file events came later, since the clock was
    /// not believed at once. Days that a clock named which nobody had set are as old as the one on which it was set.
    static func firstDayOfIDs(knownOn today: Day, _ dedupeDays: Int, _ paths: StorePaths) throws(FileError) -> Day {
        let since = Day(number: today.number - Int32(clamping: dedupeDays))
        let days = try paths.days()
        guard let before = days.last(where: { $0 < since }) else { return since }
        if before.start < ClockTrust.earliest && today.start >= ClockTrust.earliest { return days[0] }
        // A file that old and damaged keeps no day from beginning.
        let received = try? DayDB.open(reading: paths.file(of: before)).lastDayOfReceipt(in: before, until: today)
        return received.map { $0 >= since } == true ? before : since
    }

    /// Hands what has grown enough to the sealer.
    mutating func seal(atLeast limit: Int, of day: Day, _ paths: StorePaths, with sealer: Sealer) {
        for kind in SeenKind.allCases {
            if let order = sealing(atLeast: limit, of: day, kind, through: lastLogged) { sealer.write(order, paths) }
        }
    }

    private mutating func sealing(atLeast limit: Int, of day: Day, _ kind: SeenKind, through last: Int64) -> Sealer.Order? {
        let after = self[kind].covered(day)
        guard last > after, let (keys, small) = self[kind].startSealing(atLeast: limit, of: day) else { return nil }
        return Sealer.Order(keys: keys, rows: after + 1...last, merging: small, kind: kind, day: day)
    }

    /// Takes over what the sealer has finished, and lets it go on with runs that shall become one; the runs that went into what was
    /// finished are answered, for nobody needs them any more.
    mutating func settle(_ paths: StorePaths, with sealer: Sealer) -> [KeyRun] {
        var replaced: [KeyRun] = []
        for done in sealer.collect() {
            replaced += take(done)
            guard done.run != nil else { continue }
            // Of a day that is over too: its last runs may have come when others were becoming one.
            for order in self[done.kind].days.compactMap({ merging(done.kind, of: $0) }) { sealer.write(order, paths) }
        }
        return replaced
    }

    private mutating func take(_ done: Sealer.Finished) -> [KeyRun] {
        if done.isMerge { return self[done.kind].finishMerging(done.run, of: done.day) }
        if let run = done.run { return self[done.kind].finishSealing(run, of: done.day) }
        self[done.kind].abandonSealing()
        return []
    }

    private mutating func merging(_ kind: SeenKind, of day: Day) -> Sealer.Order? {
        guard let runs = self[kind].startMerging(of: day), let newest = runs.first else { return nil }
        return Sealer.Order(keys: nil, rows: newest.rows, merging: runs, kind: kind, day: day)
    }

    /// Seals everything that is still only in memory, because its day is over, and waits until that is done; answers as `settle`.
    mutating func close(_ day: Day, _ paths: StorePaths, with sealer: Sealer) -> [KeyRun] {
        sealer.wait()
        let replaced = settle(paths, with: sealer)
        seal(atLeast: 1, of: day, paths, with: sealer)
        sealer.wait()
        lastLogged = 0
        return replaced + settle(paths, with: sealer)
    }

    /// The whole runs of a day that follow on each other; what is not one, is covered by a larger one or stands behind a gap is removed:
    /// the table is read from where they end.
    private static func runs(_ paths: StorePaths, _ day: Day, _ kind: SeenKind) throws -> [KeyRun] {
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

    /// Nil where a run cannot be read, as where it is not a whole one: all that is in it stands in the table.
    private static func whole(_ path: String) throws(FileError) -> KeyRun? {
        do {
            return try KeyRun(path)
        } catch {
            if error.isShortage { throw error }
            return nil
        }
    }
}
