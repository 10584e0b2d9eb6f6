// SPDX-License-Identifier: Apache-2.0

package struct HTTPRequest: Sendable {
    package let head: HTTPRequestHead
    /// The decompressed body, with 64 spare bytes of capacity; empty for an upload.
    package let body: [UInt8]
    /// The file of an upload. It is removed when the handler returns, unless it was moved.
    package let bodyFile: String?
    /// Whether the end of the body was dropped, because it exceeded the limits of a truncating plan.
    package var isTruncated = false
    /// The request's share of the request memory; handlers charge decoded values to it.
    package var memory: MemoryHold?
    /// The executor for reading a large body; `nil` for a small one.
    package var lane: WorkExecutor?
    /// The place where the connection waits for the response; nil for uploads.
    var reply: HTTPReply?

    /// Calls a function if the client disconnects before the response, on the thread of the connection's loop, where it must not wait. A later
    /// function replaces it. The connection closes then also if the client only ends sending.
    package func whenClientLeaves(_ action: @escaping @Sendable () -> Void) { reply?.whenClientLeaves(action) }

    /// Whether there is room for a large response, before it is prepared.
    package var hasRoomForResponse: Bool { reply.map { $0.responses.hasRoom(for: $0) } ?? true }

    /// Waits for room for a large response, while the client receives earlier ones. Throws `HTTPRequestError` if that takes too long, and
    /// `ClientLeft` if the client leaves meanwhile.
    package func waitForRoom() async throws { try await reply?.turn() }

    /// Returns a response that counts against the response memory until it is sent. One without room is prepared again when its turn comes.
    /// Throws as `waitForRoom` does. Responses that a handler sends without this are counted too, but always sent.
    ///
    /// - Parameter waits: Whether to wait for room before it is prepared, too.
    package func fitted(waits: Bool, _ prepare: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        guard let reply else { return try await prepare() }
        return try await reply.fitted(waits: waits, prepare)
    }

    /// The number of bytes that the JSON reader may read after the end.
    static let spare = 64
}

extension HTTPRequest {
    /// A request of which only the head is known.
    package init(head: HTTPRequestHead) { self.init(head: head, body: [], bodyFile: nil) }
}
