// SPDX-License-Identifier: Apache-2.0

/// An event loop that also watches sockets of other modules. It is used on its thread only.
package protocol SocketLoop: AnyObject {
    /// Watches a socket for input. Returns false if the system has no room for it.
    func watch(_ descriptor: Int32, for owner: any ExternalSocket) -> Bool
    /// Watches a socket for input, and for room for output if that is wanted.
    func watchOutput(_ isWanted: Bool, of descriptor: Int32)
    /// Ends the watch. The socket is closed afterwards.
    func unwatch(_ descriptor: Int32)
}

/// A socket of another module that a loop watches. It is called on the loop's thread, where it must not wait.
package protocol ExternalSocket: AnyObject {
    /// The socket has input, room for output, or an error, which reading returns.
    func socketIsReady(toRead: Bool, toWrite: Bool)
    /// Called several times a second.
    func timePassed()
    /// The loop ends; the socket must be closed.
    func loopEnds()
}

/// A handle that runs closures on the thread of a loop, from any thread.
package struct SocketLoopHandle: Sendable {
    private let post: @Sendable (@escaping @Sendable (any SocketLoop) -> Void) -> Void

    package init(_ post: @escaping @Sendable (@escaping @Sendable (any SocketLoop) -> Void) -> Void) { self.post = post }

    package func run(_ body: @escaping @Sendable (any SocketLoop) -> Void) { post(body) }
}
