// SPDX-License-Identifier: Apache-2.0

import Compression
import Glibc
import Platform

/// A request with its complete body, still compressed.
struct ReceivedRequest: Sendable {
    let head: HTTPRequestHead
    let body: [UInt8]
    let coding: ContentCoding
    let memory: MemoryHold?
    /// Whether the plan drops what exceeds its limits.
    var truncates = false
    /// Whether the end of the body was dropped.
    var isTruncated = false
    /// The place where the connection waits for the response.
    var reply: HTTPReply

    /// Returns the request with its memory, and that of its response, assigned to an account.
    func belonging(to account: Int64) throws(HTTPRequestError) -> ReceivedRequest {
        try memory?.belongs(to: account)
        var request = self
        request.reply.owner.account = account
        return request
    }

    /// Returns the request with its body decompressed and charged. An empty body is valid in every coding.
    func decoded(limit: Int, lane: WorkExecutor? = nil) throws(HTTPRequestError) -> HTTPRequest {
        if coding == .identity || body.isEmpty {
            guard truncates || body.count <= limit else { throw .tooLarge }
            return request(body.count <= limit ? body : Array(body.prefix(limit)), isTruncated || body.count > limit, lane)
        }
        // The decoded size is known afterwards, so require memory for at least the compressed size first.
        try memory?.grow(by: body.count)
        let plain = try decompressed(limit)
        try memory?.grow(by: plain.bytes.count - body.count)
        return request(plain.bytes, !plain.isWhole, lane)
    }

    private func request(_ body: [UInt8], _ isTruncated: Bool, _ lane: WorkExecutor?) -> HTTPRequest {
        HTTPRequest(head: head, body: body, bodyFile: nil, isTruncated: isTruncated, memory: memory, lane: lane, reply: reply)
    }

    private func decompressed(_ limit: Int) throws(HTTPRequestError) -> (bytes: [UInt8], isWhole: Bool) {
        do throws(DecodeError) {
            if truncates {
                let beginning = try decodeBeginning(body, coding: coding, limit: limit, isTruncated: isTruncated, spare: HTTPRequest.spare)
                return (beginning.bytes, beginning.isWhole)
            }
            return (try decode(body, coding: coding, limit: limit, spare: HTTPRequest.spare), true)
        } catch {
            switch error {
            case .tooLarge: throw .tooLarge
            case .malformed: throw .badRequest("the body does not match its Content-Encoding")
            }
        }
    }
}

extension EventLoop {
    /// The size up to which a body is decoded on the loop's thread.
    private static let smallBody = 64 << 10
    /// The size up to which a compressed body is decoded on the loop's thread.
    private static let smallCodedBody = 8 << 10
    /// The decoding time of one turn of the loop; after that, small bodies go to the decoders too.
    private static let decodeNanosecondsPerTurn: UInt64 = 2_000_000

    /// Passes a complete request to its handler.
    func complete(_ connection: HTTPConnection, _ body: [UInt8]) throws(HTTPRequestError) {
        connection.state.requestCompleted(at: now)
        if connection.request?.sink != nil { return try finishBody(connection, body) }
        guard let request = connection.request, let plan = request.plan else { return }
        if !plan.skipsBody { try charge(connection, for: body.count) }
        connection.request?.plan = nil
        // The query may carry a compressed payload too.
        let memory = connection.request?.memory ?? MemoryHold(context.memory, for: connection.countedAddress)
        connection.request?.memory = memory
        var arrived = ReceivedRequest(
            head: request.head, body: body, coding: request.coding, memory: memory, reply: reply(to: connection))
        arrived.isTruncated = connection.reader.isTruncated
        try dispatch(connection, plan, arrived)
    }

    /// Runs a request where its plan and body size require: on the loop, on a decoder thread, or as a task.
    func dispatch(_ connection: HTTPConnection, _ plan: HTTPPlan, _ arrived: ReceivedRequest) throws(HTTPRequestError) {
        switch plan {
        case .respond(let response), .skip(_, let response): respond(connection, response)
        case .receive: throw .badRequest("the key of a streamed body must be in the head")
        case .truncating(_, let plan):
            var arrived = arrived
            arrived.truncates = true
            try dispatch(connection, plan, arrived)
        case .identify(_, let limit, let account, let find):
            try identify(connection, try arrived.belonging(to: account), limit, account, find)
        case .inline(_, let limit, let account, let handler):
            try runInline(connection, try arrived.belonging(to: account), limit, account, handler)
        case .async(_, let limit, let account, let handler):
            try runAsync(try arrived.belonging(to: account), limit, account, handler)
        }
    }

