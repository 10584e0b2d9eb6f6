import Dispatch
import Platform
import SQLite
import Synchronization

/// Answers questions on threads of their own: a few at a time, each with read-only connections and a deadline.
final class Readers: Sendable {
    private struct State: Sendable {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    static let atOnce = 4
    static let waitingLimit = 256
    private let paths: StorePaths
    let pool = ConnectionPool(limit: 64)
    private let threads = DispatchQueue(label: "signalbox.readers", attributes: .concurrent)
    private let state = Mutex(State())

    init(_ paths: StorePaths) {
        self.paths = paths
    }

    func read<T: Sendable>(seconds: Double = 10, _ body: @escaping @Sendable (ReadSession) throws -> T) async throws -> T {
        try await enter()
        defer { leave() }
        return try await withCheckedThrowingContinuation { continuation in
            threads.async {
                continuation.resume(with: Result { try body(ReadSession(self.paths, self.pool, seconds: seconds)) }.mapError(Readers.explain))
            }
        }
    }

    private func enter() async throws {
        let full = state.withLock { $0.running >= Readers.atOnce && $0.waiting.count >= Readers.waitingLimit }
        if full { throw Refusal(.overloaded, "Too many questions at once.", hint: "Ask again later.", retryAfterSeconds: 1) }
        await withCheckedContinuation { continuation in
            let free = state.withLock { state in
                if state.running < Readers.atOnce {
                    state.running += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if free { continuation.resume() }
        }
    }

    /// Hands the place on to who waits longest, or gives it back.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }

    private static func explain(_ error: any Error) -> any Error {
        guard let error = error as? SQLiteError, case .interrupted = error.code else { return error }
        return Refusal(.invalid, "The question took too long and was given up.", hint: "Ask for a shorter range or a coarser interval.")
    }
}

/// The read-only connections of one question.
final class ReadSession: Sendable {
    private let paths: StorePaths
    private let pool: ConnectionPool
    private let end: ContinuousClock.Instant
    /// Files asked at the same time: as many as there are cores on the machine this is made for.
    private static let atOnce = 2

    init(_ paths: StorePaths, _ pool: ConnectionPool, seconds: Double) {
        self.paths = paths
        self.pool = pool
        end = ContinuousClock.now + .seconds(seconds)
    }

    func main() throws -> Connection {
        try open(paths.main)
    }

    /// The days that have a file, oldest first.
    func days() throws -> [Day] {
        try paths.days()
    }

    /// A day's file; nil where retention has just removed it.
    func day(_ day: Day) throws -> Connection? {
        do {
            return try open(paths.file(of: day))
        } catch let error as SQLiteError where error.code.primary == .cannotOpen {
            return nil
        }
    }

    func withMain<T>(_ body: (Connection) throws -> T) throws -> T {
        try pool.withConnection(to: paths.main) { connection in
            connection.limit(seconds: remainingSeconds)
            return try body(connection)
        }
    }

    /// What each of some days' files has to say, in the order of the days, asked side by side; nothing of one that retention has just
    /// removed.
    func each<T: Sendable>(of days: [Day], _ body: @Sendable (Connection, Day) throws -> T) throws -> [T] {
        let results = Mutex<[Result<T, any Error>?]>(Array(repeating: nil, count: days.count))
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: min(days.count, ReadSession.atOnce)) { _ in
            while true {
                let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard place < days.count else { return }
                let result = Result { try ask(days[place], body) }
                if let answer = result.liftedValue() { results.withLock { $0[place] = answer } }
            }
        }
        return try results.withLock { $0 }.compactMap { try $0?.get() }
    }

    private func ask<T>(_ day: Day, _ body: (Connection, Day) throws -> T) throws -> T? {
        do {
            return try pool.withConnection(to: paths.file(of: day)) { connection in
                connection.limit(seconds: remainingSeconds)
                return try body(connection, day)
            }
        } catch let error as SQLiteError where error.code.primary == .cannotOpen {
            return nil
        }
    }

    private var remainingSeconds: Double {
        max(0, (end - .now) / .seconds(1))
    }

    private func open(_ path: String) throws -> Connection {
        let connection = try Connection(path, .read)
        connection.limit(seconds: remainingSeconds)
        return connection
    }
}

extension Result where Failure == any Error {
    /// The other way round: an answer there is, or none.
    fileprivate func liftedValue<T>() -> Result<T, any Error>? where Success == T? {
        switch self {
        case .success(let value?): .success(value)
        case .success(nil): nil
        case .failure(let error): .failure(error)
        }
    }
}
