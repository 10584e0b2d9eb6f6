// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A snapshot of the runs, which other threads can search without the writer.
struct SealedKeys: Sendable {
    /// The version of the set of runs; it changes whenever a run is added or removed.
    var generation = 0
    var runs: [KeyRun] = []
    /// Whether the lookup of a new ID reads a file.
    ///
    /// If all filters are in memory, prefetching gains little.
    var readsFiles: Bool { runs.contains { $0.filterBytes == 0 } }
}

/// The writer's latest snapshot of the runs, for prefetching on another thread.
///
/// The result of a prefetch is valid for its generation only. Example: a prefetch at generation 7 finds that no run has ID x.
///
///     the writer is at generation 7    x is new unless it is in memory, where the writer looks anyway; no file is read
///     the writer is at generation 8    x may be in a new run; the writer looks into the runs itself
final class SealedBoard: Sendable {
    private let latest = Mutex(SealedKeys())

    /// Publishes the runs; the writer calls it after each change of them.
    func post(_ keys: DedupeIndex) {
        latest.withLock { latest in
            if latest.generation != keys.generation { latest = keys.sealed }
        }
    }

    var readsFiles: Bool { latest.withLock { $0.readsFiles } }

    /// Looks IDs up in the latest runs.
    ///
    /// Returns nil if a run cannot be read; the writer then meets the error itself.
    func prefetch(_ keys: some Sequence<UInt64>) -> Prefetched? {
        let sealed = latest.withLock { $0 }
        var found = Prefetched(generation: sealed.generation)
        do {
            for key in keys {
                for run in sealed.runs where try run.contains(key) { found.known.insert(key) }
            }
        } catch {
            return nil
        }
        return found
    }
}

/// The IDs of a submission that the runs of a generation contain.
struct Prefetched: Sendable {
    let generation: Int
    var known: Set<UInt64> = []
}
