// SPDX-License-Identifier: Apache-2.0

import Platform

/// The dedupe index of one kind of key, event IDs or transactions: it decides whether a key is new within the dedupe window.
///
/// The newest keys are a set in memory. When there are enough, the set is frozen and the `Sealer` writes it to a run, a sorted file with a
/// filter. A lookup searches the set, the frozen set and the runs, so a key is found at every moment of a sealing:
///
///     insert(a) → true       recent {a}
///     insert(a) → false      a duplicate
///     startSealing           recent {}, sealing {a}; the sealer writes a run
///     insert(a) → false      found in the frozen set
///     insert(b) → true       recent {b}
///     finishSealing(run)     recent {b}, runs [{a}]
///     insert(a) → false      the filter of the run passes a, and a page of the file has it
///     insert(c) → true       the filter rejects c, and no file is read
///
/// Runs are merged as in a log-structured merge tree: small ones while sealing (`startSealing`), large ones beside it (`startMerging`).
///
/// `DedupeHistory` rebuilds it at the start of the daemon.
///
/// Invariants: every key is also in the `seen` table of its day's file, so a run may be lost. The runs of a day cover rows of that table
/// without gaps or overlaps. At most one sealing and one merge are under way.
struct DedupeIndex: Sendable {
    private(set) var recent = KeySet()
    /// The frozen keys that are being written to a run.
    private(set) var sealing: KeySet?
    /// The least number of keys for the next sealing after one that failed.
    ///
    /// A sealing copies all keys, so the limit grows with each failure.
    private var leastAgain = 0
    /// The day and the rows of the runs that are being merged.
    private var merging: (day: Day, rows: ClosedRange<Int64>)?
    /// The least number of runs for the next merge after one that failed.
    ///
    /// A merge may read all of them.
    private var runsAgain = 0
    private(set) var runs: [Day: [KeyRun]] = [:] {
        didSet { generation += 1 }
    }
    /// The version of the set of runs, which changes whenever a run is added or removed.
    private(set) var generation = 0

    /// A snapshot of the runs for prefetching.
    var sealed: SealedKeys { SealedKeys(generation: generation, runs: Array(runs.values.joined())) }

    /// Inserts a key.
    ///
    /// Returns false for a duplicate.
    ///
    /// `prefetched` is the result of the lookup in the runs. It is ignored if the runs have changed since.
    /// - Parameter day: The only day that the key can be of; nil for any.
    mutating func insert(_ key: UInt64, _ prefetched: Prefetched? = nil, of day: Day? = nil) throws(FileError) -> Bool {
        if !recent.insert(key) { return false }
        do throws(FileError) {
            guard try isOlder(key, prefetched, of: day) else { return true }
        } catch {
            // A key that stayed would make the client's retry a duplicate.
            recent.remove(key)
            throw error
        }
        recent.remove(key)
        return false
    }

    /// Removes a key whose commit failed.
    mutating func remove(_ key: UInt64) {
        recent.remove(key)
    }

    /// Loads keys that are already in a day's table.
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

    /// The memory limit of the filters, in bytes.
    ///
    /// A run beyond it reads its filter from the file.
    var filterMemory = DedupeIndex.filterMemory
    static let filterMemory = 32 << 20

    var filterBytes: Int { runs.values.joined().reduce(0) { $0 + $1.filterBytes } }

    /// Keeps as many filters in memory as fit, the smallest first.
    ///
    /// Each one spares a read per new key, however large it is.
    mutating func keepFilters(within bytes: Int) {
        var left = bytes
        let places = runs.flatMap { day, runs in runs.indices.map { (day: day, index: $0, bytes: runs[$0].filterBytes) } }
        for place in places.sorted(by: { $0.bytes < $1.bytes }) {
            left -= place.bytes
            if left < 0 { runs[place.day]?[place.index].dropFilter() }
        }
    }

    /// Freezes the recent keys, so that the caller can write them to a run.
    ///
    /// Returns nil if they are too few or a sealing is under way.
    ///
    /// Small runs of the day are merged into the new one if each has at most 1.5 times the keys of all newer ones. New keys stay in memory
    /// until the run is written, so the sealing must be short: large merges are left to `startMerging`. After a failure the keys go alone,
    /// because the failure may have been that of an older run.
    /// - Parameter isLast: Whether the day ends, so that a failure before does not matter.
    mutating func startSealing(atLeast limit: Int, of day: Day, isLast: Bool = false) -> (keys: KeySet, merging: [KeyRun])? {
        guard recent.count >= (isLast ? limit : max(limit, leastAgain)), sealing == nil else { return nil }
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

    /// Replaces the frozen keys, and the runs merged with them, by the new run.
    ///
    /// Returns the runs it replaces.
    mutating func finishSealing(_ run: KeyRun, of day: Day) -> [KeyRun] {
        precondition(sealing != nil, "a run was finished without a sealing")
        sealing = nil
        leastAgain = 0
        return replace(by: run, of: day)
    }

    /// Returns the frozen keys to the recent ones after a failure.
    ///
    /// The next sealing includes them.
    mutating func abandonSealing() {
        for key in sealing?.sorted() ?? [] { _ = recent.insert(key) }
        sealing = nil
        leastAgain = recent.count + recent.count / 8 + 1
    }

    /// Selects runs of a day to merge beside the sealing of newer keys.
    ///
    /// Returns nil if a merge would gain nothing yet, or if a sealing or another merge is under way.
    ///
    /// The newest runs go together as long as the next has at most 1.5 times the keys of all newer ones, so a day has few runs and a key is
    /// copied only a few times. Runs whose common filter would not fit into memory take all runs of the day with them: each run without a
    /// filter in memory costs a read per new key, so a day should have one of them, seldom two.
    mutating func startMerging(of day: Day) -> [KeyRun]? {
        guard merging == nil, sealing == nil, let runs = runs[day], runs.count >= runsAgain else { return nil }
        var chosen: [KeyRun] = []
        var size = 0
        for run in runs.reversed() {
            guard chosen.isEmpty || run.count <= size * 3 / 2 || !hasCapacity(forFilterOf: size) else { break }
            chosen.append(run)
            size += run.count
        }
        guard chosen.count > 1, isLarge(size), let newest = chosen.first, let oldest = chosen.last else { return nil }
        merging = (day, oldest.rows.lowerBound...newest.rows.upperBound)
        return chosen
    }

    /// Replaces the merged runs by the new run; nil means that the merge failed.
    ///
    /// Returns the runs to remove: the replaced ones, or the new one if its day has left the window meanwhile.
    mutating func finishMerging(_ run: KeyRun?, of day: Day) -> [KeyRun] {
        precondition(merging?.day == day, "a merge ended that was not started")
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

    private func hasCapacity(forFilterOf count: Int) -> Bool {
        KeyFilter.size(for: count) * 8 <= filterMemory
    }

    /// Returns whether a run has some millions of keys and takes seconds to write.
    private func isLarge(_ count: Int) -> Bool {
        !hasCapacity(forFilterOf: count * 4)
    }

    /// Drops the runs of a day.
    mutating func forget(_ day: Day) {
        runs[day] = nil
    }

    /// Drops the runs of all days before one.
    mutating func forget(before day: Day) {
        runs = runs.filter { $0.key >= day }
    }

    /// The last row of a day's `seen` table that its runs cover.
    func covered(_ day: Day) -> Int64 {
        runs[day]?.map(\.rows.upperBound).max() ?? 0
    }
}
