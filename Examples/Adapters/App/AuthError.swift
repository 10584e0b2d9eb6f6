// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// A failed sign-in as the app's screens tell it.
public enum AuthError: Error, Equatable, Sendable {
    case invalidCredentials
    case emailAlreadyExists
    case invalidEmail
    case weakPassword(String)
    /// The provider's token is not valid, or its user belongs to another account.
    case oauthFailed(String)
    case secondFactorRequired
    case recentLoginRequired
    case accountDisabled
    case tooManyRequests(retryAfter: TimeInterval)
    /// Nobody is signed in, or the session has ended.
    case sessionExpired
    case network
    case unknown(String)

    init(_ error: AccountError) {
        switch error {
        case .invalidCredentials: self = .invalidCredentials
        case .emailAlreadyExists: self = .emailAlreadyExists
        case .invalidEmail: self = .invalidEmail
        case .weakPassword(let detail): self = .weakPassword(detail)
        case .badIdentityToken(let detail): self = .oauthFailed(detail)
        case .accountExists: self = .oauthFailed("The address has an account. Sign in as before, then link the provider.")
        case .identityLinked: self = .oauthFailed("The provider's user belongs to another account.")
        case .providerUnavailable: self = .oauthFailed("The provider cannot be reached.")
        case .secondFactorRequired: self = .secondFactorRequired
        case .recentLoginRequired: self = .recentLoginRequired
        case .accountDisabled: self = .accountDisabled
        case .tooManyAttempts(let seconds): self = .tooManyRequests(retryAfter: seconds)
        case .signalbox(.busy(let seconds)): self = .tooManyRequests(retryAfter: seconds)
        case .sessionEnded, .notSignedIn: self = .sessionExpired
        case .signalbox(.unreachable), .signalbox(.unexpectedResponse): self = .network
        default: self = .unknown("\(error)")
        }
    }

    /// Runs a call of the client and throws its error as one of the app.
    static func mapping<T>(_ call: () async throws -> T) async throws -> T {
        do { return try await call() } catch let error as AccountError { throw AuthError(error) }
    }
}
