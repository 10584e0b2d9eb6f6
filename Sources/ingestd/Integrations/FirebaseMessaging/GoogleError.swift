// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import JSON
import Platform

/// Refusals in the form of Google's APIs, with FCM's error codes.
enum GoogleError {
    /// The codes of a refusal's field for which FCM has an error code.
    static let mismatch = "sender_id_mismatch"
    static let goneInstallation = "unregistered_fid"

    @Sendable static func response(_ refusal: Refusal) -> HTTPResponse {
        let (code, status) = status(of: refusal.code)
        return response(code, refusal) { json in
            json.field("code", code)
            json.field("message", message(refusal))
            json.field("status", status)
            json.writeDetails(of: refusal)
        }
    }

    /// Returns the response of the Instance ID API: one word.
    @Sendable static func shortResponse(_ refusal: Refusal) -> HTTPResponse {
        let (code, status) = status(of: refusal.code)
        var response = HTTPResponse.json(status: code) { json in
            json.beginObject()
            json.field("error", status)
            json.endObject()
        }
        addHeaders(refusal, code, &response)
        return response
    }

    private static func response(_ code: Int, _ refusal: Refusal, _ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        var response = HTTPResponse.json(status: code) { json in
            json.beginObject()
            json.key("error")
            json.beginObject()
            write(&json)
            json.endObject()
            json.endObject()
        }
        addHeaders(refusal, code, &response)
        return response
    }

    private static func addHeaders(_ refusal: Refusal, _ code: Int, _ response: inout HTTPResponse) {
        if code == 429 || code == 503 { response.headers.append(("Retry-After", String(max(1, refusal.retryAfterSeconds ?? 1)))) }
        if code == 401 { response.headers.append(("WWW-Authenticate", "Bearer")) }
    }

    private static func message(_ refusal: Refusal) -> String {
        [refusal.detail, refusal.hint].compactMap(\.self).joined(separator: " ")
    }

    /// Returns Google's status. Its clients retry a 503 up to five times, so every overload is a 429.
    static func status(of code: Refusal.Code) -> (code: Int, word: String) {
        switch code {
        case .unauthorized: (401, "UNAUTHENTICATED")
        case .forbidden, .crossOrigin: (403, "PERMISSION_DENIED")
        case .notFound, .unregistered: (404, "NOT_FOUND")
        case .conflict: (409, "ALREADY_EXISTS")
        case .rateLimited, .limitReached, .tooManyAttempts, .overloaded, .storageFull: (429, "RESOURCE_EXHAUSTED")
        case .draining, .storageFailed: (503, "UNAVAILABLE")
        case .internalError: (500, "INTERNAL")
        default: (400, "INVALID_ARGUMENT")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func writeDetails(of refusal: Refusal) {
        // FCM reports a message that is too large without further details.
        guard let code = refusal.firebaseCode, refusal.fields.first?.code != "payload_too_large" else { return }
        key("details")
        beginArray()
        beginObject()
        field("@type", "type.googleapis.com/google.firebase.fcm.v1.FcmError")
        field("errorCode", code)
        endObject()
        if refusal.code == .invalid { writeViolations(refusal.fields) }
        endArray()
    }

    private mutating func writeViolations(_ fields: [Refusal.Field]) {
        beginObject()
        field("@type", "type.googleapis.com/google.rpc.BadRequest")
        key("fieldViolations")
        beginArray()
        for violation in fields {
            beginObject()
            field("field", violation.field)
            field("description", violation.message)
            endObject()
        }
        endArray()
        endObject()
    }
}

extension Refusal {
    /// FCM's error code; nil if it has none.
    fileprivate var firebaseCode: String? {
        switch GoogleError.status(of: code).code {
        case 400: "INVALID_ARGUMENT"
        case 403: fields.first?.code == GoogleError.mismatch ? "SENDER_ID_MISMATCH" : nil
        case 404 where code == .unregistered: fields.first?.code == GoogleError.goneInstallation ? "UNREGISTERED_FID" : "UNREGISTERED"
        case 429: "QUOTA_EXCEEDED"
        case 503: "UNAVAILABLE"
        case 500: "INTERNAL"
        default: nil
        }
    }
}
