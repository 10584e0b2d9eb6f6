// SPDX-License-Identifier: Apache-2.0

/// A rejection of a request: the only error that reaches a client.
///
/// `code` is stable and listed once. `Refusal+Status.swift` is the only table of their HTTP statuses.
package struct Refusal: Error, Sendable, Equatable {
    package enum Code: String, CaseIterable, Sendable {
        case badRequest = "bad_request"
        case invalidJSON = "invalid_json"
        case unauthorized
        case forbidden
        /// A web page of another origin that may not use the API, or not with a key of this role.
        case crossOrigin = "cross_origin"
        case notFound = "not_found"
        /// A registration token that is no longer valid.
        case unregistered
        case methodNotAllowed = "method_not_allowed"
        case slowClient = "slow_client"
        case conflict
        case tooLarge = "too_large"
        case uriTooLong = "uri_too_long"
        case unsupportedMediaType = "unsupported_media_type"
        /// The request's host is not one that the route accepts.
        case misdirected = "misdirected_request"
        case invalid
        case headersTooLarge = "headers_too_large"
        case rateLimited = "rate_limited"
        /// A limit that the operator set for the app.
        case limitReached = "limit_reached"
        case overloaded
        case internalError = "internal_error"
        case notImplemented = "not_implemented"
        case draining
        case storageFull = "storage_full"
        case storageFailed = "storage_failed"
        case versionNotSupported = "version_not_supported"

        // Accounts.

        case invalidCredentials = "invalid_credentials"
        case emailExists = "email_exists"
        case weakPassword = "weak_password"
        case invalidEmail = "invalid_email"
        case tokenExpired = "token_expired"
        case sessionEnded = "session_ended"
        case accountDisabled = "account_disabled"
        case methodOff = "method_off"
        case recentLoginRequired = "recent_login_required"
        case badIdentityToken = "bad_identity_token"
        case invalidCode = "invalid_code"
        case identityLinked = "identity_linked"
        case accountExists = "account_exists"
        case providerUnavailable = "provider_unavailable"
        case tooManyAttempts = "too_many_attempts"
        case codeExpired = "code_expired"

        // Documents.

        case permissionDenied = "permission_denied"
        case documentExists = "exists"
        case preconditionFailed = "precondition_failed"
        case queryInvalid = "query_invalid"
        case tooExpensive = "too_expensive"

        // Files.

        case quotaExceeded = "quota_exceeded"
        case checksumMismatch = "checksum_mismatch"
    }

    /// An invalid field with a stable error code.
    package struct Field: Sendable, Equatable {
        package var field: String
        package var code: String
        package var message: String

        package init(_ field: String, _ code: String, _ message: String) {
            self.field = field
            self.code = code
            self.message = message
        }
    }

    package var code: Code
    package var detail: String
    package var hint: String?
    package var fields: [Field]
    package var retryAfterSeconds: Int?

    package init(_ code: Code, _ detail: String, hint: String? = nil, fields: [Field] = [], retryAfterSeconds: Int? = nil) {
        self.code = code
        self.detail = detail
        self.hint = hint
        self.fields = fields
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// The rejection of all work that comes after the shutdown has begun.
    package static let draining = Refusal(.draining, "The server is shutting down.", hint: "Send the request again.", retryAfterSeconds: 2)

    /// Creates a 422 for a field.
    package static func field(_ name: String, _ code: String, _ problem: String, hint: String? = nil) -> Refusal {
        Refusal(.invalid, "\(name) \(problem).", hint: hint, fields: [.init(name, code, problem)])
    }
}
