// SPDX-License-Identifier: Apache-2.0

import Database
import Dispatch
package import Platform
import SQLite
import Synchronization

/// The one owner of the files of days that are over: the only one that writes to them, does their checkpoints and removes them.
///
/// It has a thread of its own, so that no commit waits for long work here. A day comes to it when the writer has let go of its
/// file and never goes back, so each file has one writing connection at any time.
package final class ClosedDays: Sendable {
    private struct State {
        /// The day that the writer has open: all before it are here.
        var open: Day
        var waiting = 0
    }

    static let waitingLimit = 256
    /// Rings when days have come, and once at the start for those left by an earlier run of the program.
    let turns: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation
    private let paths: StorePaths
    private let failStop: FailStop
    private let thread = DispatchQueue(label: "signalbox.closed-days", qos: .utility)
    private let state: Mutex<State>
    private let stopped = Atomic<Bool>(false)

    init(_ paths: StorePaths, before open: Day, failStop: FailStop) {
        self.paths = paths
        self.failStop = failStop
        state = Mutex(State(open: open))
        (turns, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        bell.yield()
    }

    /// The days that are here, oldest first.
    package func days() throws -> [Day] {
        let open = state.withLock { $0.open }
        return try paths.days().filter { $0 < open }
    }

    /// Takes over every day before one; the writer holds none of their files any more.
    func take(daysBefore open: Day) {
        state.withLock { $0.open = open }
        bell.yield()
    }

    /// Has days looked at again that could not be finished.
    package func lookAgain() {
        bell.yield()
    }

    /// Writes to a day's file in a transaction, and answers when that is durable; nil where there is no such file any more.
    @discardableResult
    package func write<T: Sendable>(to day: Day, _ body: @escaping @Sendable (DayDB) throws -> T) async throws -> T? {
        try await perform(on: day) {
            guard Folder.exists(self.paths.file(of: day)) else { return nil }
            return try self.transaction(try self.open(day), body)
        }
    }

    /// Removes a day's file and what was derived from it.
    package func remove(_ day: Day) async throws {
        try await perform(on: day) {
            // The file itself goes last: without it nobody would come back for what else there is.
            for name in try Folder.names(in: self.paths.events).reversed() where name.hasPrefix(day.text) {
                try Folder.remove(self.paths.events + "/" + name)
            }
            try Folder.sync(self.paths.events)
        }
    }

    /// Interrupts what is being done, refuses what waits, and returns when nothing is under way.
    func stop() async {
        stopped.store(true, ordering: .relaxed)
        bell.finish()
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
            if day >= state.open { return Refusal(.internalError, "This day is not over.") }
            if state.waiting >= ClosedDays.waitingLimit {
                return Refusal(.overloaded, "Too many changes to past days are waiting.", hint: "Ask again later.", retryAfterSeconds: 1)
            }
            state.waiting += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    private func open(_ day: Day) throws -> DayDB {
        // Building an index sorts through a file: a day's keys would not fit into memory.
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
            throw error
        }
        // It is durable already; what is left in the log by a failure or a reader is brought in the next time.
        do { try file.connection.checkpoint(.truncate) } catch { failStop.endIfUnsynced(error) }
        return result
    }
}
