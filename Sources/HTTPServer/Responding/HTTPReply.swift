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
    func held(_ response: HTTPResponse) -> HTTPResponse {
        guard response.hold == nil, response.countsUntilSent else { return response }
        var response = response
        response.hold = responses.hold(response.body.count, of: self, mustFit: false)
        return response
    }

    /// The same; throws if there is no room.
    func fitted(_ response: HTTPResponse) throws(HTTPRequestError) -> HTTPResponse {
        guard response.hold == nil, response.countsUntilSent else { return response }
        var response = response
        response.hold = responses.hold(response.body.count, of: self, mustFit: true)
        guard response.hold != nil else { throw .unreadResponses }
        return response
    }

    /// Throws if there is no room for a large response.
    func requireRoom() throws(HTTPRequestError) {
        guard responses.hasRoom(for: self) else { throw .unreadResponses }
    }

    /// Tells an observer if the client disconnects before the response. It holds while the connection waits for this response.
    package func observe(_ observer: any ConnectionObserver) {
        mailbox.post(.observed(ticket, observer))
    }

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
