// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The reason why a streamed response stopped.
enum HTTPStreamError: Error {
    /// The client disconnected or was too slow, or the server stopped.
    case closed
}

/// The buffer between the task that writes a streamed response and the loop that sends it.
final class ResponseChannel: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var isAnnounced = false
        var isClosed = false
        var end: End?
        var suspended: [CheckedContinuation<Void, any Error>] = []
        /// Bytes that the loop took and the socket has not accepted.
        var inLoop = 0
        /// Writers that wait for the socket, each with the bytes that it need not have accepted.
        var waiting: [(most: Int, CheckedContinuation<Void, any Error>)] = []
        var onClose: (@Sendable () -> Void)?
    }

    /// The writer's result.
    enum End {
        case complete
        case broken
    }

    private let ticket: Ticket
    private let mailbox: Mailbox
    private let highMark: Int
    private let state = Mutex(State())

    init(ticket: Ticket, mailbox: Mailbox, highMark: Int) {
        self.ticket = ticket
        self.mailbox = mailbox
        self.highMark = highMark
    }

    /// Runs the writer until it returns or throws. It is cancelled if the client disconnects.
    func run(_ body: @escaping @Sendable (HTTPResponseWriter) async throws -> Void) async {
        let writing = Task { try await body(HTTPResponseWriter(channel: self)) }
        whenClosed { writing.cancel() }
        let result = await withTaskCancellationHandler {
            await writing.result
        } onCancel: {
            writing.cancel()
        }
        switch result {
        case .success: finish(.complete)
        case .failure: finish(.broken)
        }
    }

    /// Queues bytes, and waits while more than the high mark is queued.
    func write(_ bytes: [UInt8]) async throws {
        try Task.checkCancellation()
        let (announce, isFull) = try state.withLock { state in
            guard !state.isClosed else { throw HTTPStreamError.closed }
            state.pending += bytes
            defer { state.isAnnounced = true }
            return (!state.isAnnounced, state.pending.count > highMark)
        }
        if announce { mailbox.post(.streamMoved(ticket)) }
        if isFull { try await waitForCapacity() }
    }

    /// Returns the queued bytes and whether the stream ended, and resumes waiting writers. Called by the loop.
    func take() -> (bytes: [UInt8], end: End?) {
        let (bytes, end, suspended) = state.withLock { state in
            defer {
                state.pending = []
                state.suspended = []
                state.isAnnounced = false
            }
            state.inLoop = state.pending.count
            return (state.pending, state.end, state.suspended)
        }
        for writer in suspended { writer.resume() }
        return (bytes, end)
    }

    /// Notes that the socket has accepted the bytes that the loop took. Called by the loop.
    func wereSent() {
        let ready = state.withLock { state in
            state.inLoop = 0
            if state.waiting.isEmpty { return [] as [CheckedContinuation<Void, any Error>] }
            let ready = state.waiting.filter { $0.most >= state.pending.count }.map(\.1)
            state.waiting.removeAll { $0.most >= state.pending.count }
            return ready
        }
        for writer in ready { writer.resume() }
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Closes the channel and, at once, its connection; bytes that the socket has not accepted are dropped.
    func cut() {
        close()
        mailbox.post(.streamMoved(ticket))
    }

    /// Closes the channel: writers fail and the task is cancelled.
    func close() {
        let (suspended, onClose) = state.withLock { state in
            defer {
                state.isClosed = true
                state.pending = []
                state.suspended = []
                state.waiting = []
                state.onClose = nil
            }
            return (state.suspended + state.waiting.map(\.1), state.onClose)
        }
        for writer in suspended { writer.resume(throwing: HTTPStreamError.closed) }
        onClose?()
    }

    /// Waits until the socket has accepted all but some of the written bytes.
    func sent(butFor most: Int) async throws {
        if state.withLock({ !$0.isClosed && $0.pending.count + $0.inLoop <= most }) { return }
        try await wait { state, writer in
            if state.pending.count + state.inLoop <= most { return false }
            state.waiting.append((most, writer))
            return true
        }
    }

    /// Waits until the loop has taken the queued bytes.
    private func waitForCapacity() async throws {
        try await wait { [highMark] state, writer in
            if state.pending.count <= highMark { return false }
            state.suspended.append(writer)
            return true
        }
    }

    /// Suspends the writer if `suspend` keeps its continuation, until that is resumed. Throws if the channel is closed.
    private func wait(_ suspend: (inout State, CheckedContinuation<Void, any Error>) -> Bool) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isClosed, isSuspended) = state.withLock { state in
                    state.isClosed ? (true, false) : (false, suspend(&state, continuation))
                }
                if isClosed {
                    continuation.resume(throwing: HTTPStreamError.closed)
                } else if !isSuspended {
                    continuation.resume()
                }
            }
        } onCancel: {
            close()
        }
    }

    private func finish(_ end: End) {
        state.withLock { state in
            state.end = end
            state.onClose = nil
        }
        mailbox.post(.streamMoved(ticket))
    }

    private func whenClosed(_ action: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.onClose = action }
            return state.isClosed
        }
        if isClosed { action() }
    }
}

/// The writing end of a streamed response.
package struct HTTPResponseWriter: Sendable {
    let channel: ResponseChannel

    /// Sends bytes; suspends while the client is behind, and throws if it disconnected.
    package func write(_ bytes: [UInt8]) async throws {
        try await channel.write(bytes)
    }

    /// Waits until the socket has accepted all but some of the written bytes.
    package func sent(butFor most: Int) async throws {
        try await channel.sent(butFor: most)
    }

    /// Ends the stream and its connection at once. Bytes that the client has not read are dropped.
    package func cut() {
        channel.cut()
    }
}