    private func runAsync(
        _ arrived: ReceivedRequest, _ limit: Int, _ account: Int64, _ handler: @escaping @Sendable (HTTPRequest) async -> HandlerResponse
    ) throws(HTTPRequestError) {
        if arrived.coding == .identity && arrived.body.count <= EventLoop.smallBody || arrived.body.isEmpty {
            let job = job(arrived.reply, arrived.head, nil) { () throws(HTTPRequestError) in await handler(try arrived.decoded(limit: limit)) }
            return try start(job)
        }
        let share = WorkShare(account: account, client: arrived.head.client)
        let lane = WorkExecutor(context.decoders, for: share)
        let job = job(arrived.reply, arrived.head, lane) { () throws(HTTPRequestError) in
            await handler(try arrived.decoded(limit: limit, lane: lane))
        }
        // The task starts when a decoder is free, which bounds the number of waiting tasks.
        let isTaken = context.decoders.offer(for: share) { [tasks = context.tasks] in
            if !tasks.offer(job) { job.reply.mailbox.post(.fault(job.reply.ticket, .overloaded)) }
        }
        guard isTaken else { throw .overloaded }
    }

    private func identify(
        _ connection: HTTPConnection, _ arrived: ReceivedRequest, _ limit: Int, _ account: Int64,
        _ find: @escaping @Sendable (HTTPRequest) -> (HTTPPlan, body: [UInt8])
    ) throws(HTTPRequestError) {
        let (mailbox, ticket) = (mailbox, connection.ticket)
        let share = WorkShare(account: account, client: arrived.head.client)
        let isTaken = context.scans.offer(for: share) {
            do throws(HTTPRequestError) {
                let request = try arrived.decoded(limit: limit)
                let (plan, body) = find(request)
                try request.memory?.grow(by: max(0, body.count - request.body.count))
                let plain = ReceivedRequest(head: request.head, body: body, coding: .identity, memory: request.memory, reply: arrived.reply)
                mailbox.post(.identified(ticket, plan, plain))
            } catch {
                mailbox.post(.fault(ticket, error))
            }
        }
        guard isTaken else { throw .overloaded }
    }

    private func runInline(
        _ connection: HTTPConnection, _ arrived: ReceivedRequest, _ limit: Int, _ account: Int64,
        _ handler: @escaping @Sendable (HTTPRequest, HTTPReply) -> Void
    ) throws(HTTPRequestError) {
        let reply = arrived.reply
        if arrived.body.isEmpty { return handler(try arrived.decoded(limit: limit), reply) }
        if decodeNanoseconds < EventLoop.decodeNanosecondsPerTurn {
            let start = monotonicNanoseconds()
            defer { decodeNanoseconds += monotonicNanoseconds() - start }
            if let small = try decodedIfSmall(arrived, limit) { return handler(small, reply) }
        }
        let share = WorkShare(account: account, client: arrived.head.client)
        let lane = WorkExecutor(context.decoders, for: share)
        let isTaken = context.decoders.offer(for: share) { [mailbox, ticket = connection.ticket] in
            do throws(HTTPRequestError) {
                handler(try arrived.decoded(limit: limit, lane: lane), reply)
            } catch {
                mailbox.post(.fault(ticket, error))
            }
        }
        guard isTaken else { throw .overloaded }
    }

    /// Returns `nil` if the body is large after decompression.
    private func decodedIfSmall(_ arrived: ReceivedRequest, _ limit: Int) throws(HTTPRequestError) -> HTTPRequest? {
        if arrived.coding == .identity {
            return arrived.body.count <= min(limit, EventLoop.smallBody) || arrived.body.count > limit ? try arrived.decoded(limit: limit) : nil
        }
        guard arrived.body.count <= EventLoop.smallCodedBody else { return nil }
        do throws(HTTPRequestError) {
            return try arrived.decoded(limit: min(limit, EventLoop.smallBody))
        } catch {
            guard error == .tooLarge, limit > EventLoop.smallBody else { throw error }
            return nil
        }
    }

    /// The place where a connection waits for its response.
    func reply(to connection: HTTPConnection) -> HTTPReply {
        let owner = ResponseOwner(account: 0, client: connection.countedAddress?.subscriber)
        return HTTPReply(mailbox: mailbox, ticket: connection.ticket, responses: context.responses, owner: owner)
    }

    func job(
        _ reply: HTTPReply, _ head: HTTPRequestHead, _ lane: WorkExecutor?,
        _ handler: @escaping @Sendable () async throws(HTTPRequestError) -> HandlerResponse
    ) -> HandlerJob {
        HandlerJob(reply: reply, isHead: head.method == .head, streamHighMark: context.caps.streamHighMark, lane: lane, handler: handler)
    }

    func start(_ job: HandlerJob) throws(HTTPRequestError) {
        guard context.tasks.offer(job) else { throw .overloaded }
    }
}

private func monotonicNanoseconds() -> UInt64 { UInt64(SystemClock.nanoseconds(CLOCK_MONOTONIC)) }
