// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Sends the response of a request.
package struct HTTPReply: Sendable {
    let mailbox: Mailbox
    let ticket: Ticket
    let responses: ResponseMemory
    var owner: ResponseOwner

    /// Responds from any thread. Only the first call counts, and none if the client is gone. A handler must respond eventually, because the
    /// connection waits without a deadline.
    package func send(_ response: HTTPResponse) {
        mailbox.post(.response(ticket, held(response)))
    }

    /// Returns a response that is counted until it is sent, also if there is no room: its request may have changed something.
    func held(_ response: HTTPResponse) -> HTTPResponse { counted(response, mustFit: false) ?? response }

    /// The same, but one without room is dropped and prepared again when its turn comes, so that those who wait take no memory.
    ///
    /// - Parameter waits: Whether to wait for room before it is prepared, too.
    func fitted(waits: Bool, _ prepare: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        let place = waits && !responses.hasRoom(for: self) ? try await turn() : nil
        let bytes: Int
        do {
            let response = try await prepare()
            if let fitted = counted(response, in: place, mustFit: true) { return fitted }
            bytes = response.body.count
        }
        let sized = try await turn(for: bytes)
        let response = try await prepare()
        return counted(response, in: sized, mustFit: false) ?? response
    }

    /// Waits for room for a large response, whose size may be unknown. It counts until the hold is released. Throws `HTTPRequestError` if that
    /// takes too long, and `ClientLeft` if the client leaves meanwhile.
    @discardableResult
    func turn(for bytes: Int = ResponseMemory.unknownBytes) async throws -> ResponseHold {
        guard let hold = try await responses.turn(of: self, for: bytes) else { throw HTTPRequestError.unreadResponses }
        return hold
    }

    /// Counts a large response in place of the room that was kept for it.
    private func counted(_ response: HTTPResponse, in place: ResponseHold? = nil, mustFit: Bool) -> HTTPResponse? {
        guard response.hold == nil, response.countsUntilSent else { return response }
        var response = response
        response.hold = responses.hold(response.body.count, of: self, in: place, mustFit: mustFit)
        if response.hold != nil { return response }
        response.whenDropped?()
        return nil
    }

    /// Tells an observer if the client disconnects before the response. It holds while the connection waits for this response.
    package func observe(_ observer: any ConnectionObserver) {
        mailbox.post(.observed(ticket, observer))
    }

    /// The same, for a function in place of an observer. It is called on the thread of the connection's loop, where it must not wait.
    func whenClientLeaves(_ action: @escaping @Sendable () -> Void) { observe(LeavingClient(action)) }

    /// The loop of the request's connection.
    package var loop: SocketLoopHandle { SocketLoopHandle { [mailbox] in mailbox.post(.run($0)) } }

    /// Begins a response of events in place of `send`.
    package func stream(status: Int, headers: [(name: String, value: String)], _ source: (HTTPEventSink) -> any HTTPEventSource) {
        // Sources are told when to send, so that the high mark of writers does not matter.
        let channel = ResponseChannel(ticket: ticket, mailbox: mailbox, highMark: 0)
        channel.attach(source(HTTPEventSink(channel: channel)))
        mailbox.post(.stream(ticket, status: status, headers: headers, channel))
    }
}
