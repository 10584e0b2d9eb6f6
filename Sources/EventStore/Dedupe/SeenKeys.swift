// SPDX-License-Identifier: Apache-2.0

import Platform

/// Which ids, or which transactions, were seen in the window: what "once" is decided by.
///
/// The newest keys are a set in memory, older ones are runs behind filters; all of them stand in the `seen` tables of the days' files.
struct SeenKeys: Sendable {
    private var recent = KeySet()
    /// What is being written into a run at this moment.
    private var sealing: KeySet?
    /// How many keys there must be before they are frozen again, where no run could be written: each time all of them are copied.
    private var leastAgain = 0
    /// Which runs are becoming one at this moment.
    private var merging: (day: Day, rows: ClosedRange<Int64>)?
    /// How many runs a day must have before they become one, where they could not: each time all of them may be read.
    private var runsAgain = 0
    private var runs: [Day: [KeyRun]] = [:] {
        didSet { generation += 1 }
    }
    /// Which runs these are: another one whenever one comes or goes.
    private(set) var generation = 0

    /// The runs, for those who ask ahead.
    var sealed: SealedKeys { SealedKeys(generation: generation, runs: Array(runs.values.joined())) }

    /// False where the key was seen before.
    mutating func insert(_ key: UInt64, _ asked: Prefetched? = nil) throws(FileError) -> Bool {
        if !recent.insert(key) { return false }
        do throws(FileError) {
            guard try isSealed(key, asked) else { return true }
        } catch {
            // Left in, it would make a duplicate of the retry.
            recent.remove(key)
            throw error
        }
        recent.remove(key)
        return false
    }

    func contains(_ key: UInt64) throws(FileError) -> Bool {
        if recent.contains(key) { return true }
        return try isSealed(key)
    }

    /// Forgets a key whose commit failed.
    mutating func remove(_ key: UInt64) {
        recent.remove(key)
    }

    /// Takes over keys that are already in a day's table.
    mutating func load(_ keys: [UInt64]) {
        for key in keys { _ = recent.insert(key) }
    }

    /// The days that have runs, newest first.
    var days: [Day] { runs.keys.sorted(by: >) }

    mutating func add(_ run: KeyRun, of day: Day) {
        runs[day, default: []].append(run)
        runs[day]?.sort { $0.rows.lowerBound < $1.rows.lowerBound }
        keepFilters(within: filterMemory)
    }

    /// Memory for filters; those that find no room are asked in their files.
    var filterMemory = SeenKeys.filterMemory
    static let filterMemory = 32 << 20

    var filterBytes: Int { runs.values.joined().reduce(0) { $0 + $1.filterBytes } }

    /// Lets as many filters stay in memory as there are bytes for: each spares every new key a read, however large it is.
    mutating func keepFilters(within bytes: Int) {
        var left = bytes
        let places = runs.flatMap { day, runs in runs.indices.map { (day: day, index: $0, bytes: runs[$0].filterBytes) } }
        for place in places.sorted(by: { $0.bytes < $1.bytes }) {
            left -= place.bytes
            if left < 0 { runs[place.day]?[place.index].dropFilter() }
        }
    }

    /// Freezes the recent keys for a run that somebody else writes; nil where there are too few or one is being written.
    ///
    /// Small runs of the day that are not much larger are named to be merged with them. New keys stay in memory until that is done, so it
    /// must be soon: what becomes large is left to `startMerging`. After a failure they go alone, since it may have been a run's.
    mutating func startSealing(atLeast limit: Int, of day: Day) -> (keys: KeySet, merging: [KeyRun])? {
        guard recent.count >= max(limit, leastAgain), sealing == nil else { return nil }
        var small: [KeyRun] = []
        var size = recent.count
        for run in (leastAgain > 0 ? [] : runs[day] ?? []).reversed() {
            guard run.count <= size * 3 / 2, !isLarge(size + run.count), !isMerging(run, of: day) else { break }
            small.append(run)
            size += run.count
        }
        let frozen = recent
        sealing = frozen
        recent = KeySet()
        return (frozen, small)
    }

