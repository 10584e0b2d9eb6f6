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
            return (state.pending, state.end, state.suspended)
        }
        for writer in suspended { writer.resume() }
        return (bytes, end)
    }

    /// Closes the channel: writers fail and the task is cancelled.
    func close() {
        let (suspended, onClose) = state.withLock { state in
            defer {
                state.isClosed = true
                state.pending = []
                state.suspended = []
                state.onClose = nil
            }
            return (state.suspended, state.onClose)
        }
        for writer in suspended { writer.resume(throwing: HTTPStreamError.closed) }
        onClose?()
    }

    /// Waits until the loop has taken the queued bytes.
    private func waitForCapacity() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch suspend(continuation) {
                case .suspended: break
                case .unneeded: continuation.resume()
                case .pointless: continuation.resume(throwing: HTTPStreamError.closed)
                }
            }
        } onCancel: {
            close()
        }
    }

    private enum Suspension {
        case suspended
        /// The queue was emptied meanwhile.
        case unneeded
        /// The channel is closed.
        case pointless
    }

    private func suspend(_ continuation: CheckedContinuation<Void, any Error>) -> Suspension {
        state.withLock { state in
            if state.isClosed { return .pointless }
            if state.pending.count <= highMark { return .unneeded }
            state.suspended.append(continuation)
            return .suspended
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
}
