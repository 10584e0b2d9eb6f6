// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A fault in a request found by the server. The daemon adds the response body.
package enum HTTPRequestError: Error, Sendable, Equatable {
    /// The bytes are not valid HTTP (RFC 9112). The reason is a constant and safe to show.
    case badRequest(String)
    /// The head or body did not arrive in time.
    case slowClient
    case tooLarge
    case uriTooLong
    case headersTooLarge
    /// An unsupported content coding, or more than one.
    case unsupportedMediaType
    /// A content coding on an upload, which is stored as sent.
    case codedFile
    /// An unimplemented transfer coding or method.
    case notImplemented
    case versionNotSupported
    /// An address exceeds its limit of requests in flight.
    case tooManyRequests
    /// No memory or task is available for this request now.
    case overloaded
    /// The key or address has too many large responses that their clients have not received.
    case unreadResponses
    /// An uploaded file could not be written.
    case uploadFailed

    package var status: Int { code.status }

    /// The code of the refusal that answers the fault, which has the status.
    package var code: Refusal.Code {
        switch self {
        case .badRequest: .badRequest
        case .slowClient: .slowClient
        case .tooLarge: .tooLarge
        case .uriTooLong: .uriTooLong
        case .headersTooLarge: .headersTooLarge
        case .unsupportedMediaType, .codedFile: .unsupportedMediaType
        case .notImplemented: .notImplemented
        case .versionNotSupported: .versionNotSupported
        case .tooManyRequests, .overloaded, .unreadResponses: .overloaded
        case .uploadFailed: .storageFailed
        }
    }
}
