// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
package import Platform
package import SQLite
import Synchronization

/// The reader pool: runs queries on its own threads with read-only connections and a deadline.
///
/// SQLite blocks its thread, so queries must not run on the concurrency pool. Each lane lets 256 queries wait. Expensive
/// queries have their own lane at low priority, where they delay neither cheap ones nor ingest. Its threads run in long slices, so that a thread
/// of higher priority that wakes need not wait for a tick. Users of apps may send any number of queries, so theirs have lanes of their own, for
/// which apps and their clients have turns (`QueryLine`). That of expensive ones has few places, which stay empty for a while after a query:
///
///     6 large queries arrive   4 run, 2 wait for a place
///     1 small query arrives    runs at once, in another lane
///     16 of a user arrive      1 runs (of two processors), 15 wait; large queries of servers do not wait for them
///     1 of another app         is the next
///     10 seconds into a query  SQLite interrupts it; the client is advised to ask for a shorter range
///     257th waiting query      rejected as overloaded; retry after a second. Of one user the 87th is
///     end()                    all pending queries fail with `Refusal.draining`
///
/// The deadline counts from the start of the query, not from its arrival.
package final class ReaderPool: Sendable {
    /// The expected cost of a query. It selects the lane.
    package enum Cost: Sendable {
        case small, large
        /// A decision of rules about what a user listens to. The tasks that serve the streams of all apps wait for it.
        case decision
        /// A large result for users who listen. They have turns among themselves (`DocumentListening`), and here those of one app.
        case listening
    }

    /// The time limit, in seconds, of a search for rows to remove.
    package static let removalSeconds: Double = 120

    private let paths: StorePaths
    package let pool = ConnectionPool(limit: 64)
    private let small = QueryLane(.utility)
    private let large = QueryLane(.background)
    private let smallOfUsers = QueryLane(.utility)
    private let decisions = QueryLane(.utility)
    private let largeOfUsers = QueryLane(.background, atOnce: QueryLane.atOnceOfUsers, pauses: true)

    package init(_ paths: StorePaths) {
        self.paths = paths
    }

    /// Fails all pending queries and rejects new ones. Threads in the middle of a query go on, which is harmless because they only read.
    package func end() {
        for lane in [small, large, smallOfUsers, decisions, largeOfUsers] { lane.end() }
    }

    /// Runs a query.
    ///
    /// - Parameters:
    ///   - caller: The user of an app who sends it; nil for servers, analytics and the daemon itself.
    ///   - watch: Tells whether the client leaves while the query waits. It is not run then, and `ClientLeft` is thrown.
    package func read<T: Sendable>(
        _ cost: Cost = .small, for caller: QueryCaller? = nil, watching watch: ClientWatch? = nil, seconds: Double = 10,
        _ body: @escaping @Sendable (ReadSession) throws -> T
    ) async throws -> T {
        let lane =
            switch cost {
            case .small: caller == nil ? small : smallOfUsers
            case .large: caller == nil ? large : largeOfUsers
            case .decision: decisions
            case .listening: largeOfUsers
            }
        return try await lane.run(for: caller, watching: watch) { try body(ReadSession(self.paths, self.pool, lane, seconds: seconds)) }
    }
}

/// A query lane: the threads for queries of one cost, and a bounded line of queries that wait for them.
///
/// Callers wait without a thread. A place in the lane is passed directly to the next query of the line.
final class QueryLane: Sendable {
    private struct Waiting: Sendable {
        let number: Int
        let place: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var running = 0
        var waiting = QueryLine<Waiting>(limit: QueryLane.waitingLimit)
        var lastNumber = 0
        /// Closures that fail a pending query, by its number.
        var pending: [Int: @Sendable () -> Void] = [:]
        var hasEnded = false

        enum Entry { case free, waits(number: Int), full, draining }

        mutating func enter(_ place: CheckedContinuation<Void, any Error>, for caller: QueryCaller?, atOnce: Int) -> Entry {
            if hasEnded { return .draining }
            if running < atOnce {
                running += 1
                return .free
            }
            guard waiting.hasRoom(for: caller) else { return .full }
            lastNumber += 1
            waiting.add(Waiting(number: lastNumber, place: place), of: caller)
            return .waits(number: lastNumber)
        }
    }

