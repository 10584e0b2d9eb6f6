// SPDX-License-Identifier: Apache-2.0

/// What the server itself finds wrong with a request; the composition root gives it a body.
package enum HTTPFault: Error, Sendable, Equatable {
    /// The bytes are not HTTP as RFC 9112 has it. The reason is a constant of ours and safe to show.
    case badRequest(String)
    /// Head or body did not arrive in time.
    case slowClient
    case tooLarge
    case uriTooLong
    case headersTooLarge
    /// A content coding that is not spoken here, or more than one.
    case unsupportedMediaType
    /// A content coding of a body that is kept as a file, as it comes.
    case codedFile
    /// A transfer coding or method that is not implemented.
    case notImplemented
    case versionNotSupported
    /// One address has more requests in flight than it may have.
    case tooManyRequests
    /// There is no memory or no task left for this request now.
    case overloaded
    /// An uploaded file could not be written.
    case uploadFailed

    /// The status that belongs to it.
    package var status: Int {
        switch self {
        case .badRequest: 400
        case .slowClient: 408
        case .tooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType, .codedFile: 415
        case .tooManyRequests: 429
        case .headersTooLarge: 431
        case .notImplemented: 501
        case .overloaded: 503
        case .versionNotSupported: 505
        case .uploadFailed: 507
        }
    }
}
