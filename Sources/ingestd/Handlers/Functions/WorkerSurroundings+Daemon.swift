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
        let logs = WorkerLogs(store.functions, log, clock)
        return WorkerSurroundings(
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
    }
}

/// Stores the lines of workers. While a commit is under way a bounded number waits; further ones are dropped.
final class WorkerLogs: Sendable {
    private struct State {
        var waiting: [(function: Int64, line: WorkerLogLine)] = []
        var dropped = 0
        var isWriting = false
    }

    private static let maximumWaiting = 5_000

    private let store: FunctionStore
    private let troubles: TroubleLog
    private let state = Mutex(State())

    init(_ store: FunctionStore, _ log: Log, _ clock: WallClock) {
        (self.store, troubles) = (store, TroubleLog(log, clock: clock))
    }

    func add(_ function: Int64, _ lines: [WorkerLogLine]) {
        let begins = state.withLock { state in
            let room = max(0, WorkerLogs.maximumWaiting - state.waiting.count)
            state.waiting += lines.prefix(room).map { (function, $0) }
            state.dropped += max(0, lines.count - room)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { Task { await write() } }
    }

    private func write() async {
        while let (batch, dropped) = take() {
            for (function, lines) in Dictionary(grouping: batch, by: \.function) {
                guard let function = store.catalog.functionWithWorker(function) else { continue }
                var lines = lines.map { LogLine(level: $0.line.level, $0.line.text, user: $0.line.user, run: $0.line.run) }
                if dropped > 0 { lines.append(LogLine(level: .warning, "\(dropped) lines were dropped, because too many came at once.")) }
                do { try await store.log(lines, of: function) } catch { troubles.note("could not store the log of a worker", error) }
            }
        }
    }

    private func take() -> (batch: [(function: Int64, line: WorkerLogLine)], dropped: Int)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { (state.waiting, state.dropped) = ([], 0) }
            return (state.waiting, state.dropped)
        }
    }
}