    static let atOnce = 4
    /// The queries of users that run at once. The other half of the processors is free for those who do not wait for them.
    static let atOnceOfUsers = min(atOnce, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2))
    static let waitingLimit = 256
    /// The bounds of the pause of a place, which is as long as its query took.
    private static let pause = (least: Duration.milliseconds(1), most: Duration.seconds(1))
    /// A concurrent queue per quality of service.
    private let threads: DispatchQueue
    private let givesPrecedence: Bool
    private let atOnce: Int
    /// Whether a place stays empty after a query. A write-ahead log begins anew only while no query reads it, so queries in a row would let it
    /// grow without bound.
    private let pauses: Bool
    private let state = Mutex(State())

    init(_ quality: DispatchQoS, atOnce: Int = QueryLane.atOnce, pauses: Bool = false) {
        (self.atOnce, self.pauses) = (atOnce, pauses)
        threads = DispatchQueue(label: "signalbox.readers", qos: quality, attributes: .concurrent)
        givesPrecedence = quality == .background
    }

    func run<T: Sendable>(
        for caller: QueryCaller? = nil, watching watch: ClientWatch? = nil, _ body: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try await enter(for: caller, watch)
        let begin = ContinuousClock.now
        defer { leave(after: pauses ? min(ContinuousClock.now - begin, QueryLane.pause.most) : .zero) }
        return try await withCheckedThrowingContinuation { continuation in
            let query = PendingQuery(continuation)
            guard let number = add(query) else { return query.resume(with: .failure(Refusal.draining)) }
            start {
                let result = Result { try body() }.mapError(QueryLane.explain)
                self.state.withLock { $0.pending[number] = nil }
                query.resume(with: result)
            }
        }
    }

    /// Fails all pending queries and rejects new ones.
    func end() {
        let (pending, waiting) = state.withLock { state in
            state.hasEnded = true
            return (state.pending.values, state.waiting.takeAll())
        }
        // Those that wait fail here, in a row. A place that passes from one to the next would nest them, as some continue at once.
        for one in waiting { one.place.resume(throwing: Refusal.draining) }
        for giveUp in pending { giveUp() }
    }

    /// Registers a pending query and returns its number; nil after `end`.
    private func add<T>(_ query: PendingQuery<T>) -> Int? {
        state.withLock { state in
            if state.hasEnded { return nil }
            state.lastNumber += 1
            state.pending[state.lastNumber] = { query.resume(with: .failure(Refusal.draining)) }
            return state.lastNumber
        }
    }

    /// Runs work on one of the lane's threads.
    func start(_ work: @escaping @Sendable () -> Void) {
        threads.async {
            if self.givesPrecedence {
                OwnProcess.givePrecedenceToOtherThreads()
                OwnProcess.runInLongSlices()
            }
            work()
        }
    }

    /// Waits for a place. Throws if too many wait already, or the client leaves.
    private func enter(for caller: QueryCaller?, _ watch: ClientWatch?) async throws {
        try await withCheckedThrowingContinuation { (place: CheckedContinuation<Void, any Error>) in
            let entry = state.withLock { $0.enter(place, for: caller, atOnce: atOnce) }
            switch entry {
            case .free: place.resume()
            case .waits(let number): watch?({ self.abandon(number, of: caller) })
            case .draining: place.resume(throwing: Refusal.draining)
            case .full:
                place.resume(
                    throwing: Refusal(.overloaded, "Too many queries are waiting.", hint: "Send the request again later.", retryAfterSeconds: 1))
            }
        }
    }

    private func abandon(_ number: Int, of caller: QueryCaller?) {
        let waiting = state.withLock { $0.waiting.remove(of: caller) { $0.number == number } }
        waiting?.place.resume(throwing: ClientLeft())
    }

    private func leave(after pause: Duration) {
        if pause < QueryLane.pause.least { return leave() }
        threads.asyncAfter(deadline: .now() + .microseconds(Int(pause / .microseconds(1)))) { self.leave() }
    }

    /// Passes the place to the next query of the line, or frees it.
    private func leave() {
        let next = state.withLock { state -> Waiting? in
            let next = state.waiting.next()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.place.resume()
    }

    private static func explain(_ error: any Error) -> any Error {
        guard let error = error as? SQLiteError, case .interrupted = error.code else { return error }
        return Refusal(.invalid, "The query exceeded its time limit and was cancelled.", hint: "Use a shorter range or a coarser interval.")
    }
}

/// A continuation that resumes once, with the first of several results.
private final class PendingQuery<T: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<T, any Error>?>

    init(_ continuation: CheckedContinuation<T, any Error>) {
        self.continuation = Mutex(continuation)
    }

    func resume(with result: Result<T, any Error>) {
        continuation.withLock { $0.take() }?.resume(with: result)
    }
}
