// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Platform
package import SQLite
import Synchronization

/// Short reads of one file in groups: those that arrive while a group is read are the next group, so a thread wakes once for many.
///
///     a arrives                 a thread wakes and reads [a]
///     b, c, d arrive meanwhile  they wait
///     a has its result          the same thread reads [b, c, d], all of one version of the file
///     33 wait                   a second thread helps
///
/// Reads must be bounded by their own sizes, because those behind them wait. What may take longer goes to the `ReaderPool`.
package final class GroupReader<DB: TypedDatabase>: Sendable {
    private typealias Job = @Sendable (Result<DB, any Error>) -> Void

    private struct State {
        var waiting: [Job] = []
        var threads = 0
        var hasEnded = false
    }

    private enum Admission { case waits, begins, full, draining }

    private static var most: Int { 2_048 }
    private static var threadsAtMost: Int { 2 }
    /// The number of reads that wait before a second thread begins.
    private static var waitingOfSecond: Int { 32 }
    private static var group: Int { 64 }

    private let path: String
    private let pool: ConnectionPool
    private let threads: DispatchQueue
    private let state = Mutex(State())

    package init(of path: String, _ pool: ConnectionPool, label: String) {
        (self.path, self.pool) = (path, pool)
        threads = DispatchQueue(label: label, qos: .utility, attributes: .concurrent)
    }

    package func read<T: Sendable>(_ body: @escaping @Sendable (DB) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let admission = add { file in continuation.resume(with: file.flatMap { file in Result { try body(file) } }) }
            switch admission {
            case .waits: break
            case .begins: threads.async { self.readGroups() }
            case .draining: continuation.resume(throwing: Refusal.draining)
            case .full:
                continuation.resume(
                    throwing: Refusal(.overloaded, "Too many reads are waiting.", hint: "Send the request again later.", retryAfterSeconds: 1))
            }
        }
    }

    /// Rejects further reads. Those that wait get their results.
    package func end() { state.withLock { $0.hasEnded = true } }

    private func add(_ job: @escaping Job) -> Admission {
        state.withLock { state in
            if state.hasEnded { return .draining }
            if state.waiting.count >= Self.most { return .full }
            state.waiting.append(job)
            let wantsThread = state.threads == 0 || state.waiting.count > Self.waitingOfSecond
            guard wantsThread, state.threads < Self.threadsAtMost else { return .waits }
            state.threads += 1
            return .begins
        }
    }

    private func readGroups() {
        var group = next()
        while var pending = group {
            do {
                // The connection keeps its pages until nothing waits.
                try pool.withConnection(to: path) { connection in
                    let file = DB(connection: connection)
                    while !pending.isEmpty {
                        try file.statement("BEGIN").run()
                        for job in pending { job(.success(file)) }
                        connection.rollback()
                        group = next()
                        pending = group ?? []
                    }
                }
            } catch {
                for job in pending { job(.failure(error)) }
                group = next()
            }
        }
    }

    /// Returns the next group; nil when nothing waits and the thread may go.
    private func next() -> [Job]? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.threads -= 1
                return nil
            }
            defer { state.waiting.removeFirst(min(state.waiting.count, Self.group)) }
            return Array(state.waiting.prefix(Self.group))
        }
    }
}
