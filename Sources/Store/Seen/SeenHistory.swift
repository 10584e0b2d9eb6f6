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
        set {
            switch kind {
            case .ids: ids = newValue
            case .transactions: transactions = newValue
            }
        }
    }

    /// Reads what is known: runs of closed days, made now where they are missing, and of today also the keys not yet in a run.
    init(_ paths: StorePaths, today: DayFile, idsSince: Day, filterMemory: Int = SeenKeys.filterMemory) throws {
        for kind in SeenKind.allCases { self[kind].filterMemory = filterMemory }
        for path in try paths.runDrafts() { try Folder.remove(path) }
        for day in try paths.days() where day != today.day {
            for kind in SeenKind.allCases where kind == .transactions || day >= idsSince {
                for run in try SeenHistory.runs(paths, day, kind) { self[kind].add(run, of: day) }
                try sealRest(of: day, kind, paths)
            }
        }
        for kind in SeenKind.allCases {
            for run in try SeenHistory.runs(paths, today.day, kind) { self[kind].add(run, of: today.day) }
            let (keys, last) = try SeenHistory.keys(of: today.day, kind, after: self[kind].covered(today.day), paths)
            self[kind].load(keys)
            lastLogged = max(lastLogged, last)
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
        let received = try? Connection(paths.file(of: before), .read).lastDayOfReceipt(in: before, until: today)
        return received.map { $0 >= since } == true ? before : since
    }

    /// The keys in a day's table after a row, and the last row there was.
    ///
    /// Read over a connection of its own, whose page cache goes with it.
    private static func keys(of day: Day, _ kind: SeenKind, after row: Int64, _ paths: StorePaths) throws -> (keys: [UInt64], last: Int64) {
        var keys: [UInt64] = []
        var last = row
        try Connection(paths.file(of: day), .read).statement("SELECT number, keys FROM seen WHERE number > ? AND kind = ? ORDER BY number")
            .each([.integer(row), .integer(kind.rawValue)]) { row in
                last = row.integer(0)
                keys.append(contentsOf: row.words(1))
            }
        return (keys, last)
    }

    /// Hands what has grown enough to the sealer.
    mutating func seal(atLeast limit: Int, of day: Day, _ paths: StorePaths, with sealer: Sealer) {
        for kind in SeenKind.allCases {
            let after = self[kind].covered(day)
            guard lastLogged > after, let (keys, small) = self[kind].startSealing(atLeast: limit, of: day) else { continue }
            sealer.write(.init(keys: keys, rows: after + 1...lastLogged, merging: small, kind: kind, day: day), paths)
        }
    }

    /// Takes over what the sealer has finished, and lets it go on with runs that shall become one; the runs that went into what was
    /// finished are answered, for nobody needs them any more.
    mutating func settle(_ paths: StorePaths, with sealer: Sealer) -> [KeyRun] {
        var replaced: [KeyRun] = []
        for done in sealer.collect() {
            replaced += take(done)
            if done.run != nil { merge(done.kind, of: done.day, paths, with: sealer) }
        }
        return replaced
    }

    private mutating func take(_ done: Sealer.Finished) -> [KeyRun] {
        if done.isMerge { return self[done.kind].finishMerging(done.run, of: done.day) }
        if let run = done.run { return self[done.kind].finishSealing(run, of: done.day) }
        self[done.kind].abandonSealing()
        return []
    }

    private mutating func merge(_ kind: SeenKind, of day: Day, _ paths: StorePaths, with sealer: Sealer) {
        guard let runs = self[kind].startMerging(of: day), let newest = runs.first else { return }
        sealer.write(.init(keys: nil, rows: newest.rows, merging: runs, kind: kind, day: day), paths)
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

    private mutating func sealRest(of day: Day, _ kind: SeenKind, _ paths: StorePaths) throws {
        let covered = self[kind].covered(day)
        let (keys, last) = try SeenHistory.keys(of: day, kind, after: covered, paths)
        if keys.isEmpty { return }
        let path = paths.run(of: day, kind, rows: covered + 1...last)
        try KeyRun.write(keys.sorted(), rows: covered + 1...last, to: path)
        if let run = try KeyRun(path) { self[kind].add(run, of: day) }
    }

    /// The whole runs of a day that follow on each other; what is not one, is covered by a larger one or stands behind a gap is removed:
    /// the table is read from where they end.
    private static func runs(_ paths: StorePaths, _ day: Day, _ kind: SeenKind) throws -> [KeyRun] {
        var kept: [KeyRun] = []
        for path in try paths.runs(of: day, kind) {
            if let run = try KeyRun(path) { kept.append(run) } else { try Folder.remove(path) }
        }
        let covered = kept.filter { run in
            kept.contains { $0.path != run.path && $0.rows.contains(run.rows.lowerBound) && $0.rows.contains(run.rows.upperBound) }
        }
        let sorted = kept.filter { run in !covered.contains { $0.path == run.path } }.sorted { $0.rows.lowerBound < $1.rows.lowerBound }
        let whole = zip(sorted, [0] + sorted.map(\.rows.upperBound)).prefix { $0.rows.lowerBound == $1 + 1 }.map(\.0)
        for run in covered + sorted[whole.count...] { try Folder.remove(run.path) }
        return whole
    }
}
