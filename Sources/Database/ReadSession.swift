// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Platform
import SQLite
import Synchronization

/// The read-only connections of one query and their deadline.
///
/// Connections are interrupted at the deadline. Reads of several files use up to two threads:
///
///     each(of: [day 1, day 2, day 3])
///     this thread     day 1, day 3
///     second thread   day 2            only if the lane has a free thread in time
///     result          [day 1, day 2, day 3], without files removed meanwhile
package final class ReadSession: Sendable {
    package let paths: StorePaths
    private let pool: ConnectionPool
    private let lane: QueryLane
    private let end: ContinuousClock.Instant

    init(_ paths: StorePaths, _ pool: ConnectionPool, _ lane: QueryLane, seconds: Double) {
        self.paths = paths
        self.pool = pool
        self.lane = lane
        end = ContinuousClock.now + .seconds(seconds)
    }

    /// Calls a closure with a pooled connection to a file.
    package func with<DB: TypedDatabase, T>(_ path: String, _ body: (DB) throws -> T) throws -> T {
        try pool.withConnection(to: path) { connection in
            connection.limit(seconds: remainingSeconds)
            return try body(DB(connection: connection))
        }
    }

    /// Calls a closure with a connection on which all statements read the same version of the file.
    ///
    ///     with(…)            an issue is found by its ID, a merge commits, its row is gone
    ///     withSnapshot(…)    the row is there as it was when the ID was found
    package func withSnapshot<DB: TypedDatabase, T>(_ path: String, _ body: (DB) throws -> T) throws -> T {
        try with(path) { (file: DB) in
            // The pool ends the transaction.
            try file.execute("BEGIN")
            return try body(file)
        }
    }

    /// Reads files on up to two threads and returns the results in the order of the paths. A file that was removed meanwhile has no result.
    package func each<DB: TypedDatabase, T: Sendable>(of paths: [String], _ body: @escaping @Sendable (DB, Int) throws -> T) throws -> [T] {
        try each(paths.count) { try self.part(of: paths[$0], $0, body) }.compactMap(\.self)
    }

    /// Does a number of parts of work on up to two threads and returns the results in order.
    package func each<T: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) throws -> T) throws -> [T] {
        let parts = Parts<T>(count)
        inTwo(when: count > 1) {
            while let place = parts.next() {
                parts.set(place, Result { try body(place) })
            }
        }
        return try parts.all()
    }

    /// Does a number of parts of work on up to two threads and folds each into a whole as it is done, in no order.
    ///
    /// At most two parts are in memory beside the whole.
    package func fold<Part: Sendable, Whole: Sendable>(
        _ count: Int, into start: Whole, _ body: @escaping @Sendable (Int) throws -> Part,
        joining join: @escaping @Sendable (inout Whole, Part) throws -> Void
    ) throws -> Whole {
        let folded = Folded(start)
        _ = try each(count) { place in
            let part = try body(place)
            try folded.whole.withLock { try join(&$0, part) }
        }
        return folded.whole.withLock { $0 }
    }

    /// Runs work on this thread and, if one is free, on a second thread.
    ///
    /// The first never waits for a second that has not started, because all threads may be blocked in this way.
    private func inTwo(when isWorthIt: Bool, _ work: @escaping @Sendable () -> Void) {
        guard isWorthIt else { return work() }
        let second = SecondThread(work)
        lane.start { second.run() }
        work()
        second.end()
    }

    private func part<DB: TypedDatabase, T>(of path: String, _ place: Int, _ body: (DB, Int) throws -> T) throws -> T? {
        do {
            return try with(path) { try body($0, place) }
        } catch let error as SQLiteError where error.code.primary == .cannotOpen {
            return nil
        }
    }

    private var remainingSeconds: Double {
        max(0, (end - .now) / .seconds(1))
    }

    /// Opens a file on a connection outside the pool.
    package func open<DB: TypedDatabase>(_ path: String) throws -> DB {
        let file = try DB.open(reading: path)
        file.connection.limit(seconds: remainingSeconds)
        return file
    }
}

/// The whole that parts are folded into, by either thread.
private final class Folded<Whole: Sendable>: Sendable {
    let whole: Mutex<Whole>

    init(_ start: Whole) {
        whole = Mutex(start)
    }
}

/// Work for a second thread, which may join only while the first is running.
private final class SecondThread: Sendable {
    private enum State {
        case notBegun, running, over
    }

    private let state = Mutex(State.notBegun)
    private let finished = DispatchSemaphore(value: 0)
    private let work: Mutex<(@Sendable () -> Void)?>

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = Mutex(work)
    }

    func run() {
        let mayBegin = state.withLock { state in
            defer { if state == .notBegun { state = .running } }
            return state == .notBegun
        }
        guard mayBegin else { return }
        work.withLock { $0 }?()
        finished.signal()
    }

    /// Waits for the second thread if it has started, and otherwise keeps it from starting.
    func end() {
        let isRunning = state.withLock { state in
            defer { state = .over }
            return state == .running
        }
        if isRunning { finished.wait() }
        work.withLock { $0 = nil }
    }
}

/// The results of work in parts, each done by the next free thread.
private final class Parts<T: Sendable>: Sendable {
    private let results: Mutex<[Result<T, any Error>?]>
    private let count: Int
    private let taken = Atomic(0)

    init(_ count: Int) {
        self.count = count
        results = Mutex(Array(repeating: nil, count: count))
    }

    /// Takes the next part; nil when all are taken.
    func next() -> Int? {
        let place = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        return place < count ? place : nil
    }

    func set(_ place: Int, _ result: Result<T, any Error>) {
        results.withLock { $0[place] = result }
    }

    /// Returns the results in order. Throws the first error.
    func all() throws -> [T] {
        try results.withLock { $0 }.compactMap { try $0?.get() }
    }
}
