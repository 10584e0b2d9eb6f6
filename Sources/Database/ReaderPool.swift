// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Platform
package import SQLite
import Synchronization

/// Answers questions on threads of their own: a few at a time, each with read-only connections and a deadline.
package final class ReaderPool: Sendable {
    /// What a question is likely to cost: those that read many rows neither hold up the others nor ingest.
    package enum Cost: Sendable {
        case small, large
    }

    private let paths: StorePaths
    package let pool = ConnectionPool(limit: 64)
    private let small = QueryLane(.utility)
    private let large = QueryLane(.background)

    package init(_ paths: StorePaths) {
        self.paths = paths
    }

    /// Answers nothing more, and lets nobody wait any longer for an answer; threads that are in the middle of one go on, and only read.
    package func end() {
        for lane in [small, large] { lane.end() }
    }

    package func read<T: Sendable>(_ cost: Cost = .small, seconds: Double = 10, _ body: @escaping @Sendable (ReadSession) throws -> T) async throws
        -> T
    {
        let lane =
            switch cost {
            case .small: small
            case .large: large
            }
        return try await lane.run { try body(ReadSession(self.paths, self.pool, lane, seconds: seconds)) }
    }
}

/// Threads for questions of one kind, and the line of those that wait for them.
final class QueryLane: Sendable {
    private struct State: Sendable {
        var running = 0
        var waiting: [CheckedContinuation<Void, any Error>] = []
        var asked = 0
        /// Tell those who wait for an answer that there will be none.
        var askers: [Int: @Sendable () -> Void] = [:]
        var hasEnded = false

        enum Entry { case free, waits, full }

        mutating func enter(_ place: CheckedContinuation<Void, any Error>) -> Entry {
            if running < QueryLane.atOnce {
                running += 1
                return .free
            }
            if waiting.count >= QueryLane.waitingLimit { return .full }
            waiting.append(place)
            return .waits
        }
    }

    static let atOnce = 4
    static let waitingLimit = 256
    /// Each class of service has threads of its own.
    private let threads: DispatchQueue
    private let givesPrecedence: Bool
    private let state = Mutex(State())

    init(_ quality: DispatchQoS) {
        threads = DispatchQueue(label: "signalbox.readers", qos: quality, attributes: .concurrent)
        givesPrecedence = quality == .background
    }

    func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await enter()
        defer { leave() }
        return try await withCheckedThrowingContinuation { continuation in
            let asker = Asker(continuation)
            guard let number = add(asker) else { return asker.resume(with: .failure(Refusal.draining)) }
            start {
                let result = Result { try body() }.mapError(QueryLane.explain)
                self.state.withLock { $0.askers[number] = nil }
                asker.resume(with: result)
            }
        }
    }

    /// Answers nothing more, and nobody waits any longer for an answer.
    func end() {
        let askers = state.withLock { state in
            state.hasEnded = true
            return state.askers.values
        }
        for giveUp in askers { giveUp() }
    }

    /// The number under which somebody waits for an answer; nil where there is none to be had any more.
    private func add<T>(_ asker: Asker<T>) -> Int? {
        state.withLock { state in
            if state.hasEnded { return nil }
            state.asked += 1
            state.askers[state.asked] = { asker.resume(with: .failure(Refusal.draining)) }
            return state.asked
        }
    }

    /// Has one of the threads do something when it is free.
    func start(_ work: @escaping @Sendable () -> Void) {
        threads.async {
            if self.givesPrecedence { OwnProcess.givePrecedenceToOtherThreads() }
            work()
        }
    }

    /// Waits for a place, in a line that has an end.
    private func enter() async throws {
        try await withCheckedThrowingContinuation { (place: CheckedContinuation<Void, any Error>) in
            let entry = state.withLock { $0.enter(place) }
            switch entry {
            case .free: place.resume()
            case .waits: break
            case .full: place.resume(throwing: Refusal(.overloaded, "Too many questions at once.", hint: "Ask again later.", retryAfterSeconds: 1))
            }
        }
    }

    /// Hands the place on to who waits longest, or gives it back.
    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
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

/// Who waits for an answer, and hears the first of what is said.
private final class Asker<T: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<T, any Error>?>

    init(_ continuation: CheckedContinuation<T, any Error>) {
        self.continuation = Mutex(continuation)
    }

    func resume(with result: Result<T, any Error>) {
        continuation.withLock { $0.take() }?.resume(with: result)
    }
}
