// SPDX-License-Identifier: Apache-2.0

import Compression
import Glibc

extension EventLoop {
    /// The limit of connections that continue a body in one turn of the loop, each with one read.
    private static let readsPerTurn = 16

    /// Reads and parses available bytes. A body larger than the buffer continues after all other connections had their turn, so that small
    /// requests do not wait for large ones.
    func read(_ connection: HTTPConnection) {
        for _ in 0..<4 where canRead(connection) && !connection.isInLargeBody { readOnce(connection) }
        postpone(connection)
    }

    /// Continues unfinished connections in order.
    func continueUnfinished() {
        guard !unfinished.isEmpty else { return }
        let waiting = unfinished
        unfinished.removeAll(keepingCapacity: true)
        let turn = waiting.prefix(EventLoop.readsPerTurn)
        unfinished += waiting[turn.endIndex...]
        for connection in turn {
            guard isOpen(connection) else { continue }
            connection.isPostponed = false
            guard canRead(connection) else { continue }
            readOnce(connection)
            postpone(connection)
        }
    }

    private func postpone(_ connection: HTTPConnection) {
        guard canRead(connection), !connection.isPostponed else { return }
        connection.isPostponed = true
        unfinished.append(connection)
    }

    /// Returns `false` for a closed or moved connection, whose descriptor may already belong to another loop.
    private func canRead(_ connection: HTTPConnection) -> Bool {
        isOpen(connection) && connection.hasUnreadInput && connection.wantsInput
    }

    private func readOnce(_ connection: HTTPConnection) {
        // MSG_TRUNC discards bytes without copying them.
        let flags = connection.state.phase == .lingering ? Int32(MSG_TRUNC) : 0
        let count = recv(connection.descriptor, input.baseAddress, input.count, flags)
        if count > 0 {
            // A short read has emptied the socket. Later bytes and the end of the stream are reported again.
            connection.hasUnreadInput = count == input.count || connection.hasEnded
            take(connection, count)
        } else if count < 0, errno == EAGAIN {
            connection.hasUnreadInput = false
        } else if count == 0 || errno != EINTR {
            close(connection)
        }
    }

    private func take(_ connection: HTTPConnection, _ count: Int) {
        if connection.state.phase == .lingering {
            connection.lingerBudget -= count
            if connection.lingerBudget < 0 { close(connection) }
            return
        }
        // The loop's buffer holds `count` bytes from recv and does not change during this call.
        let bytes = Swift.Span<UInt8>(_unsafeElements: UnsafeBufferPointer(rebasing: input.assumingMemoryBound(to: UInt8.self)[..<count]))
        let used = feed(connection, bytes, from: 0)
        if used < count, !connection.wantsInput { connection.backlog.append(bytes, used..<count) }
    }

    /// Continues with buffered bytes after an answered request, then with the socket. A transfer loop returns the connection instead.
    func resume(_ connection: HTTPConnection) {
        guard isOpen(connection) else { return }
        if isTransferLoop, connection.state.phase == .idle { return returnHome(connection) }
        while isOpen(connection), connection.readsRequests, connection.hasBacklog { feedBacklog(connection) }
        if !connection.hasBacklog, !connection.backlog.isEmpty {
            connection.backlog = []
            connection.backlogStart = 0
        }
        read(connection)
    }

    /// Feeds the buffered bytes, which may be none.
    func feedBacklog(_ connection: HTTPConnection) {
        let bytes = connection.backlog
        connection.backlogStart = feed(connection, bytes.span, from: connection.backlogStart)
    }

    /// Feeds bytes to the reader until they are consumed or a request must be answered first; returns the end position.
    private func feed(_ connection: HTTPConnection, _ bytes: Swift.Span<UInt8>, from start: Int) -> Int {
        var offset = start
        do throws(HTTPRequestError) {
            while isOpen(connection), connection.readsRequests {
                switch try connection.reader.next(bytes, at: &offset) {
                case .needsMore:
                    try noteProgress(connection)
                    return offset
                case .head(let head): try begin(connection, head)
                case .piece(let range):
                    connection.state.bodyGrew(to: connection.reader.bodyReceived, at: now)
                    write(connection, bytes.extracting(range))
                case .body(let body): try complete(connection, body)
                }
            }
        } catch {
            fail(connection, error)
        }
        return offset
    }

    private func noteProgress(_ connection: HTTPConnection) throws(HTTPRequestError) {
        guard connection.reader.isInBody else {
            if connection.reader.isInHead { connection.state.headBegan(at: now) }
            return
        }
        connection.state.bodyGrew(to: connection.reader.bodyReceived, at: now)
        if connection.request?.sink != nil {
            write(connection, connection.reader.takePart().span)
        } else if connection.request?.plan?.skipsBody == false {
            try charge(connection, for: connection.reader.bodyKept)
        }
    }

    /// Charges body bytes as they arrive, so that many slow uploads cannot exhaust the memory.
    func charge(_ connection: HTTPConnection, for received: Int) throws(HTTPRequestError) {
        let grown = received - (connection.request?.charged ?? 0)
        guard grown > 0 else { return }
        let memory = connection.request?.memory ?? MemoryHold(context.memory, for: connection.countedAddress)
        try memory.belongs(to: connection.request?.plan?.account ?? 0)
        connection.request?.memory = memory
        try memory.grow(by: grown)
        connection.request?.charged = received
    }

    /// Plans the request after its head and before its body.
    private func begin(_ connection: HTTPConnection, _ parsed: HTTPRequestHead) throws(HTTPRequestError) {
        var head = parsed
        head.id = ids.next()
        head.client = connection.peer
        connection.serial &+= 1
        connection.request = RequestInProgress(head: head)
        if connection.peerIsTrusted || connection.peer.isLoopback { try countClient(connection, &head) }
        let plan = context.plan(head).settled(for: head)
        if case .respond(var response) = plan {
            response.close = response.close || head.body != .none
            return respond(connection, response)
        }
        if case .receive(account: _, let admit) = plan { return try admitBody(connection, head, admit) }
        let kept = plan.acceptedBytes == nil ? Int.max : plan.bodyLimit
        try connection.reader.expect(head.body, limit: plan.acceptedBytes ?? plan.bodyLimit, keeping: kept, skipping: plan.skipsBody)
        let countedClient = connection.request?.countedClient
        connection.request = RequestInProgress(head: head, plan: plan, coding: try coding(of: head), countedClient: countedClient)
        if case .length(let length) = head.body, !plan.skipsBody {
            // Reject before the body is sent.
            guard context.memory.hasCapacity(for: min(length, kept), of: connection.countedAddress, plan.account) else { throw .overloaded }
        }
        if head.expectsContinue, head.body != .none { sendContinue(connection) }
    }

    /// Attributes a proxied request to its client and applies that client's limits.
    private func countClient(_ connection: HTTPConnection, _ head: inout HTTPRequestHead) throws(HTTPRequestError) {
        let forwarded = head.forwardedFor
        head.client = context.proxies.client(of: connection.peer, forwarded: forwarded)
        let isOwn = forwarded == nil && connection.peer != .unknown
        guard connection.peerIsTrusted, !isOwn else { return }
        guard context.ledger.enter(head.client) else { throw .tooManyRequests }
        connection.request?.countedClient = head.client
    }

    private func coding(of head: HTTPRequestHead) throws(HTTPRequestError) -> ContentCoding {
        let fields = head.headers("Content-Encoding")
        guard let field = fields.first else { return .identity }
        guard fields.count == 1, let coding = ContentCoding(token: field) else { throw .unsupportedMediaType }
        return coding
    }
}
