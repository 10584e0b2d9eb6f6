// SPDX-License-Identifier: Apache-2.0

/// The processing of a request, chosen after its head and before its body is read.
package enum HTTPPlan: Sendable {
    /// Responds at once. A body is not read; the connection then closes after the response.
    case respond(HTTPResponse)
    /// Responds after discarding the body, so that the connection stays open. A body above the limit, or one with
    /// `Expect: 100-continue`, is rejected.
    case skip(bodyLimit: Int, HTTPResponse)
    /// Finds the key in the body. `find` unpacks the body, scans it once for the key without decoding it, and returns how to continue. It
    /// runs on scan threads, fairly among clients.
    case identify(bodyLimit: Int, decodedLimit: Int, account: Int64 = 0, find: @Sendable (HTTPRequest) -> (HTTPPlan, body: [UInt8]))
    /// Runs the handler on the loop's thread, where it must not block; it may reply later from any thread. With a large body it runs on a
    /// decoder thread, fairly among keys.
    case inline(bodyLimit: Int, decodedLimit: Int, account: Int64 = 0, @Sendable (HTTPRequest, HTTPReply) -> Void)
    /// Runs the handler as a child task of `HTTPServer.run()`, with a large body on decoder threads.
    case async(bodyLimit: Int, decodedLimit: Int, account: Int64 = 0, @Sendable (HTTPRequest) async -> HandlerResponse)
    /// Streams the body to a sink on a transfer loop. `admit` runs as a child task before the body is read and before `100 Continue` is sent.
    /// A small body that it refuses is read and discarded, so that the connection stays open.
    case receive(account: Int64 = 0, admit: @Sendable (HTTPRequestHead) async throws(BodyRefusal) -> BodyAcceptance)
    /// Reads a body of up to `acceptedBytes` and drops what exceeds the limits of the other plan. `HTTPRequest.isTruncated` says so.
    indirect case truncating(acceptedBytes: Int, HTTPPlan)

    var bodyLimit: Int {
        switch self {
        // The limit of a received body comes with its acceptance.
        case .respond, .receive: 0
        case .skip(bodyLimit: let limit, _), .identify(bodyLimit: let limit, decodedLimit: _, account: _, find: _): limit
        case .inline(bodyLimit: let limit, decodedLimit: _, account: _, _), .async(bodyLimit: let limit, decodedLimit: _, account: _, _): limit
        case .truncating(acceptedBytes: _, let plan): plan.bodyLimit
        }
    }

    /// The largest body that is read; nil for the limit.
    var acceptedBytes: Int? {
        if case .truncating(let accepted, _) = self { accepted } else { nil }
    }

    /// The account charged for a body; 0 while the key is unknown.
    var account: Int64 {
        switch self {
        case .inline(bodyLimit: _, decodedLimit: _, let account, _), .async(bodyLimit: _, decodedLimit: _, let account, _): account
        case .identify(bodyLimit: _, decodedLimit: _, let account, find: _): account
        case .receive(let account, admit: _): account
        case .respond, .skip: 0
        case .truncating(acceptedBytes: _, let plan): plan.account
        }
    }

    var skipsBody: Bool { if case .skip = self { true } else { false } }

    /// The part of a plan that applies to the body announced by the head.
    func settled(for head: HTTPRequestHead) -> HTTPPlan {
        guard case .skip(let limit, let response) = self else { return self }
        switch head.body {
        case .none: return .respond(response)
        case .length(let length) where length > limit || head.expectsContinue: return .respond(response)
        case .chunked where head.expectsContinue: return .respond(response)
        case .length, .chunked: return self
        }
    }
}

package enum HandlerResponse: Sendable {
    case response(HTTPResponse)
    /// Sends chunks as the closure writes them. If it throws, the connection is cut, so that the client notices the incomplete response.
    case stream(status: Int, headers: [(name: String, value: String)], @Sendable (HTTPResponseWriter) async throws -> Void)
    /// Sends what a source has, for as long as there is one. It takes less memory than a stream, as nothing waits while there is nothing to send.
    case events(status: Int, headers: [(name: String, value: String)], @Sendable (HTTPEventSink) -> any HTTPEventSource)
}
