// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import JSON
import Platform

/// The one place where a refusal becomes HTTP: RFC 9457 problem details with a stable code.
extension HTTPResponse {
    init(_ refusal: Refusal) {
        let status = refusal.code.status
        var json = JSONWriter()
        json.beginObject()
        json.key("type")
        json.string("about:blank")
        json.key("title")
        json.string(refusal.code.title)
        json.key("status")
        json.integer(status)
        json.key("code")
        json.string(refusal.code.rawValue)
        json.key("detail")
        json.string(refusal.detail)
        if let hint = refusal.hint {
            json.key("hint")
            json.string(hint)
        }
        if !refusal.fields.isEmpty { json.write(refusal.fields) }
        json.endObject()
        self.init(status: status, headers: [("Content-Type", "application/problem+json")], body: json.bytes)
        if let seconds = refusal.retryAfterSeconds { headers.append(("Retry-After", String(seconds))) }
        if refusal.code == .unauthorized { headers.append(("WWW-Authenticate", "Bearer")) }
    }

    /// What the client is told of an error that is nobody's fault but ours: nothing of its inside.
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

extension JSONWriter {
    fileprivate mutating func write(_ fields: [Refusal.Field]) {
        key("errors")
        beginArray()
        for field in fields {
            beginObject()
            key("field")
            string(field.field)
            key("code")
            string(field.code)
            key("message")
            string(field.message)
            endObject()
        }
        endArray()
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
        case .badRequest: "The request cannot be read"
        case .invalidJSON: "The body is not JSON"
        case .unauthorized: "No valid key"
        case .forbidden: "Not allowed with this key"
        case .notFound: "Not found"
        case .unregistered: "Not registered"
        case .methodNotAllowed: "Method not allowed"
        case .slowClient: "Too slow"
        case .conflict: "Conflict"
        case .tooLarge: "Too large"
        case .uriTooLong: "The request line is too long"
        case .unsupportedMediaType: "Unsupported encoding or type"
        case .misdirected: "Misdirected request"
        case .invalid: "Something in the request is wrong"
        case .rateLimited: "Too many events"
        case .overloaded: "Too busy"
        case .headersTooLarge: "The header is too large"
        case .internalError: "Internal error"
        case .notImplemented: "Not implemented"
        case .draining: "Shutting down"
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
                .internalError, "Something went wrong here; the request's id stands in the log.",
                hint: "Send it again. If it fails again, look up the X-Request-Id in the daemon's log.")
    }

    /// What the server itself finds wrong, in the same words as everything else.
    init(_ fault: HTTPFault) {
        switch fault {
        case .badRequest(let reason): self.init(.badRequest, reason)
        case .slowClient: self.init(.slowClient, "The request did not arrive in time.", hint: "Send it again.")
        case .tooLarge: self.init(.tooLarge, "The body is larger than this route takes.", hint: "Send it in smaller pieces.")
        case .uriTooLong:
            self.init(.uriTooLong, "The request line is too long.", hint: "Shorten the query, or send it as a body where the route takes one.")
        case .headersTooLarge:
            self.init(
                .headersTooLarge, "The header is too large or has too many fields.", hint: "Leave out cookies and other fields not needed here.")
        case .unsupportedMediaType:
            self.init(.unsupportedMediaType, "This Content-Encoding is not spoken here.", hint: "Use gzip, deflate, br or zstd, one at a time.")
        case .codedFile:
            self.init(
                .unsupportedMediaType, "A file is kept as it comes, so it takes no Content-Encoding.",
                hint: "Send the file as it is, without Content-Encoding.")
        case .notImplemented:
            self.init(
                .notImplemented, "This transfer coding or method is not implemented.",
                hint: "Send the body with a Content-Length or in chunks, by a method of the route.")
        case .versionNotSupported:
            self.init(
                .versionNotSupported, "Only HTTP/1.1 and HTTP/1.0 are spoken here.", hint: "Use HTTP/1.1, or a proxy in front that does.")
        case .tooManyRequests:
            self.init(.overloaded, "Too many connections from this address.", hint: "Use fewer connections.", retryAfterSeconds: 1)
        case .overloaded: self.init(.overloaded, "Too much is going on.", hint: "Send it again later.", retryAfterSeconds: 1)
        case .uploadFailed: self.init(.storageFailed, "The upload could not be kept.", hint: "Send it again later.", retryAfterSeconds: 10)
        }
    }
}
