// SPDX-License-Identifier: Apache-2.0

import Compression
import Glibc

extension EventLoop {
    /// Bytes of large bodies that are read in one turn of the loop.
    private static let bodyBytesPerTurn = 1 << 20

    /// Reads while there is something and somebody wants it. What does not fit into one buffer goes on when all others had their turn, so
    /// that small requests do not wait for large ones.
    func read(_ connection: Connection) {
        for _ in 0..<4 where canRead(connection) && !connection.isInLargeBody { readOnce(connection) }
        postpone(connection)
    }

    /// Goes on with large bodies, each connection in its turn.
    func continueUnfinished() {
        guard !unfinished.isEmpty else { return }
        let waiting = unfinished
        unfinished.removeAll(keepingCapacity: true)
        let turn = waiting.prefix(EventLoop.bodyBytesPerTurn / EventLoop.inputSize)
        unfinished += waiting[turn.endIndex...]
        for connection in turn {
            connection.isPostponed = false
            guard canRead(connection) else { continue }
            readOnce(connection)
            postpone(connection)
        }
    }

    private func postpone(_ connection: Connection) {
        guard canRead(connection), !connection.isPostponed else { return }
        connection.isPostponed = true
        unfinished.append(connection)
    }

    /// A connection that was closed has no descriptor any more: its number may be another loop's by now.
    private func canRead(_ connection: Connection) -> Bool {
        isOpen(connection) && connection.hasUnreadInput && connection.wantsInput
    }

    private func readOnce(_ connection: Connection) {
        // What nobody will look at, TCP drops without copying it.
        let flags = connection.state.phase == .lingering ? Int32(MSG_TRUNC) : 0
        let count = recv(connection.descriptor, input.baseAddress, input.count, flags)
        if count > 0 {
            // A short read has emptied the socket; what comes later, the end included, is reported anew.
            connection.hasUnreadInput = count == input.count || connection.hasEnded
            take(connection, count)
        } else if count < 0, errno == EAGAIN {
            connection.hasUnreadInput = false
        } else if count == 0 || errno != EINTR {
            close(connection)
        }
    }

    private func take(_ connection: Connection, _ count: Int) {
        if connection.state.phase == .lingering {
            connection.lingerBudget -= count
            if connection.lingerBudget < 0 { close(connection) }
            return
        }
        // The loop's own buffer, filled up to `count` by recv and left alone until this call is over.
        let bytes = Swift.Span<UInt8>(_unsafeElements: UnsafeBufferPointer(rebasing: input.assumingMemoryBound(to: UInt8.self)[..<count]))
        let used = feed(connection, bytes, from: 0)
        if used < count, !connection.wantsInput { connection.backlog.append(bytes, used..<count) }
    }

    /// Goes on with what came behind an answered request, then with the socket.
    func resume(_ connection: Connection) {
        while isOpen(connection), connection.state.phase == .idle, connection.hasBacklog {
            let bytes = connection.backlog
            connection.backlogStart = feed(connection, bytes.span, from: connection.backlogStart)
        }
        if !connection.hasBacklog, !connection.backlog.isEmpty {
            connection.backlog = []
            connection.backlogStart = 0
        }
        read(connection)
    }

    /// Gives bytes to the reader until they are used up or a request has to be answered first; returns where it stopped.
    private func feed(_ connection: Connection, _ bytes: Swift.Span<UInt8>, from start: Int) -> Int {
        var offset = start
        do throws(HTTPFault) {
            while isOpen(connection), connection.readsRequests {
                switch try connection.reader.next(bytes, at: &offset) {
                case .needsMore:
                    try noteProgress(connection)
                    return offset
                case .head(let head): try begin(connection, head)
                case .body(let body): try complete(connection, body)
                }
            }
        } catch {
            fail(connection, error)
        }
        return offset
    }

    private func noteProgress(_ connection: Connection) throws(HTTPFault) {
        guard connection.reader.isInBody else {
            if connection.reader.isInHead { connection.state.headBegan(at: now) }
            return
        }
        connection.state.bodyGrew(to: connection.reader.bodyReceived, at: now)
        if let upload = connection.request?.upload {
            guard upload.write(connection.reader.takePart()) else { throw .uploadFailed }
        } else if connection.request?.plan?.skipsBody == false {
            try charge(connection, for: connection.reader.bodyReceived)
        }
    }

    /// What has come of a body is charged as it comes, so that many slow clients with large bodies cannot take all memory.
    func charge(_ connection: Connection, for received: Int) throws(HTTPFault) {
        let grown = received - (connection.request?.charged ?? 0)
        guard grown > 0 else { return }
        let memory = connection.request?.memory ?? MemoryHold(context.memory, for: connection.countedAddress)
        try memory.belongs(to: connection.request?.plan?.account ?? 0)
        connection.request?.memory = memory
        try memory.grow(by: grown)
        connection.request?.charged = received
    }

    /// A head is complete: finds out what to do with the request, before its body.
    private func begin(_ connection: Connection, _ parsed: HTTPRequestHead) throws(HTTPFault) {
        var head = parsed
        head.id = ids.next()
        head.client = connection.peer
        connection.serial &+= 1
        connection.request = RequestInProgress(head: head)
        if connection.peerIsTrusted || connection.peer.isLoopback { try countClient(connection, &head) }
        let plan = context.plan(head).settled(for: head)
        if case .refuse(var response) = plan {
            response.close = response.close || head.body != .none
            return answer(connection, response)
        }
        if case .upload = plan, head.headers("Content-Encoding").contains(where: { $0.lowercased() != "identity" }) { throw .codedFile }
        try connection.reader.expect(head.body, limit: plan.bodyLimit, skipping: plan.skipsBody)
        var request = RequestInProgress(head: head, plan: plan, coding: try coding(of: head), countedClient: connection.request?.countedClient)
        if case .upload(_, let directory, _) = plan {
            guard let file = UploadFile(directory: directory, id: head.id) else { throw .uploadFailed }
            request.upload = file
        }
        connection.request = request
        if case .length(let length) = head.body, !plan.skipsBody, request.upload == nil {
            // Better told now than after the half of it.
            guard context.memory.hasRoom(for: length, of: connection.countedAddress, plan.account) else { throw .overloaded }
        }
        if head.expectsContinue, head.body != .none { sendContinue(connection) }
    }

    /// Attributes a request that came through a proxy to the client behind it, and counts it in that client's limits.
    private func countClient(_ connection: Connection, _ head: inout HTTPRequestHead) throws(HTTPFault) {
        let forwarded = head.forwardedFor
        head.client = context.proxies.client(of: connection.peer, forwarded: forwarded)
        let isOwn = forwarded == nil && connection.peer != .unknown
        guard connection.peerIsTrusted, !isOwn else { return }
        guard context.ledger.enter(head.client) else { throw .tooManyRequests }
        connection.request?.countedClient = head.client
    }

    private func coding(of head: HTTPRequestHead) throws(HTTPFault) -> ContentCoding {
        let fields = head.headers("Content-Encoding")
        guard let field = fields.first else { return .identity }
        guard fields.count == 1, let coding = ContentCoding(token: field) else { throw .unsupportedMediaType }
        return coding
    }
}
