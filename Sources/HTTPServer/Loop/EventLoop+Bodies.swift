// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Bodies that are streamed to a sink.
extension EventLoop {
    /// The largest body that is skipped when its sink is refused. Skipping it costs less than a new connection.
    private static let skippedBody = 256 << 10

    /// Asks whether the body is received, before it is read. The connection waits meanwhile, and has its place among the transfers.
    func admitBody(
        _ connection: HTTPConnection, _ head: HTTPRequestHead,
        _ admit: @escaping @Sendable (HTTPRequestHead) async throws(BodyRefusal) -> BodyAcceptance
    ) throws(HTTPRequestError) {
        let countedClient = connection.request?.countedClient
        connection.request = RequestInProgress(head: head, countedClient: countedClient)
        let transfer = try context.transfers.enter(connection.countedAddress, in: context)
        connection.request?.transfer = transfer
        connection.state.requestCompleted(at: now)
        let isTaken = context.tasks.offer { [mailbox, ticket = connection.ticket] in
            do throws(BodyRefusal) {
                mailbox.post(.accepted(ticket, try await admit(head)))
            } catch {
                switch error {
                case .response(let response): mailbox.post(.refused(ticket, response))
                case .fault(let fault): mailbox.post(.fault(ticket, fault))
                }
            }
        }
        guard isTaken else { throw .overloaded }
    }

    /// Takes an accepted body to its transfer loop.
    ///
    /// - Parameter connection: `nil` if the client has gone.
    func receiveBody(_ connection: HTTPConnection?, _ acceptance: BodyAcceptance) {
        guard let connection, connection.request?.transfer != nil else {
            // Not on this thread, because a sink may block.
            _ = context.tasks.offer { acceptance.sink.abandon(.disconnected) }
            return
        }
        connection.request?.sink = acceptance.sink
        connection.request?.sinkLimit = acceptance.limit
        lend(connection, .receive)
    }

    /// Responds to a refused body, after discarding it if it is small.
    func refuseBody(_ connection: HTTPConnection, _ response: HTTPResponse) {
        guard let head = connection.request?.head else { return }
        connection.request?.transfer = nil
        let plan = HTTPPlan.skip(bodyLimit: EventLoop.skippedBody, response).settled(for: head)
        if case .skip = plan {
            connection.request?.plan = plan
            expectBody(connection, head, limit: EventLoop.skippedBody, skipping: true)
        } else {
            var response = response
            response.close = response.close || head.body != .none
            respond(connection, response)
        }
        resume(connection)
    }

    /// Begins to receive a body on this transfer loop.
    func beginBody(_ connection: HTTPConnection) {
        guard let request = connection.request else { return }
        expectBody(connection, request.head, limit: request.sinkLimit, streaming: true)
        guard connection.state.phase == .body else { return }
        if request.head.expectsContinue, request.head.body != .none { sendContinue(connection) }
        // A body without bytes is complete without input.
        feedBacklog(connection)
    }

    private func expectBody(_ connection: HTTPConnection, _ head: HTTPRequestHead, limit: Int, skipping: Bool = false, streaming: Bool = false) {
        do throws(HTTPRequestError) {
            try connection.reader.expect(head.body, limit: limit, skipping: skipping, streaming: streaming)
            connection.state.bodyGrew(to: 0, at: now)
        } catch {
            fail(connection, error)
        }
    }

    /// Passes bytes to the sink. If it refuses them, the response ends the connection, because the rest is not read.
    func write(_ connection: HTTPConnection, _ piece: Swift.Span<UInt8>) {
        guard !piece.isEmpty, let sink = connection.request?.sink else { return }
        context.counters.receivedBytes.wrappingAdd(piece.count, ordering: .relaxed)
        do throws(BodyRefusal) {
            try sink.write(piece)
        } catch {
            connection.request?.sink = nil
            switch error {
            case .fault(let fault): fail(connection, fault)
            case .response(var response):
                response.close = true
                respond(connection, response)
            }
        }
    }

    /// Lets the sink answer a complete body.
    func finishBody(_ connection: HTTPConnection, _ rest: [UInt8]) throws(HTTPRequestError) {
        write(connection, rest.span)
        guard let request = connection.request, let sink = request.sink else { return }
        try start(job(reply(to: connection), request.head, nil) { await sink.finish() })
        connection.request?.sink = nil
    }
}
