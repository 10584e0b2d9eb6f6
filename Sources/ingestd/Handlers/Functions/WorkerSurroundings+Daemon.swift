// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import Database
import EventStore
import FunctionStore
import Functions
import HTTPServer
import Platform
import Synchronization
import Workers

extension WorkerSurroundings {
    /// The parts of a daemon that its workers use.
    static func ofDaemon(_ store: Stores, _ configuration: LiveConfiguration, _ memory: RequestMemory, _ clock: WallClock, _ log: Log) -> Self {
        let logs = WorkerLogs(store.functions, log, clock, release: memory.release)
        var surroundings = WorkerSurroundings(
            options: { configuration.now.workers },
            function: { id in
                guard let function = store.functions.catalog.functionWithWorker(id), case .worker(let program) = function.definition.target else {
                    return nil
                }
                let app = store.events.directory.now.apps[function.app]?.name ?? "\(function.app.rawValue)"
                return WorkerFunction(
                    id: id, appID: function.app, app: app, name: function.name, program: program, concurrency: function.definition.concurrency)
            },
            log: logs.add, takeMemory: memory.reserve, giveMemoryBack: memory.release, launcher: OwnProcess.daemon,
            dataFolder: store.paths.root, clock: clock)
        surroundings.reportGroupFailure = { log.warning("workers have no limits by control groups", ["reason": .text($0)]) }
        return surroundings
    }
}

/// Stores the lines of workers. While a commit is under way a bounded number waits; further ones are dropped.
final class WorkerLogs: Sendable {
    private struct State {
        var waiting: [Int64: WorkerLogLines] = [:]
        var count = 0
        var isWriting = false
    }

    private static let maximumWaiting = 5_000

    private let store: FunctionStore
    private let troubles: TroubleLog
    private let release: @Sendable (Int) -> Void
    private let state = Mutex(State())

    /// Gives the memory of lines back through `release`.
    init(_ store: FunctionStore, _ log: Log, _ clock: WallClock, release: @escaping @Sendable (Int) -> Void) {
        (self.store, self.release, troubles) = (store, release, TroubleLog(log, clock: clock))
    }

    func add(_ function: Int64, _ new: WorkerLogLines) {
        let (begins, room) = state.withLock { state in
            let room = max(0, WorkerLogs.maximumWaiting - state.count)
            let taken = new.lines.prefix(room)
            state.count += taken.count
            state.waiting[function, default: WorkerLogLines()].lines += taken
            state.waiting[function, default: WorkerLogLines()].dropped += new.dropped + new.lines.count - taken.count
            defer { state.isWriting = true }
            return (!state.isWriting, room)
        }
        free(new.lines.dropFirst(room))
        if begins { Task { await write() } }
    }

    private func free(_ lines: some Sequence<WorkerLogLine>) { release(lines.reduce(0) { $0 + $1.bytesCharged }) }

    private func write() async {
        while let batch = take() {
            for (function, new) in batch {
                if let function = store.catalog.functionWithWorker(function) { await write(new, of: function) }
                free(new.lines)
            }
        }
    }

    private func write(_ new: WorkerLogLines, of function: StoredFunction) async {
        var lines = new.lines.map { LogLine(level: $0.level, $0.text, user: $0.user, run: $0.run) }
        if new.dropped > 0 { lines.append(LogLine(level: .warning, "\(new.dropped) lines were dropped, because too many came at once.")) }
        do { try await store.log(lines, of: function) } catch { troubles.note("could not store the log of a worker", error) }
    }

    private func take() -> [Int64: WorkerLogLines]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { (state.waiting, state.count) = ([:], 0) }
            return state.waiting
        }
    }
}
