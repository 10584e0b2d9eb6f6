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
    }

    private let queue = DispatchQueue(label: "signalbox.sealer", qos: .utility)
    /// Apart, since what waits to be sealed is in memory, and a run of a hundred million keys takes half a minute.
    private let merges = DispatchQueue(label: "signalbox.merger", qos: .utility)
    private let finished = Mutex<[Finished]>([])

    func write(_ order: Order, _ paths: StorePaths) {
        (order.keys == nil ? merges : queue).async {
            let first = order.merging.map(\.rows.lowerBound).min() ?? order.rows.lowerBound
            let path = paths.run(of: order.day, order.kind, rows: first...order.rows.upperBound)
            let written: ()? = try? KeyRun.write(order.keys?.sorted() ?? [], rows: order.rows, merging: order.merging, to: path)
            let run = written == nil ? nil : try? KeyRun(path)
            self.finished.withLock { $0.append(Finished(run: run, isMerge: order.keys == nil, kind: order.kind, day: order.day)) }
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

    /// Waits for keys that are becoming a run, at the end of a day.
    func wait() {
        queue.sync {}
    }
}
