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
    private let threads = DispatchQueue(label: "signalbox.readers", qos: .background, attributes: .concurrent)
    private let state = Mutex(State())

    init(_ paths: StorePaths) {
        self.paths = paths
    }

    func read<T: Sendable>(seconds: Double = 10, _ body: @escaping @Sendable (ReadSession) throws -> T) async throws -> T {
        try await enter()
        defer { leave() }
        return try await withCheckedThrowingContinuation { continuation in
            threads.async {
                OwnProcess.givePrecedenceToOtherThreads()
                let session = ReadSession(self.paths, self.pool, self.threads, seconds: seconds)
                continuation.resume(with: Result { try body(session) }.mapError(Readers.explain))
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
