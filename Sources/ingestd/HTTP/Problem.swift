// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import DocumentStore
import HTTPServer
import JSON
import Platform

/// The only place where a refusal becomes HTTP: problem details of RFC 9457 with a stable code.
extension HTTPResponse {
    init(_ refusal: Refusal) {
        let problem = ProblemResponse(
            type: "about:blank", title: refusal.code.title, status: refusal.code.status, code: refusal.code, detail: refusal.detail,
            hint: refusal.hint,
            errors: refusal.fields.isEmpty ? nil : refusal.fields.map { .init(field: $0.field, code: $0.code, message: $0.message) })
        var json = JSONWriter()
        // Nothing in a problem can fail to encode.
        try? json.encode(problem)
        self.init(status: problem.status, headers: [("Content-Type", "application/problem+json")], body: json.bytes)
        addRetryAfter(refusal)
        switch refusal.code {
        case .unauthorized: headers.append(("WWW-Authenticate", "Bearer"))
        case .tokenExpired, .sessionEnded: headers.append(("WWW-Authenticate", "Bearer error=\"invalid_token\""))
        default: break
        }
    }

    /// The response to an internal error, without its details.
    init(hiding error: any Error) {
        self.init(Refusal(hiding: error))
    }

    static func json(_ body: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "application/json")], body: body)
    }

    static func json(status: Int = 200, reserving capacity: Int = 256, _ build: (inout JSONWriter) -> Void) -> HTTPResponse {
        var writer = JSONWriter(reserving: capacity)
        build(&writer)
        return .json(writer.bytes, status: status)
    }
}

extension Refusal.Code {
    var title: String {
        switch self {
        case .badRequest: "The request is malformed"
        case .invalidJSON: "The body is not JSON"
        case .unauthorized: "A valid key is required"
        case .forbidden: "The key does not allow this"
        case .crossOrigin: "Not allowed for web pages of this origin"
        case .notFound: "Not found"
        case .unregistered: "The token is not registered"
        case .methodNotAllowed: "Method not allowed"
        case .slowClient: "Request timeout"
        case .conflict: "Conflict"
        case .tooLarge: "The request is too large"
        case .uriTooLong: "The request line is too long"
        case .unsupportedMediaType: "Unsupported content type or encoding"
        case .misdirected: "Misdirected request"
        case .invalid: "The request is invalid"
        case .rateLimited: "The rate limit of the key is exceeded"
        case .limitReached: "A limit of the app is reached"
        case .overloaded: "The server is overloaded"
        case .headersTooLarge: "The header is too large"
        case .internalError: "Internal error"
        case .notImplemented: "Not implemented"
        case .draining: "The server is shutting down"
        case .storageFull: "The disk is full"
        case .storageFailed: "Storage failed"
        case .versionNotSupported: "HTTP version not supported"
        case .invalidCredentials: "Wrong email address or password"
        case .emailExists: "The email address has an account"
        case .weakPassword: "The password is weak"
        case .invalidEmail: "Not an email address"
        case .tokenExpired: "The ID token has expired"
        case .sessionEnded: "The session has ended"
        case .accountDisabled: "The account is disabled"
        case .methodOff: "The sign-in method is off"
        case .recentLoginRequired: "A recent sign-in is required"
        case .badIdentityToken: "The token is not valid"
        case .invalidCode: "The code is not valid"
        case .identityLinked: "The identity belongs to an account"
        case .accountExists: "The account exists"
        case .providerUnavailable: "The identity provider does not answer"
        case .tooManyAttempts: "Too many attempts"
        case .codeExpired: "The code has expired"
        case .permissionDenied: "The rules do not allow this"
        case .documentExists: "The document exists"
        case .preconditionFailed: "A precondition does not hold"
        case .queryInvalid: "The query is invalid"
        case .tooExpensive: "The query is too expensive"
        case .quotaExceeded: "No space is left for the file"
        case .checksumMismatch: "The bytes do not match their checksum"
        }
    }
}

extension Refusal {
    init(hiding error: any Error) {
        if let fault = error as? ReadFault {
            self.init(fault)
            return
        }
        self =
            (error as? Refusal) ?? (error is SecondFactorNeeded ? .secondFactorNeeded : nil)
            ?? Refusal(
                .internalError, "The request failed because of an internal error.",
                hint: "Send the request again. If it fails again, search the log for the X-Request-Id of this response.")
    }

    /// The refusal of a fault that the HTTP server finds.
    init(_ fault: HTTPRequestError) {
        self.init(fault.code, fault.detail, hint: fault.hint, retryAfterSeconds: fault.retryAfterSeconds)
    }
}

extension HTTPRequestError {
    fileprivate var detail: String {
        switch self {
        case .badRequest(let reason): reason
        case .slowClient: "The request did not arrive within the time limit."
        case .tooLarge: "The body exceeds the size limit of this route."
        case .uriTooLong: "The request line is too long."
        case .headersTooLarge: "The request header is too large or has too many fields."
        case .unsupportedMediaType: "This Content-Encoding is not supported."
        case .codedFile: "A file upload must not have a Content-Encoding, because the file is stored as sent."
        case .notImplemented: "This transfer coding or method is not implemented."
        case .versionNotSupported: "Only HTTP/1.1 and HTTP/1.0 are supported."
        case .tooManyRequests: "Too many connections from this address."
        case .overloaded: "The server has no free memory or task for this request."
        case .unreadResponses: "Too many large responses to this key or address are not received yet."
        case .uploadFailed: "The upload could not be stored."
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .badRequest: nil
        case .slowClient: "Send the request again."
        case .tooLarge: "Send smaller requests."
        case .uriTooLong: "Shorten the query, or send it as a JSON body if the route accepts one."
        case .headersTooLarge: "Leave out cookies and other fields that the API does not use."
        case .unsupportedMediaType: "Use gzip, deflate, br or zstd, one at a time."
        case .codedFile: "Send the file as it is, without Content-Encoding."
        case .notImplemented: "Send the body with a Content-Length or chunked, with a method of the route."
        case .versionNotSupported: "Use HTTP/1.1, or a proxy that speaks it."
        case .tooManyRequests: "Use fewer connections."
        case .overloaded, .uploadFailed: "Send the request again later."
        case .unreadResponses: "Read responses as they arrive, fewer at a time, and send the request again later."
        }
    }

    fileprivate var retryAfterSeconds: Int? {
        switch self {
        case .tooManyRequests, .overloaded, .unreadResponses: 1
        case .uploadFailed: 10
        case .badRequest, .slowClient, .tooLarge, .uriTooLong, .headersTooLarge, .unsupportedMediaType, .codedFile, .notImplemented,
            .versionNotSupported:
            nil
        }
    }
}
