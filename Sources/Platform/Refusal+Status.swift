// SPDX-License-Identifier: Apache-2.0

extension Refusal.Code {
    /// The HTTP status. This is the only table of statuses; integrations translate some to those of their product.
    package var status: Int {
        switch self {
        case .badRequest, .invalidJSON, .queryInvalid: 400
        case .unauthorized, .invalidCredentials, .tokenExpired, .sessionEnded, .badIdentityToken: 401
        case .forbidden, .crossOrigin, .accountDisabled, .methodOff, .recentLoginRequired, .permissionDenied: 403
        case .notFound, .unregistered: 404
        case .methodNotAllowed: 405
        case .slowClient: 408
        case .conflict, .emailExists, .identityLinked, .accountExists, .documentExists: 409
        case .preconditionFailed: 412
        case .tooLarge, .quotaExceeded: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .misdirected: 421
        case .invalid, .weakPassword, .invalidEmail, .invalidCode, .codeExpired, .checksumMismatch: 422
        case .rateLimited, .limitReached, .overloaded, .tooManyAttempts: 429
        case .headersTooLarge: 431
        case .internalError: 500
        case .notImplemented: 501
        case .draining, .storageFull, .storageFailed, .providerUnavailable, .tooExpensive: 503
        case .versionNotSupported: 505
        }
    }
}
