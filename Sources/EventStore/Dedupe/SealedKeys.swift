// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The runs of one moment: what can be asked about without the writer.
struct SealedKeys: Sendable {
    /// Another one whenever a run comes or goes.
    var generation = 0
    var runs: [KeyRun] = []
    /// Whether an id that is new costs a read of a file: where all filters are in memory there is little to be spared.
    var readsFiles: Bool { runs.contains { $0.filterBytes == 0 } }
}

/// Lets others than the writer ask the runs, so that the writer reads no file for ids that are new, as nearly all are.
///
/// What no run of a generation had can by now be among the newest keys, which the writer looks at anyway, or in a run of a later one:
/// then the answer is worth nothing, and the writer asks again.
final class SealedBoard: Sendable {
    private let latest = Mutex(SealedKeys())

    /// Told by the writer, after every change of its runs.
    func post(_ keys: SeenKeys) {
        latest.withLock { latest in
            if latest.generation != keys.generation { latest = keys.sealed }
        }
    }

    var readsFiles: Bool { latest.withLock { $0.readsFiles } }

    /// Looks ids up in the runs of now; nil where a run cannot be read, which the writer then meets itself.
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

/// The ids of a submission that the runs of a generation hold.
struct Prefetched: Sendable {
    let generation: Int
    var known: Set<UInt64> = []
}
