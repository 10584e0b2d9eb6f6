// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A connection on its way from one loop to another. It is closed if no loop takes it.
///
/// `@unchecked Sendable`: the sending loop has forgotten the connection, and the receiving one takes it once.
final class MovedConnection: @unchecked Sendable {
    private var connection: HTTPConnection?

    init(_ connection: HTTPConnection) {
        self.connection = connection
    }

    func take() -> HTTPConnection? { connection.take() }

    deinit {
        if let connection { close(connection.descriptor) }
    }
}

/// The step of a transfer for which a connection moves to another loop.
enum TransferStep: Sendable {
    /// The body of its request is received.
    case receive
    /// A response with a file is sent.
    case respond(HTTPResponse)
    /// The transfer is complete, and the connection is back on its first loop.
    case complete
}
