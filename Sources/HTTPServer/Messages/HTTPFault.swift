// SPDX-License-Identifier: Apache-2.0

/// A fault in a request found by the server. The daemon adds the response body.
package enum HTTPFault: Error, Sendable, Equatable {
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
    /// An uploaded file could not be written.
    case uploadFailed

    /// The HTTP status of the fault, for programs that use the server alone. `ingestd` answers with the status of the `Refusal`
    /// that it makes of the fault; a test holds both to the same number.
    package var status: Int {
        switch self {
        case .badRequest: 400
        case .slowClient: 408
        case .tooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType, .codedFile: 415
        case .tooManyRequests, .overloaded: 429
        case .headersTooLarge: 431
        case .notImplemented: 501
        case .uploadFailed: 503
        case .versionNotSupported: 505
        }
    }
}
