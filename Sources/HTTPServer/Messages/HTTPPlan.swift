// SPDX-License-Identifier: Apache-2.0

/// What is to happen with a request, chosen when its head is complete and before any byte of its body is read.
package enum HTTPPlan: Sendable {
    /// Answered at once. A body is not read, so the connection ends after the answer unless there is none.
    case refuse(HTTPResponse)
    /// Answered when the body has come and was thrown away, so that the connection lasts; refused where it is larger than the limit
    /// or waits to be asked for.
    case skip(bodyLimit: Int, HTTPResponse)
    /// The sender is known only from the body, or the body is packed in a way of its own. `find` decodes nothing: it unpacks the body, looks for
    /// the key in one scan, and says how to go on with which body. It runs on threads of its own, each client's requests in their turn.
    case identify(bodyLimit: Int, decodedLimit: Int, account: Int64 = 0, find: @Sendable (HTTPRequest) -> (HTTPPlan, body: [UInt8]))
    /// The handler runs on the loop's thread and must not block; its reply may come later and from any thread. With a large body it runs on
    /// a thread of the decoders, when it is the turn of the account.
    case inline(bodyLimit: Int, decodedLimit: Int, account: Int64 = 0, @Sendable (HTTPRequest, HTTPReply) -> Void)
    /// The handler runs as a child task of `HTTPServer.run()`; with a large body on the threads of the decoders.
    case async(bodyLimit: Int, decodedLimit: Int, account: Int64 = 0, @Sendable (HTTPRequest) async -> HTTPAnswer)
    /// The body goes to a new file in `directory` while it arrives; then the handler runs as a child task.
    case upload(limit: Int, directory: String, @Sendable (HTTPRequest) async -> HTTPAnswer)

    var bodyLimit: Int {
        switch self {
        case .refuse: 0
        case .skip(bodyLimit: let limit, _), .identify(bodyLimit: let limit, decodedLimit: _, account: _, find: _),
            .upload(let limit, directory: _, _):
            limit
        case .inline(bodyLimit: let limit, decodedLimit: _, account: _, _), .async(bodyLimit: let limit, decodedLimit: _, account: _, _): limit
        }
    }

    /// Whose memory a body takes; 0 as long as that is not known.
    var account: Int64 {
        switch self {
        case .inline(bodyLimit: _, decodedLimit: _, let account, _), .async(bodyLimit: _, decodedLimit: _, let account, _): account
        case .identify(bodyLimit: _, decodedLimit: _, let account, find: _): account
        case .refuse, .skip, .upload: 0
        }
    }

    var skipsBody: Bool { if case .skip = self { true } else { false } }

    /// What becomes of a plan once the head says which body there is.
    func settled(for head: HTTPRequestHead) -> HTTPPlan {
        guard case .skip(let limit, let response) = self else { return self }
        switch head.body {
        case .none: return .refuse(response)
        case .length(let length) where length > limit || head.expectsContinue: return .refuse(response)
        case .chunked where head.expectsContinue: return .refuse(response)
        case .length, .chunked: return self
        }
    }
}

package enum HTTPAnswer: Sendable {
    case response(HTTPResponse)
    /// Sent in chunks as the closure writes them; an error thrown by it cuts the connection, so that the client can tell.
    case stream(status: Int, headers: [(name: String, value: String)], @Sendable (HTTPResponseWriter) async throws -> Void)
}
