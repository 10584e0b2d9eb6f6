// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform
import Synchronization

/// A message from another thread to a loop.
enum LoopMessage: Sendable {
    case response(Ticket, HTTPResponse)
    /// The response has a file that a transfer loop must send.
    case file(Ticket, HTTPResponse)
    /// The decisions about a body that is not read yet.
    case accepted(Ticket, BodyAcceptance)
    case refused(Ticket, HTTPResponse)
    /// A connection comes from another loop.
    case arrival(MovedConnection, TransferStep)
    /// No loop lends connections any more.
    case feedersEnded
    /// An observer asks to be told if the client disconnects before its response.
    case observed(Ticket, any ConnectionObserver)
    case fault(Ticket, HTTPRequestError)
    /// The response was sent too slowly to be kept.
    case closeUnsent(Ticket)
    /// The key scan of a request has finished.
    case identified(Ticket, HTTPPlan, ReceivedRequest)
    case stream(Ticket, status: Int, headers: [(name: String, value: String)], ResponseChannel)
    /// The stream's channel has bytes.
    case streamMoved(Ticket)
    /// A closure of another module to run on the loop's thread.
    case run(@Sendable (any SocketLoop) -> Void)
    /// A liveness probe.
    case turn
    /// Stop accepting, close idle connections, and close all others at this monotonic time in milliseconds.
    case drain(until: Int64)
}

/// A queue of messages to a loop. It wakes a sleeping loop once for each batch.
///
/// It is bounded by the connections: one response and its end, an observer for each wait, and two closures for each request, one
/// notification for each stream, and the connection itself; and by the external sockets, with one closure for the end of each.
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

    /// Returns all messages. If there are none, the loop is marked as asleep and the next message wakes it.
    func takeOrSleep(into messages: inout [LoopMessage]) {
        messages.removeAll(keepingCapacity: true)
        state.withLock { state in
            swap(&messages, &state.messages)
            state.loopSleeps = messages.isEmpty
        }
    }

    /// Marks the loop as awake; it checks the mailbox before it sleeps again.
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
