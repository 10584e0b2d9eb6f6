// SPDX-License-Identifier: Apache-2.0

import API
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
        if let seconds = refusal.retryAfterSeconds { headers.append(("Retry-After", String(seconds))) }
        if refusal.code == .unauthorized { headers.append(("WWW-Authenticate", "Bearer")) }
    }

    /// The response to an internal error, without its details.
    init(hiding error: any Error) {
        self.init(Refusal(hiding: error))
    }

    static func json(_ body: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "application/json")], body: body)
    }

    static func json(status: Int = 200, _ build: (inout JSONWriter) -> Void) -> HTTPResponse {
        var writer = JSONWriter()
        build(&writer)
        return .json(writer.bytes, status: status)
    }
}

extension Refusal.Code {
    var status: Int {
        switch self {
        case .badRequest, .invalidJSON: 400
        case .unauthorized: 401
        case .forbidden: 403
        case .notFound, .unregistered: 404
        case .methodNotAllowed: 405
        case .slowClient: 408
        case .conflict: 409
        case .tooLarge: 413
        case .uriTooLong: 414
        case .unsupportedMediaType: 415
        case .misdirected: 421
        case .invalid: 422
        case .rateLimited, .overloaded: 429
        case .headersTooLarge: 431
        case .internalError: 500
        case .notImplemented: 501
        case .draining, .storageFull, .storageFailed: 503
        case .versionNotSupported: 505
        }
    }

    var title: String {
        switch self {
        case .badRequest: "The request is malformed"
        case .invalidJSON: "The body is not JSON"
        case .unauthorized: "A valid key is required"
        case .forbidden: "The key does not allow this"
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
        case .overloaded: "The server is overloaded"
        case .headersTooLarge: "The header is too large"
        case .internalError: "Internal error"
        case .notImplemented: "Not implemented"
        case .draining: "The server is shutting down"
        case .storageFull: "The disk is full"
        case .storageFailed: "Storage failed"
        case .versionNotSupported: "HTTP version not supported"
        }
    }
}

extension Refusal {
    init(hiding error: any Error) {
        self =
            (error as? Refusal)
            ?? Refusal(
                .internalError, "The request failed because of an internal error.",
                hint: "Send it again. If it fails again, search the log for the X-Request-Id of this response.")
    }

    /// The refusal of a fault that the HTTP server finds.
    init(_ fault: HTTPFault) {
        switch fault {
        case .badRequest(let reason): self.init(.badRequest, reason)
        case .slowClient: self.init(.slowClient, "The request did not arrive within the time limit.", hint: "Send it again.")
        case .tooLarge: self.init(.tooLarge, "The body exceeds the size limit of this route.", hint: "Send it in smaller pieces.")
        case .uriTooLong:
            self.init(.uriTooLong, "The request line is too long.", hint: "Shorten the query, or send it as a JSON body if the route accepts one.")
        case .headersTooLarge:
            self.init(
                .headersTooLarge, "The request header is too large or has too many fields.",
                hint: "Leave out cookies and other fields that the API does not use.")
        case .unsupportedMediaType:
            self.init(.unsupportedMediaType, "This Content-Encoding is not supported.", hint: "Use gzip, deflate, br or zstd, one at a time.")
        case .codedFile:
            self.init(
                .unsupportedMediaType, "A file upload must not have a Content-Encoding, because the file is stored as sent.",
                hint: "Send the file as it is, without Content-Encoding.")
        case .notImplemented:
            self.init(
                .notImplemented, "This transfer coding or method is not implemented.",
                hint: "Send the body with a Content-Length or chunked, with a method of the route.")
        case .versionNotSupported:
            self.init(
                .versionNotSupported, "Only HTTP/1.1 and HTTP/1.0 are supported.", hint: "Use HTTP/1.1, or a proxy that speaks it.")
        case .tooManyRequests:
            self.init(.overloaded, "Too many connections from this address.", hint: "Use fewer connections.", retryAfterSeconds: 1)
        case .overloaded:
            self.init(.overloaded, "The server has no free memory or task for this request.", hint: "Send it again later.", retryAfterSeconds: 1)
        case .uploadFailed: self.init(.storageFailed, "The upload could not be stored.", hint: "Send it again later.", retryAfterSeconds: 10)
        }
    }
}
