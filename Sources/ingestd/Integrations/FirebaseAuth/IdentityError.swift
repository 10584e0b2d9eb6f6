// SPDX-License-Identifier: Apache-2.0

import AccountStore
import HTTPServer
import Platform

/// The words of Firebase Authentication for errors that no refusal of the native API has.
enum IdentityWord: String {
    case adminOnly = "ADMIN_ONLY_OPERATION"
    case alreadyLinked = "FEDERATED_USER_ID_ALREADY_LINKED"
    case claimsTooLarge = "CLAIMS_TOO_LARGE"
    case duplicateEnrollment = "DUPLICATE_MFA_ENROLLMENT_ID"
    case duplicateID = "DUPLICATE_LOCAL_ID"
    case emailChangeNeedsVerification = "EMAIL_CHANGE_NEEDS_VERIFICATION"
    case emailExists = "EMAIL_EXISTS"
    case emailNotFound = "EMAIL_NOT_FOUND"
    case enrollmentNotFound = "MFA_ENROLLMENT_NOT_FOUND"
    case factorLimit = "SECOND_FACTOR_LIMIT_EXCEEDED"
    case forbiddenClaim = "FORBIDDEN_CLAIM"
    case invalidClaims = "INVALID_CLAIMS"
    case invalidCode = "INVALID_CODE"
    case invalidCustomToken = "INVALID_CUSTOM_TOKEN"
    case invalidDuration = "INVALID_DURATION"
    case invalidEnrollment = "INVALID_MFA_ENROLLMENT_ID"
    case invalidGrantType = "INVALID_GRANT_TYPE"
    case invalidHash = "INVALID_HASH_ALGORITHM"
    case invalidIDPResponse = "INVALID_IDP_RESPONSE"
    case invalidIDToken = "INVALID_ID_TOKEN"
    case invalidLocalID = "INVALID_LOCAL_ID"
    case invalidNonce = "MISSING_OR_INVALID_NONCE"
    case invalidPending = "INVALID_MFA_PENDING_CREDENTIAL"
    case invalidPhone = "INVALID_PHONE_NUMBER"
    case invalidProvider = "INVALID_PROVIDER_ID"
    case invalidRefreshToken = "INVALID_REFRESH_TOKEN"
    case invalidRequestType = "INVALID_REQ_TYPE"
    case missingCode = "MISSING_CODE"
    case missingContinueURL = "MISSING_CONTINUE_URI"
    case missingCustomToken = "MISSING_CUSTOM_TOKEN"
    case missingEmail = "MISSING_EMAIL"
    case missingEnrollment = "MISSING_MFA_ENROLLMENT_ID"
    case missingIdentifier = "MISSING_IDENTIFIER"
    case missingIDToken = "MISSING_ID_TOKEN"
    case missingLocalID = "MISSING_LOCAL_ID"
    case missingNewEmail = "MISSING_NEW_EMAIL"
    case missingOOBCode = "MISSING_OOB_CODE"
    case missingPassword = "MISSING_PASSWORD"
    case missingPending = "MISSING_MFA_PENDING_CREDENTIAL"
    case missingProvider = "MISSING_PROVIDER_ID"
    case missingRawID = "MISSING_RAW_ID"
    case missingRefreshToken = "MISSING_REFRESH_TOKEN"
    case missingRequestType = "MISSING_REQ_TYPE"
    case missingSessionInfo = "MISSING_SESSION_INFO"
    case missingUsers = "MISSING_USER_ACCOUNT"
    case operationNotAllowed = "OPERATION_NOT_ALLOWED"
    case passwordLoginDisabled = "PASSWORD_LOGIN_DISABLED"
    case phoneExists = "PHONE_NUMBER_EXISTS"
    case sessionExpired = "SESSION_EXPIRED"
    case tokenExpired = "TOKEN_EXPIRED"
    case unauthorizedDomain = "UNAUTHORIZED_DOMAIN"
    case unsupportedFirstFactor = "UNSUPPORTED_FIRST_FACTOR"
    case userDisabled = "USER_DISABLED"
    case userNotFound = "USER_NOT_FOUND"
}

extension Refusal {
    /// The name of the field that has the word of an error.
    fileprivate static let identityField = "identitytoolkit"

    /// A refusal with a word of Firebase Authentication.
    ///
    ///     .identity(.weakPassword, "is too short")   →   400 "WEAK_PASSWORD : is too short"
    static func identity(_ word: IdentityWord, _ detail: String = "", code: Code = .invalid) -> Refusal {
        Refusal(code, detail.isEmpty ? word.rawValue : detail, fields: [.init(identityField, word.rawValue, detail)])
    }
}

/// Refusals in the form of Firebase Authentication: `{"error": {"code": 400, "message": "EMAIL_EXISTS", …}}`.
///
/// Clients compare the text before the first colon.
enum IdentityError {
    @Sendable static func response(_ refusal: Refusal) -> HTTPResponse {
        let status = status(of: refusal.code)
        let code = status.httpStatus
        var response = GoogleError.listResponse(
            code, message(of: refusal), reason: code == 400 ? "invalid" : status.rawValue, status: status)
        response.addGoogleFields(refusal)
        return response
    }

    /// Errors of accounts are 400, as Firebase has them. Its libraries repeat 500 and 503 several times, so every overload is a 429.
    private static func status(of code: Refusal.Code) -> GoogleStatus {
        switch code {
        case .conflict: .invalidArgument
        case .notImplemented: .unimplemented
        case .providerUnavailable: .unavailable
        default: GoogleError.status(of: code)
        }
    }

    /// The word of a refusal. Only words that Firebase sends with details have them, because apps compare the whole text.
    static func message(of refusal: Refusal) -> String {
        if let field = refusal.fields.first, field.field == Refusal.identityField {
            return field.message.isEmpty ? field.code : "\(field.code) : \(field.message)"
        }
        if refusal == .phoneTaken { return IdentityWord.phoneExists.rawValue }
        if let word = plainWord(of: refusal.code) { return word }
        return "\(word(of: refusal.code)) : \(refusal.sentences)"
    }

    private static func plainWord(of code: Refusal.Code) -> String? {
        switch code {
        case .invalidCredentials: "INVALID_LOGIN_CREDENTIALS"
        case .emailExists: "EMAIL_EXISTS"
        case .invalidEmail: "INVALID_EMAIL"
        case .tokenExpired, .sessionEnded: "TOKEN_EXPIRED"
        case .accountDisabled: "USER_DISABLED"
        case .recentLoginRequired: "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
        case .conflict: "DUPLICATE_LOCAL_ID"
        case .invalidCode: "INVALID_OOB_CODE"
        case .codeExpired: "EXPIRED_OOB_CODE"
        default: nil
        }
    }

    private static func word(of code: Refusal.Code) -> String {
        switch code {
        case .weakPassword: "WEAK_PASSWORD"
        case .methodOff, .notImplemented: "OPERATION_NOT_ALLOWED"
        case .badIdentityToken: "INVALID_IDP_RESPONSE"
        case .tooManyAttempts, .rateLimited, .overloaded: "TOO_MANY_ATTEMPTS_TRY_LATER"
        case .limitReached, .storageFull: "QUOTA_EXCEEDED"
        case .unauthorized: "UNAUTHENTICATED"
        case .forbidden, .crossOrigin: "INSUFFICIENT_PERMISSION"
        case .notFound: "NOT_FOUND"
        case .draining, .storageFailed, .providerUnavailable: "UNAVAILABLE"
        case .internalError: "INTERNAL_ERROR"
        default: "INVALID_ARGUMENT"
        }
    }
}
