// SPDX-License-Identifier: Apache-2.0

/// Something that a client waits for. It is told when the client no longer does.
package protocol ConnectionObserver: AnyObject, Sendable {
    /// The client disconnected or was too slow, or the server stopped. Nothing can be sent any more.
    func connectionClosed()
}

/// The source of a response of events. It is told when it may send, on the loop's thread, where it must not wait.
package protocol HTTPEventSource: ConnectionObserver {
    /// The connection has taken what was sent before.
    func connectionIsReady()
}

/// The writing end of a response of events.
///
///     send 64 KiB     → false: more must not be sent yet
///     connectionIsReady
///     send 1 KiB      → true: more may be sent at once
package struct HTTPEventSink: Sendable {
    let channel: ResponseChannel

    /// Sends bytes. Returns false if the socket has not accepted all but some of everything that was sent; the source is told when it has.
    package func send(_ bytes: [UInt8], butFor most: Int) -> Bool { channel.send(bytes, butFor: most) }

    /// Whether more may be sent.
    package var isReady: Bool { channel.isReady }
    package var isClosed: Bool { channel.isClosed }

    /// Ends the response after what was sent.
    package func finish() { channel.finish(.complete) }

    /// Ends the response and its connection at once. Bytes that the client has not read are dropped.
    package func cut() { channel.cut() }
}
