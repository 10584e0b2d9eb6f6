// SPDX-License-Identifier: Apache-2.0

package import Platform
import Synchronization

/// Callers that wait until a store's write-ahead logs are empty, because the logs may still contain what was removed.
///
///     an erasure                    waits
///     the engine's thread           truncates; a query still reads a log, so it tries again 20 ms later
///     the query ends
///     the engine's thread           truncates; the erasure goes on
///
/// A log that a writer wants to be empty is tried every second without a caller. There are few callers, as one erasure runs at a time.
final class LogEmptying: Sendable {
    private struct Waiter {
        let continuation: CheckedContinuation<Void, any Error>
        let end: ContinuousClock.Instant
    }

    private struct State {
        var waiting: [Waiter] = []
        var hasEnded = false
    }

    private static let patience = Duration.seconds(5)
    private static let pause = (awaited: Duration.milliseconds(20), otherwise: Duration.seconds(1))

    private let state = Mutex(State())

    /// Adds a caller, which is refused when its patience is over.
    func add(_ continuation: CheckedContinuation<Void, any Error>) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.waiting.append(Waiter(continuation: continuation, end: .now + LogEmptying.patience)) }
            return state.hasEnded
        }
        if hasEnded { continuation.resume(throwing: Refusal.draining) }
    }

    /// Truncates the logs if someone wants it. Returns the time after which to try again; nil if nothing is left to do.
    func proceed(_ writer: some DatabaseWriter) -> Duration? {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        if !waiting.isEmpty { writer.files.emptyLogs() }
        if writer.files.mustEmptyLogs { writer.maintain() }
        guard writer.files.mustEmptyLogs else {
            for waiter in waiting { waiter.continuation.resume() }
            return nil
        }
        let now = ContinuousClock.now
        let (over, others) = (waiting.filter { $0.end <= now }, waiting.filter { $0.end > now })
        state.withLock { $0.waiting += others }
        for waiter in over { waiter.continuation.resume(throwing: Refusal.logInUse) }
        return others.isEmpty ? LogEmptying.pause.otherwise : LogEmptying.pause.awaited
    }

    /// Refuses all callers, now and later.
    func end() {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.hasEnded) = ([], true) }
            return state.waiting
        }
        for waiter in waiting { waiter.continuation.resume(throwing: Refusal.draining) }
    }
}

extension Refusal {
    /// The rejection of an erasure whose data is removed from the files, but not from their logs.
    package static let logInUse = Refusal(
        .storageFailed, "The data is removed, but a write-ahead log still contains it: a query reads the log, or the disk failed.",
        hint: "Send the request again later.", retryAfterSeconds: 5)
}
