// SPDX-License-Identifier: Apache-2.0

import Compression
import Synchronization

extension HTTPPlan {
    /// Streams the body to a new file in `directory`, then runs the handler as a child task.
    package static func upload(
        limit: Int, directory: String, _ handler: @escaping @Sendable (HTTPRequest) async -> HandlerResponse
    ) -> HTTPPlan {
        .receive { head throws(BodyRefusal) in
            if head.headers("Content-Encoding").contains(where: { ContentCoding(token: $0) != .identity }) { throw .fault(.codedFile) }
            if case .length(let length) = head.body, length > limit { throw .fault(.tooLarge) }
            guard let file = UploadFile(directory: directory, id: head.id) else { throw .fault(.uploadFailed) }
            return BodyAcceptance(UploadSink(file, head, handler), limit: limit)
        }
    }
}

/// The sink of an upload whose handler takes a file.
private final class UploadSink: BodySink {
    /// `nil` after the last call, which removes an incomplete file.
    private let file: Mutex<UploadFile?>
    private let head: HTTPRequestHead
    private let handler: @Sendable (HTTPRequest) async -> HandlerResponse

    init(_ file: sending UploadFile, _ head: HTTPRequestHead, _ handler: @escaping @Sendable (HTTPRequest) async -> HandlerResponse) {
        self.file = Mutex(file)
        (self.head, self.handler) = (head, handler)
    }

    func write(_ piece: Swift.Span<UInt8>) throws(BodyRefusal) {
        let isWritten = file.withLock { $0?.write(piece) ?? false }
        guard isWritten else { throw .fault(.uploadFailed) }
    }

    func finish() async -> HandlerResponse {
        guard let uploaded = file.withLock({ $0.take()?.finish() }) else { return .response(HTTPResponse(status: 500)) }
        defer { uploaded.remove() }
        return await handler(HTTPRequest(head: head, body: [], bodyFile: uploaded.path))
    }

    func abandon(_ reason: BodyAbandonment) {
        file.withLock { $0 = nil }
    }
}
