// SPDX-License-Identifier: Apache-2.0

/// Sends the response of a request.
package struct HTTPReply: Sendable {
    let mailbox: Mailbox
    let ticket: Ticket

    /// Responds from any thread. Only the first call counts, and none if the client is gone. A handler must respond eventually, because the
    /// connection waits without a deadline.
    package func send(_ response: HTTPResponse) {
        mailbox.post(.response(ticket, response))
    }
}
