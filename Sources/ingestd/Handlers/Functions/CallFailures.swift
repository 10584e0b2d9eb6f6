// SPDX-License-Identifier: Apache-2.0

import FunctionStore
import Functions
import Platform
import Synchronization

/// Failed calls on their way to the logs of their functions. Calls are not stored; what failed is kept there.
///
/// Anyone may make calls fail, so a function gets at most ten lines a second, and then the number of the rest:
///
///     call_3fGq9VxJ2LkPzR7cTn5YdW failed: DEADLINE_EXCEEDED, The function did not answer in time. (60,012 ms)
///     25 more calls failed
final class CallFailures: Sendable {
    private struct Pending: Sendable {
        var function: StoredFunction
        var lines: [LogLine] = []
        var more = 0
    }

    private static let linesAtOnce = 10
    private static let interval = Duration.seconds(1)
    private static let messageScalars = 500

    private let pending = Mutex<[Int64: Pending]>([:])

    func note(_ error: CallError, of draft: CallDraft, after time: Duration) {
        let function = draft.function
        let message = String(String.UnicodeScalarView(error.message.unicodeScalars.prefix(Self.messageScalars).map { $0.isControl ? " " : $0 }))
        let text = "\(draft.id) failed: \(error.status.rawValue), \(message) (\(Int(time / .milliseconds(1))) ms)"
        pending.withLock { pending in
            if pending[function.id, default: Pending(function: function)].lines.count < Self.linesAtOnce {
                pending[function.id, default: Pending(function: function)].lines.append(LogLine(level: .error, text, user: draft.user?.uid))
            } else {
                pending[function.id]?.more += 1
            }
        }
    }

    /// Writes lines each second until the task is cancelled, and the last ones then. Lines that cannot be written are dropped.
    func run(_ store: FunctionStore, _ troubles: TroubleLog) async {
        repeat {
            try? await Task.sleep(for: Self.interval)
            for one in take() {
                let more = one.more > 0 ? [LogLine(level: .error, "\(one.more) more calls failed")] : []
                do { try await store.log(one.lines + more, of: one.function) } catch { troubles.note("could not log failed calls", error) }
            }
        } while !Task.isCancelled
    }

    private func take() -> [Pending] {
        pending.withLock { pending in
            defer { pending = [:] }
            return Array(pending.values)
        }
    }
}
