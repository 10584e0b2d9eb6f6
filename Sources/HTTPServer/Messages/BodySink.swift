// SPDX-License-Identifier: Apache-2.0

/// The destination of one request's body, which receives it in pieces as they arrive.
///
/// A transfer loop calls it from its thread, where it may block, such as for hashing or `pwrite`: the connection is not read meanwhile, so
/// nothing is buffered beyond a piece. Calls come one at a time: any number of `write`, then at most one of `finish` and `abandon`. A sink
/// that is released without either, because the server ended, cleans up in its `deinit`.
package protocol BodySink: AnyObject, Sendable {
    /// Takes the next bytes, at most `BodyPiece.largest`; they are valid during the call only. A chunked body is decoded before; a
    /// `Content-Encoding` is left as it is.
    ///
    /// An error is the response; the rest of the body is then not read, and neither `finish` nor `abandon` is called.
    func write(_ piece: Swift.Span<UInt8>) throws(BodyRefusal)

    /// Answers after the last piece. It runs as a child task of `HTTPServer.run()`, not on the transfer loop.
    func finish() async -> HandlerResponse

    /// Gives up, because the body will not be complete. What came stays or goes as the protocol wants it.
    func abandon(_ reason: BodyAbandonment)
}

package enum BodyPiece {
    /// The size limit of a piece in bytes.
    package static let largest = 256 << 10
}

/// The reason why a body is not accepted, or not further.
package enum BodyRefusal: Error, Sendable {
    /// A response of the handler.
    case response(HTTPResponse)
    /// A fault whose response the daemon makes.
    case fault(HTTPRequestError)
}

/// The reason why a body that was accepted is not complete.
package enum BodyAbandonment: Sendable, Equatable {
    /// The client closed the connection.
    case disconnected
    /// The body is too large, too slow or malformed, or no task was free to answer it. The server responds.
    case fault(HTTPRequestError)
    /// The grace period of a shutdown is over.
    case stopped
}

/// The decision to receive a body.
package struct BodyAcceptance: Sendable {
    package let sink: any BodySink
    /// The size limit of the body in bytes after chunks are decoded. A larger declared length is rejected, and an undeclared one is cut off.
    package let limit: Int

    package init(_ sink: any BodySink, limit: Int) {
        (self.sink, self.limit) = (sink, limit)
    }
}
