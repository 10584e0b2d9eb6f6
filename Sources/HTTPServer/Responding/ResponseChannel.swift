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
        /// The source of events, if they come from one rather than from a task.
        var source: (any HTTPEventSource)?
        /// The bytes that the socket need not have accepted before the source may send more; nil if it may.
        var readyBelow: Int?
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

    /// Sends what a source has, until it finishes or the client disconnects.
    func attach(_ source: any HTTPEventSource) {
        state.withLock { if !$0.isClosed, $0.end == nil { $0.source = source } }
    }

    /// Queues bytes of a source. Returns whether more may be sent.
    func send(_ bytes: [UInt8], butFor most: Int) -> Bool {
        let (announce, isReady) = state.withLock { state in
            if state.isClosed || state.end != nil { return (false, false) }
            state.pending += bytes
            let isReady = state.pending.count + state.inLoop <= most
            state.readyBelow = isReady ? nil : most
            defer { state.isAnnounced = true }
            return (!state.isAnnounced, isReady)
        }
        if announce { mailbox.post(.streamMoved(ticket)) }
        return isReady
    }

    var isReady: Bool { state.withLock { $0.readyBelow == nil } }

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
        let (ready, source) = state.withLock { state in
            state.inLoop = 0
            var source: (any HTTPEventSource)?
            if let most = state.readyBelow, state.pending.count <= most { (state.readyBelow, source) = (nil, state.source) }
            if state.waiting.isEmpty { return ([] as [CheckedContinuation<Void, any Error>], source) }
            let ready = state.waiting.filter { $0.most >= state.pending.count }.map(\.1)
            state.waiting.removeAll { $0.most >= state.pending.count }
            return (ready, source)
        }
        for writer in ready { writer.resume() }
        source?.connectionIsReady()
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Closes the channel and, at once, its connection; bytes that the socket has not accepted are dropped.
    func cut() {
        close()
        mailbox.post(.streamMoved(ticket))
    }

    /// Closes the channel: writers fail and the task is cancelled.
    func close() {
        let (suspended, onClose, source) = state.withLock { state in
            defer {
                state.isClosed = true
                state.pending = []
                state.suspended = []
                state.waiting = []
                state.onClose = nil
                state.source = nil
            }
            return (state.suspended + state.waiting.map(\.1), state.onClose, state.source)
        }
        for writer in suspended { writer.resume(throwing: HTTPStreamError.closed) }
        onClose?()
        source?.connectionClosed()
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

    func finish(_ end: End) {
        state.withLock { state in
            state.end = end
            state.onClose = nil
            state.source = nil
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
