// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

extension EventLoop {
    /// Responds to a fault. The connection closes afterwards, because the following bytes cannot be parsed reliably.
    func fail(_ connection: HTTPConnection, _ fault: HTTPRequestError) {
        context.counters.faults.wrappingAdd(1, ordering: .relaxed)
        let sink = connection.request?.sink.take()
        sink?.abandon(.fault(fault))
        var response = context.problem(fault, connection.request?.head)
        response.close = true
        respond(connection, response)
    }

    func respond(_ connection: HTTPConnection, _ response: HTTPResponse) {
        if response.hangsUp { return close(connection) }
        let status = (200...599).contains(response.status) ? response.status : 500
        let hasBody = status != 204 && status != 304
        let content = hasBody && connection.request?.head.method != .head ? content(of: response) : .bytes([])
        if case .file = content, !isTransferLoop {
            connection.state.requestCompleted(at: now)
            return mailbox.post(.file(connection.ticket, response))
        }
        beginResponse(connection, status, response.headers, closes: response.close)
        encoder.endHead(hasBody ? .length(response.length) : nil)
        keep(response.hold, connection)
        send(connection, content)
        if isOpen(connection), !connection.hasOutput { responseSent(connection) }
    }

    /// Keeps the hold of a large response until it is sent.
    private func keep(_ hold: ResponseHold?, _ connection: HTTPConnection) {
        guard let hold else { return }
        connection.hold = hold
        hold.progressed(at: now)
        limitKernel(connection)
    }

    /// The body of a response as it is sent.
    private enum Content {
        case bytes([UInt8])
        case file(FileBody)
    }

    /// The size up to which a file is sent in one call with the head.
    private static let smallFile = 16 << 10

    /// Returns the content of a small file, if it can be read without waiting where that is not allowed.
    private func content(of response: HTTPResponse) -> Content {
        guard let file = response.file else { return .bytes(response.body) }
        if file.length <= EventLoop.smallFile, let bytes = file.bytes(waiting: isTransferLoop) { return .bytes(bytes) }
        return .file(file)
    }

    private func send(_ connection: HTTPConnection, _ content: Content) {
        switch content {
        case .bytes(let body):
            let isLarge = body.count > EventLoop.largestCopy
            if !isLarge { encoder.append(body: body) }
            sendResponse(connection, body: isLarge ? body : [])
        case .file(let file):
            connection.file = FileToSend(file)
            sendResponse(connection)
        }
    }

    private func beginResponse(_ connection: HTTPConnection, _ status: Int, _ headers: [(name: String, value: String)], closes: Bool) {
        let keepsAlive = connection.request?.head.keepsAlive ?? false
        connection.closesAfterResponse = closes || !keepsAlive || drainsUntil != nil
        context.counters.responses.wrappingAdd(1, ordering: .relaxed)
        encoder.begin(status: status, id: connection.request?.head.id ?? ids.next(), closes: connection.closesAfterResponse)
        encoder.append(headers: headers)
    }

    /// The size above which a body is sent without copying, so that many slow readers of one page share it.
    private static let largestCopy = 32 << 10

    private func sendResponse(_ connection: HTTPConnection, body: [UInt8] = []) {
        connection.state.writeBegan(at: now)
        let sent = send(connection, encoder.bytes[...], more: !body.isEmpty || connection.file != nil)
        if sent < encoder.bytes.count {
            connection.queue(encoder.handOver(), sent: sent, body: body)
        } else if !body.isEmpty || connection.file != nil {
            connection.queue(body)
            _ = flush(connection)
        }
    }

    /// Sends bytes and returns the accepted count. Errors are left to the poller, which reports them too. `more` announces further bytes.
    private func send(_ connection: HTTPConnection, _ bytes: ArraySlice<UInt8>, more: Bool = false) -> Int {
        let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
        // send(2) reads from the array's own storage, which lives for the duration of the closure.
        let count = bytes.withUnsafeBytes { Glibc.send(connection.descriptor, $0.baseAddress, $0.count, flags) }
        connection.state.wrote(count, at: now)
        if count > 0 { connection.hold?.progressed(at: now) }
        return max(0, count)
    }

