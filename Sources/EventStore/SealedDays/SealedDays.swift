// SPDX-License-Identifier: Apache-2.0

import Database
import Dispatch
package import Platform
import SQLite
import Synchronization

/// The owner of the files of sealed days.
///
/// It alone writes to them, checkpoints them and removes them, on a thread of its own.
///
/// Long work on a past day, such as building an index or an erasure, therefore delays no commit. A file changes hands once, when its day
/// ends:
///
///     23:59  2026-11-25.db    `EventWriter` writes
///     00:00  the first group received on the 26th, or `EventStore.turn`:
///            `EventWriter` folds presence, opens 2026-11-26.db, checkpoints and closes 2026-11-25.db, and seals its keys
///            take(daysBefore: 26)    2026-11-25.db is sealed; `turns` signals
///     00:01  `EventStore.finishDays` builds the indexes (`DayIndex`)
///     later  `write(to:)` for erasures and replays, `remove` for data retention
///
/// Invariant: each file has one writing connection at any time. `write` and `remove` reject the open day and later ones.
package final class SealedDays: Sendable {
    private struct State {
        /// The day that the writer has open.
        ///
        /// All earlier days are sealed.
        var open: Day
        var waiting = 0
    }

    /// The limit of waiting and running operations.
    static let waitingLimit = 256
    private static let patience = Duration.seconds(5)
    /// Signals that days were sealed, and once at the start for those that an earlier process left.
    let turns: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation
    private let paths: StorePaths
    private let failStop: FailStop
    private let thread = DispatchQueue(label: "signalbox.sealed-days", qos: .utility)
    private let state: Mutex<State>
    private let stopped = Atomic<Bool>(false)

    init(_ paths: StorePaths, before open: Day, failStop: FailStop) {
        self.paths = paths
        self.failStop = failStop
        state = Mutex(State(open: open))
        (turns, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        wakeUp.yield()
    }

    /// The sealed days, oldest first.
    package func days() throws -> [Day] {
        let open = state.withLock { $0.open }
        return try paths.days().filter { $0 < open }
    }

    /// Takes over all days before one.
    ///
    /// The writer has closed their files.
    func take(daysBefore open: Day) {
        state.withLock { state in
            precondition(open >= state.open, "the open day never goes back")
            state.open = open
        }
        wakeUp.yield()
    }

    /// Signals `turns` again, for days that could not be finished.
    package func lookAgain() {
        wakeUp.yield()
    }

    /// Runs a transaction on a sealed day's file and returns its result when it is durable.
    ///
    /// Returns nil if the file no longer exists.
    @discardableResult
    package func write<T: Sendable>(to day: Day, _ body: @escaping @Sendable (DayDB) throws -> T) async throws -> T? {
        let isRemoval = SpareSpace.isForRemoval
        return try await perform(on: day) {
            guard Folder.exists(self.paths.file(of: day)) else { return nil }
            do { return try self.transaction(try self.open(day), body) } catch  where isRemoval && Refusal.isFullDisk(error) {
                SpareSpace(self.paths).release()
                return try self.transaction(try self.open(day), body)
            }
        }
    }

    /// Returns when a sealed day's log is empty. Throws `Refusal.logInUse` if a query reads it for long.
    func emptyLog(of day: Day) async throws {
        let end = ContinuousClock.now + SealedDays.patience
        while try await !truncateLog(of: day) {
            if ContinuousClock.now >= end { throw Refusal.logInUse }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func truncateLog(of day: Day) async throws -> Bool {
        try await perform(on: day) {
            guard Folder.size(of: self.paths.file(of: day) + "-wal") > 0 else { return true }
            return try self.open(day).connection.checkpoint(.truncate).log == 0
        }
    }

    /// Removes a day's file and the files derived from it.
    package func remove(_ day: Day) async throws {
        try await perform(on: day) {
            // The day's file goes last: a day without it is not listed, so no later call would remove the rest after a kill.
            for name in try Folder.names(in: self.paths.events).reversed() where name.hasPrefix(day.text) {
                try Folder.remove(self.paths.events + "/" + name)
            }
            try Folder.sync(self.paths.events)
        }
    }

    /// Interrupts the running operation, rejects waiting ones, and returns when none is left.
    func stop() async {
        stopped.store(true, ordering: .relaxed)
        wakeUp.finish()
        await withCheckedContinuation { continuation in
            thread.async { continuation.resume() }
        }
    }

    // MARK: On the thread

    private func perform<T: Sendable>(on day: Day, _ body: @escaping @Sendable () throws -> T) async throws -> T {
        try enter(day)
        return try await withCheckedThrowingContinuation { continuation in
            thread.async {
                let result = Result {
                    if self.stopped.load(ordering: .relaxed) { throw StoreError.stopped }
                    return try body()
                }
                if case .failure(let error) = result { self.failStop.endIfUnsynced(error) }
                self.state.withLock { $0.waiting -= 1 }
                continuation.resume(with: result)
            }
        }
    }

    private func enter(_ day: Day) throws(Refusal) {
        let refusal = state.withLock { state -> Refusal? in
            if day >= state.open { return Refusal(.internalError, "The day is not sealed yet.") }
            if state.waiting >= SealedDays.waitingLimit {
                return Refusal(
                    .overloaded, "Too many changes to sealed days are queued.", hint: "Send the request again later.", retryAfterSeconds: 1)
            }
            state.waiting += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    private func open(_ day: Day) throws -> DayDB {
        // Sorts use temporary files: building an index sorts all keys of a day, which would not fit into memory.
        let file = try DayDB.open(writing: paths.file(of: day), sortsInMemory: false)
        file.connection.interrupt { self.stopped.load(ordering: .relaxed) }
        return file
    }

    private func transaction<T>(_ file: DayDB, _ body: (DayDB) throws -> T) throws -> T {
        try file.connection.begin()
        let result: T
        do {
            result = try body(file)
            try file.connection.commit()
        } catch {
            file.connection.rollback()
            // The log gives the space back that it has taken from a full disk.
            if Refusal.isFullDisk(error) { emptyLog(of: file) }
            throw error
        }
        // The transaction is durable. Pages that a failure or a reader leaves in the log are moved by the next checkpoint.
        emptyLog(of: file)
        return result
    }

    private func emptyLog(of file: DayDB) {
        do { try file.connection.checkpoint(.truncate) } catch { failStop.endIfUnsynced(error) }
    }
}