    /// From now on the run answers for what was frozen, and for the runs that went into it; those are answered.
    mutating func finishSealing(_ run: KeyRun, of day: Day) -> [KeyRun] {
        sealing = nil
        leastAgain = 0
        return replace(by: run, of: day)
    }

    /// Takes frozen keys back where no run could be written; they are frozen again with the next ones.
    mutating func abandonSealing() {
        for key in sealing?.sorted() ?? [] { _ = recent.insert(key) }
        sealing = nil
        leastAgain = recent.count + recent.count / 8 + 1
    }

    /// Names runs of a day that somebody else makes one of, beside the sealing of newer keys; nil where there is nothing to be gained yet,
    /// or where other runs are becoming one.
    ///
    /// Runs that are not much larger than all newer ones go together, so that a day has few and no key is copied more than a few times.
    /// What is too large for its filter to stay in memory takes all of the day with it: each run without one costs every new id a
    /// read, and so a day has one of them, seldom two.
    mutating func startMerging(of day: Day) -> [KeyRun]? {
        guard merging == nil, sealing == nil, let runs = runs[day], runs.count >= runsAgain else { return nil }
        var chosen: [KeyRun] = []
        var size = 0
        for run in runs.reversed() {
            guard chosen.isEmpty || run.count <= size * 3 / 2 || !hasRoom(forFilterOf: size) else { break }
            chosen.append(run)
            size += run.count
        }
        guard chosen.count > 1, isLarge(size), let newest = chosen.first, let oldest = chosen.last else { return nil }
        merging = (day, oldest.rows.lowerBound...newest.rows.upperBound)
        return chosen
    }

    /// From now on the run answers for those that went into it; nil where none could be written. Of a day that was let go of meanwhile it
    /// is no more needed than they are.
    mutating func finishMerging(_ run: KeyRun?, of day: Day) -> [KeyRun] {
        merging = nil
        guard let run else {
            runsAgain = (runs[day]?.count ?? 0) * 3 / 2 + 1
            return []
        }
        runsAgain = 0
        return runs[day] == nil ? [run] : replace(by: run, of: day)
    }

    private mutating func replace(by run: KeyRun, of day: Day) -> [KeyRun] {
        let replaced = (runs[day] ?? []).filter { run.rows.contains($0.rows.lowerBound) }
        runs[day]?.removeAll { run.rows.contains($0.rows.lowerBound) }
        add(run, of: day)
        return replaced.filter { $0.path != run.path }
    }

    private func isMerging(_ run: KeyRun, of day: Day) -> Bool {
        merging.map { $0.day == day && $0.rows.contains(run.rows.lowerBound) } ?? false
    }

    private func hasRoom(forFilterOf count: Int) -> Bool {
        KeyFilter.size(for: count) * 8 <= filterMemory
    }

    /// A run of some millions of keys, which takes seconds to write.
    private func isLarge(_ count: Int) -> Bool {
        !hasRoom(forFilterOf: count * 4)
    }

    /// Lets go of one day.
    mutating func forget(_ day: Day) {
        runs[day] = nil
    }

    private func isSealed(_ key: UInt64, _ asked: Prefetched? = nil) throws(FileError) -> Bool {
        if let sealing, sealing.contains(key) { return true }
        if let asked, asked.generation == generation, !asked.known.contains(key) { return false }
        for runs in runs.values {
            for run in runs where try run.contains(key) { return true }
        }
        return false
    }

    /// Lets go of the days before one.
    mutating func forget(before day: Day) {
        runs = runs.filter { $0.key >= day }
    }

    /// The last row of a day's table that its runs cover.
    func covered(_ day: Day) -> Int64 {
        runs[day]?.map(\.rows.upperBound).max() ?? 0
    }
}