    /// Sends a few bytes. The output is empty, so the socket accepts them unless the client is gone.
    func sendContinue(_ connection: HTTPConnection) {
        _ = send(connection, ResponseEncoder.continueLine[...])
    }

    /// Continues sending after the socket became writable.
    func continueResponse(_ connection: HTTPConnection) {
        guard flush(connection) else { return }
        if connection.stream != nil {
            pump(connection)
        } else {
            responseSent(connection)
            resume(connection)
        }
    }

    /// Returns whether all output is sent. A file continues in later turns.
    private func flush(_ connection: HTTPConnection) -> Bool {
        while connection.hasBytes {
            let sent = send(connection, connection.output[connection.outputStart...])
            guard sent > 0 else { return false }
            connection.wasSent(sent)
        }
        return connection.file == nil || sendPart(connection)
    }

    private func responseSent(_ connection: HTTPConnection) {
        settle(connection)
        if !connection.closesAfterResponse, drainsUntil == nil {
            connection.state.becomeIdle(at: now)
        } else if !connection.closesAfterResponse, context.othersTakeOver {
            connection.state.lastCall(at: now)
        } else {
            shutdown(connection.descriptor, Int32(SHUT_WR))
            connection.backlog = []
            connection.backlogStart = 0
            connection.reader.dropBody()
            connection.state.lingers(at: now)
        }
    }

    /// Releases the memory and counts held by the current request.
    func settle(_ connection: HTTPConnection) {
        connection.stream?.close()
        (connection.stream, connection.file, connection.hold) = (nil, nil, nil)
        guard let request = connection.request else { return }
        request.sink?.abandon(hasStopped ? .stopped : .disconnected)
        request.observer?.connectionClosed()
        if let client = request.countedClient { context.ledger.leave(client) }
        connection.request = nil
    }

    /// The bytes of a stream or large response that wait in the kernel before they are sent. Without a limit, connections that nobody reads take
    /// megabytes each, and a system that has none left for TCP stalls the connections of others.
    private static let unsentBytes: Int32 = 128 << 10

    private func limitKernel(_ connection: HTTPConnection) {
        enable(TCP_NOTSENT_LOWAT, EventLoop.unsentBytes, of: Int32(IPPROTO_TCP), on: connection.descriptor)
    }

    // MARK: Streams

    func beginStream(_ connection: HTTPConnection, _ status: Int, _ headers: [(name: String, value: String)], _ channel: ResponseChannel) {
        guard let head = connection.request?.head, !connection.hasEnded else {
            channel.close()
            return close(connection)
        }
        limitKernel(connection)
        connection.request?.observer = nil
        beginResponse(connection, status, headers, closes: false)
        encoder.endHead(head.isHTTP10 ? .untilClose : .chunked)
        if head.method != .head { connection.stream = channel }
        sendResponse(connection)
        if connection.stream != nil {
            pump(connection)
        } else if !connection.hasOutput {
            responseSent(connection)
            resume(connection)
        }
    }

    /// Sends bytes queued by a stream's writer while the socket accepts them.
    func pump(_ connection: HTTPConnection) {
        guard let stream = connection.stream else { return }
        if stream.isClosed { return close(connection) }
        if connection.hasOutput { return }
        let isHTTP10 = connection.request?.head.isHTTP10 ?? true
        let (bytes, end) = stream.take()
        if case .broken? = end { return close(connection) }
        var output = isHTTP10 ? bytes : ResponseEncoder.chunk(bytes)
        if end != nil {
            connection.stream = nil
            if !isHTTP10 { output += ResponseEncoder.lastChunk }
        }
        connection.state.writeBegan(at: now)
        connection.queue(output)
        guard flush(connection) else { return }
        stream.wereSent()
        if end == nil { return connection.state.streamBecameIdle(at: now) }
        responseSent(connection)
        resume(connection)
    }
}
