// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Synchronization

/// What other threads tell a loop.
enum LoopMessage: Sendable {
    case answer(Ticket, HTTPResponse)
    case fault(Ticket, HTTPFault)
    /// Whose request it is has been found out.
    case identified(Ticket, HTTPPlan, ArrivedRequest)
    case stream(Ticket, status: Int, headers: [(name: String, value: String)], ResponseChannel)
    /// The stream's channel has something to take.
    case streamMoved(Ticket)
    /// Show that you still turn.
    case turn
    /// Take no more connections, end idle ones, and end everything at this monotonic millisecond.
    case drain(until: Int64)
}

/// Carries messages to a loop and wakes it, once per batch, if it sleeps.
///
/// It never holds more than a few messages per connection: one answer per request, one announcement per stream.
final class Mailbox: Sendable {
    private struct State {
        var messages: [LoopMessage] = []
        var loopSleeps = false
    }

    let wakeUp: Int32
    private let state = Mutex(State())

    init() throws(HTTPServerError) {
        wakeUp = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard wakeUp >= 0 else { throw .outOfDescriptors(systemReason()) }
    }

    deinit {
        close(wakeUp)
    }

    func post(_ message: LoopMessage) {
        let wakes = state.withLock { state in
            state.messages.append(message)
            defer { state.loopSleeps = false }
            return state.loopSleeps
        }
        if wakes { eventfd_write(wakeUp, 1) }
    }

    /// Everything that waits. When there is nothing, the loop counts as asleep from now on and the next message wakes it.
    func takeOrSleep(into messages: inout [LoopMessage]) {
        messages.removeAll(keepingCapacity: true)
        state.withLock { state in
            swap(&messages, &state.messages)
            state.loopSleeps = messages.isEmpty
        }
    }

    /// The loop is busy and will look by itself before it sleeps again.
    func stayAwake() {
        state.withLock { $0.loopSleeps = false }
    }

    func clearWakeUp() {
        var count: eventfd_t = 0
        eventfd_read(wakeUp, &count)
    }
}

func systemReason() -> String {
    String(cString: strerror(errno))
}
