import Dispatch
import Platform
import SQLite
import Synchronization

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
    init(_ paths: StorePaths, today: DayFile, idsSince: Day) throws {
        for day in try paths.days() where day != today.day {
            for kind in SeenKind.allCases where kind == .transactions || day >= idsSince {
                for run in try SeenHistory.runs(paths, day, kind) { self[kind].add(run, of: day) }
                try sealRest(of: day, kind, paths)
            }
        }
        for kind in SeenKind.allCases {
            for run in try SeenHistory.runs(paths, today.day, kind) { self[kind].add(run, of: today.day) }
            let (keys, through) = try today.seen(kind, after: self[kind].covered(today.day))
            self[kind].load(keys)
            lastLogged = max(lastLogged, through)
        }
    }

    /// Takes over what the sealer has finished.
    mutating func settle(_ finished: [Sealer.Finished]) {
        for done in finished {
            if let run = done.run { self[done.kind].finishSealing(run, of: done.day) } else { self[done.kind].abandonSealing() }
        }
    }

    /// Seals what is still only in memory, because its day is over.
    mutating func close(_ day: Day, _ paths: StorePaths) throws {
        for kind in SeenKind.allCases {
            guard let frozen = self[kind].startSealing(atLeast: 1) else { continue }
            let path = paths.run(of: day, kind, through: lastLogged)
            try KeyRun.write(frozen.sorted(), through: lastLogged, to: path)
            if let run = try KeyRun(path) { self[kind].finishSealing(run, of: day) }
        }
        lastLogged = 0
    }

    private mutating func sealRest(of day: Day, _ kind: SeenKind, _ paths: StorePaths) throws {
        let connection = try Connection(paths.file(of: day), .read)
        let covered = self[kind].covered(day)
        var keys: [UInt64] = []
        var through = covered
        try connection.statement("SELECT number, keys FROM seen WHERE number > ? AND kind = ? ORDER BY number")
            .each([.integer(covered), .integer(kind.rawValue)]) { row in
                through = row.integer(0)
                keys.append(contentsOf: row.words(1))
            }
        if keys.isEmpty { return }
        let path = paths.run(of: day, kind, through: through)
        try KeyRun.write(keys.sorted(), through: through, to: path)
        if let run = try KeyRun(path) { self[kind].add(run, of: day) }
    }

    /// The whole runs of a day; a file that is not one is removed and made anew.
    private static func runs(_ paths: StorePaths, _ day: Day, _ kind: SeenKind) throws -> [KeyRun] {
        try paths.runs(of: day, kind).compactMap { path in
            if let run = try KeyRun(path) { return run }
            try Folder.remove(path)
            return nil
        }
    }
}

/// Writes runs beside the writer's thread, so that no commit waits for a sort.
final class Sealer: Sendable {
    struct Finished: Sendable {
        /// Nil where the run could not be written.
        var run: KeyRun?
        var kind: SeenKind
        var day: Day
    }

    private let queue = DispatchQueue(label: "signalbox.sealer")
    private let finished = Mutex<[Finished]>([])

    func seal(_ keys: KeySet, _ kind: SeenKind, of day: Day, through: Int64, to path: String) {
        queue.async {
            let written: ()? = try? KeyRun.write(keys.sorted(), through: through, to: path)
            let run = written == nil ? nil : try? KeyRun(path)
            self.finished.withLock { $0.append(Finished(run: run, kind: kind, day: day)) }
        }
    }

    /// What was finished since the last call.
    func collect() -> [Finished] {
        finished.withLock { list in
            defer { list = [] }
            return list
        }
    }

    /// Waits for a run that is being written, at the end of a day.
    func wait() {
        queue.sync {}
    }
}
