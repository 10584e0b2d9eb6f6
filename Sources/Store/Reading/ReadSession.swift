// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Platform
import SQLite
import Synchronization

/// The read-only connections of one question.
final class ReadSession: Sendable {
    private let paths: StorePaths
    private let pool: ConnectionPool
    private let lane: ReadLane
    private let end: ContinuousClock.Instant

    init(_ paths: StorePaths, _ pool: ConnectionPool, _ lane: ReadLane, seconds: Double) {
        self.paths = paths
        self.pool = pool
        self.lane = lane
        end = ContinuousClock.now + .seconds(seconds)
    }

    func main() throws -> MainDB {
        try open(paths.main)
    }

    /// The days that have a file, oldest first.
    func days() throws -> [Day] {
        try paths.days()
    }

    /// A day's file; nil where retention has just removed it.
    func day(_ day: Day) throws -> DayDB? {
        do {
            return try open(paths.file(of: day))
        } catch let error as SQLiteError where error.code.primary == .cannotOpen {
            return nil
        }
    }

    func withMain<T>(_ body: (MainDB) throws -> T) throws -> T {
        try with(paths.main, body)
    }

    func withMessages<T>(_ body: (MessageDB) throws -> T) throws -> T {
        try with(paths.messages, body)
    }

    func withCrashes<T>(_ body: (CrashDB) throws -> T) throws -> T {
        try with(paths.crashes, body)
    }

    private func with<DB: TypedDatabase, T>(_ path: String, _ body: (DB) throws -> T) throws -> T {
        try pool.withConnection(to: path) { connection in
            connection.limit(seconds: remainingSeconds)
            return try body(DB(connection: connection))
        }
    }

    /// What each of some days' files has to say, in the order of the days, asked side by side; nothing of one that retention has just
    /// removed.
    func each<T: Sendable>(of days: [Day], _ body: @escaping @Sendable (DayDB, Day) throws -> T) throws -> [T] {
        let parts = Parts<T>(days.count)
        inTwo(when: days.count > 1) {
            while let place = parts.next() {
                parts.set(place, Result { try self.ask(days[place], body) })
            }
        }
        return try parts.all()
    }

    /// The same taken into one whole as soon as each is there, in no order: beside the whole never more than two are in memory.
    func fold<Part: Sendable, Whole: Sendable>(
        of days: [Day], into start: Whole, _ body: @escaping @Sendable (DayDB, Day) throws -> Part,
        joining join: @escaping @Sendable (inout Whole, Part) throws -> Void
    ) throws -> Whole {
        let folded = Folded(start)
        _ = try each(of: days) { file, day in
            let part = try body(file, day)
            try folded.whole.withLock { try join(&$0, part) }
        }
        return folded.whole.withLock { $0 }
    }

    /// Does work on this thread, and at the same time on a second one where there is one free: nobody waits for a thread that has yet to
    /// begin, for it may be this one that it waits for.
    private func inTwo(when isWorthIt: Bool, _ work: @escaping @Sendable () -> Void) {
        guard isWorthIt else { return work() }
        let second = SecondThread(work)
        lane.start { second.run() }
        work()
        second.end()
    }

    private func ask<T>(_ day: Day, _ body: (DayDB, Day) throws -> T) throws -> T? {
        do {
            return try pool.withConnection(to: paths.file(of: day)) { connection in
                connection.limit(seconds: remainingSeconds)
                return try body(DayDB(connection: connection), day)
            }
        } catch let error as SQLiteError where error.code.primary == .cannotOpen {
            return nil
        }
    }

    private var remainingSeconds: Double {
        max(0, (end - .now) / .seconds(1))
    }

    private func open<DB: TypedDatabase>(_ path: String) throws -> DB {
        let file = try DB.open(reading: path)
        file.connection.limit(seconds: remainingSeconds)
        return file
    }
}

/// Work that a second thread may take up for as long as the first is at it.
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

    /// Waits for it if it has begun; else it never will.
    func end() {
        let isRunning = state.withLock { state in
            defer { state = .over }
            return state == .running
        }
        if isRunning { finished.wait() }
        work.withLock { $0 = nil }
    }
}

/// What parts are taken into, by whoever is free.
private final class Folded<Whole: Sendable>: Sendable {
    let whole: Mutex<Whole>

    init(_ start: Whole) {
        whole = Mutex(start)
    }
}

/// What comes of the parts of a piece of work, done by whoever is free.
private final class Parts<T: Sendable>: Sendable {
    private let results: Mutex<[Result<T?, any Error>?]>
    private let count: Int
    private let taken = Atomic(0)

    init(_ count: Int) {
        self.count = count
        results = Mutex(Array(repeating: nil, count: count))
    }

    /// The next part to do; nil once all are taken.
    func next() -> Int? {
        let place = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        return place < count ? place : nil
    }

    func set(_ place: Int, _ result: Result<T?, any Error>) {
        results.withLock { $0[place] = result }
    }

    /// In their order, without those that came to nothing; throws what one of them threw.
    func all() throws -> [T] {
        try results.withLock { $0 }.compactMap { try $0?.get() }
    }
}
