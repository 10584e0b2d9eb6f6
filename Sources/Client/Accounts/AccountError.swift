// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An error of ``Accounts``.
public enum AccountError: Error, Equatable, Sendable {
    /// The password is wrong, or the address has no account. The daemon does not tell which.
    case invalidCredentials
    /// The address has an account.
    case emailAlreadyExists
    /// The password is too short, or among the commonest ones; the text says which.
    case weakPassword(detail: String)
    /// The text is not an email address.
    case invalidEmail
    /// The address of the identity provider's user belongs to an account. Sign in as before, then link the provider.
    case accountExists
    /// The identity provider's user belongs to another account.
    case identityLinked
    /// The identity provider's token is not valid for this app; the text says why.
    case badIdentityToken(detail: String)
    /// The daemon could not get the identity provider's keys.
    case providerUnavailable
    /// The change needs a sign-in within the last five minutes.
    case recentLoginRequired
    /// The account has a second factor: ``Credential/totp(_:code:factor:)`` finishes the sign-in.
    case secondFactorRequired(PendingSignIn)
    /// The pending sign-in has expired, or had too many wrong codes. Sign in again.
    case signInExpired
    /// The code is wrong.
    case invalidCode
    /// The code has expired or was used.
    case codeExpired
    /// A mail was sent, whose code creates the account.
    case verificationRequired
    /// The account is disabled.
    case accountDisabled
    /// The app does not allow this way to sign in.
    case methodOff
    /// Too many attempts. The next one is allowed after `retryAfter` seconds.
    case tooManyAttempts(retryAfter: TimeInterval)
    /// The session has ended. The user must sign in again.
    case sessionEnded(SessionEnd)
    /// The call needs a signed-in user.
    case notSignedIn
    /// The stored credentials cannot be read now, for example before the first unlock. The user stays signed in.
    case credentialsUnreadable(reason: String)
    /// The new credentials could not be stored. The earlier ones stay in use.
    case credentialsNotStored(reason: String)
    /// The credential cannot be used for this call, such as linking an anonymous account.
    case unsupportedCredential
    /// Any other error, such as ``SignalboxError/unreachable(reason:)``.
    case signalbox(SignalboxError)

    /// The error of an unsuccessful response.
    init(_ response: APIClient.Response) {
        let problem = Problem(response.body)
        let detail = problem.detail ?? ""
        switch problem.code {
        case "invalid_credentials": self = .invalidCredentials
        case "email_exists": self = .emailAlreadyExists
        case "weak_password": self = .weakPassword(detail: detail)
        case "invalid_email": self = .invalidEmail
        case "account_exists": self = .accountExists
        case "identity_linked": self = .identityLinked
        case "bad_identity_token": self = .badIdentityToken(detail: detail)
        case "provider_unavailable": self = .providerUnavailable
        case "recent_login_required": self = .recentLoginRequired
        case "invalid_code": self = .invalidCode
        case "code_expired": self = .codeExpired
        case "account_disabled": self = .accountDisabled
        case "method_off": self = .methodOff
        // Of a pending sign-in: that of the own session is handled where it is refreshed.
        case "session_ended": self = .signInExpired
        case "too_many_attempts": self = .tooManyAttempts(retryAfter: response.retryAfter ?? 0)
        default: self = .signalbox(response.error)
        }
    }

    /// The error as other services throw it.
    var asSignalboxError: SignalboxError {
        switch self {
        case .signalbox(let error): error
        case .credentialsUnreadable(let reason), .credentialsNotStored(let reason): .folderUnusable(path: "credentials", reason: reason)
        case .tooManyAttempts(let seconds): .busy(retryAfter: seconds)
        default: .unauthorized(status: 401, detail: "The session is not valid.")
        }
    }
}
