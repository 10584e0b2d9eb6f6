// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import Crypto
import Database
import Dispatch
import Ingest
import JSON
import Platform
import Symbols
import Synchronization

/// Reads minidumps in a child process: at intake without symbols, and in the background with unwind records of Breakpad files.
///
///     intake      dump → uploads/minidumps/1/7f3a → child → report, stored with the dump
///     background  dump of the stored report, files of its images → child → the same report with better stacks
///
/// A request waits a few seconds, for the dumps before it too. Then it is answered, and the background reads its dump. Requests are rejected
/// if many are waiting. A dump that makes the child of the background crash, hang or grow is kept with a report that says so.
final class Minidumps: Sendable {
    private static let waitingAtMost = 16
    private static let patience = DispatchTimeInterval.seconds(5)

    private let program: MinidumpProgram?
    private let paths: StorePaths
    private let reports: StoredCrashes
    private let health: SymbolHealth
    private let work: SymbolHealth.Work
    private let outcomes: MetricFamily<Counter>
    /// Waits for the program off the shared threads.
    private let queue = DispatchQueue(label: "signalbox.minidumps", qos: .utility)
    private let waiting = Mutex((count: 0, isUsed: false))

    init(
        _ patience: MinidumpProgram.Patience, _ paths: StorePaths, reports: StoredCrashes, health: SymbolHealth, outcomes: MetricFamily<Counter>
    ) {
        program = MinidumpProgram.ofDaemon(patience, folder: paths.root)
        (self.paths, self.reports, self.health) = (paths, reports, health)
        work = patience == .request ? .intake : .background
        self.outcomes = outcomes
    }

    /// Reads a dump at intake. Throws only if too many are waiting or the disk is full.
    func read(_ dump: [UInt8], of app: AppID) async throws -> MinidumpReading {
        guard enter() else {
            throw Refusal(.overloaded, "Too many minidumps are waiting to be read.", hint: "Send it again later.", retryAfterSeconds: 10)
        }
        let reading = await withCheckedContinuation { waiter in
            let turn = MinidumpTurn(dump, waiter)
            queue.async { [self] in
                if let dump = turn.begin() { turn.end(readPatiently(dump, app)) }
                waiting.withLock { $0.count -= 1 }
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + Minidumps.patience) { turn.end(.pending) }
        }
        switch reading {
        case .report: outcomes("read").add(1)
        case .invalid: outcomes("invalid").add(1)
        case .pending: outcomes("pending").add(1)
        }
        return reading
    }

    /// Reads a dump with Breakpad files, named as in the data folder.
    func read(_ dump: [UInt8], of app: AppID, files: [DebugID: String]) async throws(ProgramError) -> MinidumpReading {
        do {
            return try await queue.run { try self.readNow(dump, of: app, files) ?? .invalid("reading it exceeded the limits of time or memory") }
        } catch {
            throw error as? ProgramError ?? .withoutInput("\(error)")
        }
    }

    /// Reads a dump without symbols. The background has more time for it if this one fails.
    private func readPatiently(_ dump: [UInt8], _ app: AppID) -> MinidumpReading {
        do {
            return try readNow(dump, of: app, [:]) ?? .pending
        } catch {
            health.failed(work, "\(error)")
            return .pending
        }
    }

    /// Returns nil if the child did not survive the dump. The child may read the app's dumps and symbol files.
    private func readNow(_ dump: [UInt8], of app: AppID, _ files: [DebugID: String]) throws -> MinidumpReading? {
        guard let program else { throw ProgramError.notStarted("ingestd", 0) }
        let folder = paths.minidumps(of: app.rawValue)
        let path = folder + "/" + Hex.encode(randomBytes(16))
        try Folder.makeAll(folder)
        defer { try? Folder.remove(path) }
        try File(path, .new).write(dump)
        let name = String(path.dropFirst(paths.root.count + 1))
        let symbols = files.isEmpty ? [] : ["\(paths.symbols)/\(app.rawValue)"]
        switch try program.read(name, files: files, reading: [folder] + symbols) {
        case .report(let json): return reports.report(json).map { .report($0) } ?? .invalid("its report is not valid")
        case .invalid(let reason): return .invalid(reason)
        case .lost: return nil
        }
    }

    /// Ends the program if no dump was read since the last call.
    func restIfIdle() {
        let isIdle = waiting.withLock { waiting in
            defer { waiting.isUsed = false }
            return !waiting.isUsed && waiting.count == 0
        }
        if isIdle { program?.rest() }
    }

    func rest() { program?.rest() }
    func stop() { program?.stop() }

    /// The child's process ID, for tests that kill it.
    var process: Int32? { program?.process }

    private func enter() -> Bool {
        waiting.withLock { waiting in
            guard waiting.count < Minidumps.waitingAtMost else { return false }
            waiting.count += 1
            waiting.isUsed = true
            return true
        }
    }
}

/// A request's place in the queue of dumps. It is answered once, by the reader or by the end of its patience.
private final class MinidumpTurn: Sendable {
    private struct State {
        /// Nil once it is read or given up, so that a request that was answered holds no memory.
        var dump: [UInt8]?
        var waiter: CheckedContinuation<MinidumpReading, Never>?
    }

    private let state: Mutex<State>

    init(_ dump: [UInt8], _ waiter: CheckedContinuation<MinidumpReading, Never>) {
        state = Mutex(State(dump: dump, waiter: waiter))
    }

    /// Returns the dump to read. Nil if the request has been answered.
    func begin() -> [UInt8]? {
        state.withLock { $0.dump.take() }
    }

    func end(_ reading: MinidumpReading) {
        let waiter = state.withLock { state in
            state.dump = nil
            return state.waiter.take()
        }
        waiter?.resume(returning: reading)
    }
}

/// The readers of requests and of background work, each with a child of its own.
struct MinidumpReaders: Sendable {
    let intake: Minidumps
    let background: Minidumps

    init(_ paths: StorePaths, _ parser: JSONParser, _ health: SymbolHealth, _ metrics: Metrics) {
        let reports = StoredCrashes(parser: parser)
        let outcomes = metrics.counters(
            "signalbox_minidumps_total", "Minidumps read, by outcome: read, invalid (unreadable) or pending (left to the background).",
            labels: ["outcome"])
        for outcome in ["read", "invalid", "pending"] { _ = outcomes(outcome) }
        intake = Minidumps(.request, paths, reports: reports, health: health, outcomes: outcomes)
        background = Minidumps(.background, paths, reports: reports, health: health, outcomes: outcomes)
    }
}

extension MinidumpProgram {
    /// Returns the reader of the ingestd executable: of this process, or in tests the one beside it.
    static func ofDaemon(_ patience: Patience, folder: String) -> MinidumpProgram? {
        ReaderCommand.ofDaemon(MinidumpCommand.name).map { MinidumpProgram($0, folder: folder, patience) }
    }
}
