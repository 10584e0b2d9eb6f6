// SPDX-License-Identifier: Apache-2.0

/// The way back to the client of one request.
package struct HTTPReply: Sendable {
    let mailbox: Mailbox
    let ticket: Ticket

    /// Answers the request, from any thread. Only the first answer counts, and none does when the client has gone; a handler must
    /// answer some time, because the connection waits for it without a deadline.
    package func send(_ response: HTTPResponse) {
        mailbox.post(.answer(ticket, response))
    }
}
