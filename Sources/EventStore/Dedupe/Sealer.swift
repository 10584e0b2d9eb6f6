// SPDX-License-Identifier: Apache-2.0

import Database
import Dispatch
import Platform
import Synchronization

/// Writes runs beside the writer's thread, so that no commit waits for a sort.
final class Sealer: Sendable {
    struct Finished: Sendable {
        /// Nil where the run could not be written.
        var run: KeyRun?
        var isMerge: Bool
        var kind: SeenKind
        var day: Day
    }

    struct Order: Sendable {
        /// Nil where only older runs become one.
        var keys: KeySet?
        var rows: ClosedRange<Int64>
        var merging: [KeyRun]
        var kind: SeenKind
        var day: Day

        var isMerge: Bool { keys == nil }

        /// Nil where there is too little room.
        func written(_ paths: StorePaths) throws(FileError) -> KeyRun? {
            guard hasRoom(paths) else { return nil }
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

        /// Merging spares reads, and what is taken in needs the disk more: it leaves as much room as it takes.
        private func hasRoom(_ paths: StorePaths) -> Bool {
            guard isMerge, let free = try? Folder.freeBytes(at: paths.events) else { return true }
            return free / 2 >= KeyRun.bytes(of: merging.reduce(0) { $0 + $1.count })
        }
    }

    private let troubles: TroubleLog
    private let queue = DispatchQueue(label: "signalbox.sealer", qos: .utility)
    /// Apart, since what waits to be sealed is in memory, and a run of a hundred million keys takes half a minute.
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
            troubles.note("ids could not be gathered in a file, which is tried again when there are more", error)
            return nil
        }
    }

    /// Removes runs whose keys are in another one. The system lets go of a large file only when its last holder does, which takes a tenth
    /// of a second and more: so whoever else holds them lets go before this is called.
    func remove(_ runs: [KeyRun]) {
        if runs.isEmpty { return }
        queue.async {
            // One that stays is found to be covered at the next start.
            for run in runs { try? Folder.remove(run.path) }
        }
    }

    /// What was finished since the last call.
    func collect() -> [Finished] {
        finished.withLock { list in
            defer { list = [] }
            return list
        }
    }

    /// Waits for keys that are becoming a run and for runs that are being removed.
    func wait() {
        queue.sync {}
    }
}
