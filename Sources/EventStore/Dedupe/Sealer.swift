// SPDX-License-Identifier: Apache-2.0

import Database
import Dispatch
import Platform
import Synchronization

/// Writes runs on background queues, so no commit waits for a sort or a merge.
///
/// The writer hands over an `Order` and later collects a `Finished`. It waits for them only when a day or the process ends.
final class Sealer: Sendable {
    struct Finished: Sendable {
        /// Nil if the run could not be written.
        var run: KeyRun?
        var isMerge: Bool
        var kind: DedupeKind
        var day: Day
    }

    struct Order: Sendable {
        /// The keys to seal; nil for a merge of older runs.
        var keys: KeySet?
        var rows: ClosedRange<Int64>
        var merging: [KeyRun]
        var kind: DedupeKind
        var day: Day

        var isMerge: Bool { keys == nil }

        /// Writes and opens the run.
        ///
        /// Returns nil if the disk has too little free space for a merge.
        func written(_ paths: StorePaths) throws(FileError) -> KeyRun? {
            guard hasCapacity(paths) else { return nil }
            let first = merging.map(\.rows.lowerBound).min() ?? rows.lowerBound
            let path = paths.run(of: day, kind, rows: first...rows.upperBound)
            try KeyRun.write(keys?.sorted() ?? [], rows: rows, merging: merging, to: path)
            do {
                return try KeyRun(path)
            } catch {
                try? Folder.remove(path)
                throw error
            }
        }

        /// Returns whether the disk has room.
        ///
        /// A merge only spares reads, so it must leave as much space free as it takes, for new events.
        private func hasCapacity(_ paths: StorePaths) -> Bool {
            guard isMerge, let free = try? Folder.freeBytes(at: paths.events) else { return true }
            return free / 2 >= KeyRun.bytes(of: merging.reduce(0) { $0 + $1.count })
        }
    }

    private let troubles: TroubleLog
    private let queue = DispatchQueue(label: "signalbox.sealer", qos: .utility)
    /// The queue of merges.
    ///
    /// It is separate because keys stay in memory until they are sealed, and a merge of a hundred million keys takes half a minute.
    private let merges = DispatchQueue(label: "signalbox.merger", qos: .utility)
    private let finished = Mutex<[Finished]>([])

    init(_ troubles: TroubleLog) {
        self.troubles = troubles
    }

    func write(_ order: Order, _ paths: StorePaths) {
        (order.isMerge ? merges : queue).async {
            let done = Finished(run: self.attempt(order, paths), isMerge: order.isMerge, kind: order.kind, day: order.day)
            self.finished.withLock { $0.append(done) }
        }
    }

    private func attempt(_ order: Order, _ paths: StorePaths) -> KeyRun? {
        do {
            return try order.written(paths)
        } catch {
            troubles.note("could not write a run of the dedupe index; retrying with the next run", error)
            return nil
        }
    }

    /// Removes the files of replaced runs, on the queue of sealings.
    ///
    /// The last close of a large file takes a tenth of a second or more. Other holders must drop the runs before this call, so that the
    /// close happens on the background queue.
    func remove(_ runs: [KeyRun]) {
        if runs.isEmpty { return }
        queue.async {
            // A run that stays is removed at the next start, as covered by another.
            for run in runs { try? Folder.remove(run.path) }
        }
    }

    /// Returns the runs finished since the last call.
    func collect() -> [Finished] {
        finished.withLock { list in
            defer { list = [] }
            return list
        }
    }

    /// Waits for pending sealings and removals.
    func wait() {
        queue.sync {}
    }
}
