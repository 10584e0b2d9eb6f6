// SPDX-License-Identifier: Apache-2.0

import Firestore
import HTTPServer
import JSON
import Platform

/// Refusals in the form of Google's APIs, with FCM's error codes.
enum GoogleError {
    /// The codes of a refusal's field for which FCM has an error code.
    static let mismatch = "sender_id_mismatch"
    static let goneInstallation = "unregistered_fid"

    @Sendable static func response(_ refusal: Refusal) -> HTTPResponse {
        let status = status(of: refusal.code)
        var response = response(status.httpStatus) { json in
            json.field("code", status.httpStatus)
            json.field("message", refusal.sentences)
            json.field("status", status.rawValue)
            json.writeDetails(of: refusal)
        }
        response.addGoogleFields(refusal)
        return response
    }

    /// Returns the response of an API that lists errors, of which there is one, beside the first one's message.
    static func listResponse(_ code: Int, _ message: String, reason: String, status: GoogleStatus? = nil) -> HTTPResponse {
        response(code) { json in
            json.field("code", code)
            json.field("message", message)
            json.key("errors")
            json.beginArray()
            json.beginObject()
            json.field("message", message)
            json.field("domain", "global")
            json.field("reason", reason)
            json.endObject()
            json.endArray()
            if let status { json.field("status", status.rawValue) }
        }
    }

    /// Returns the response of the Instance ID API: one word.
    @Sendable static func shortResponse(_ refusal: Refusal) -> HTTPResponse {
        let status = status(of: refusal.code)
        var response = HTTPResponse.json(status: status.httpStatus) { json in
            json.beginObject()
            json.field("error", status.rawValue)
            json.endObject()
        }
        response.addGoogleFields(refusal)
        return response
    }

    private static func response(_ code: Int, _ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        .json(status: code) { json in
            json.beginObject()
            json.key("error")
            json.beginObject()
            write(&json)
            json.endObject()
            json.endObject()
        }
    }

    /// Returns Google's status. Its clients retry a 503 up to five times, so every overload is a 429.
    static func status(of code: Refusal.Code) -> GoogleStatus {
        switch code {
        case .unauthorized: .unauthenticated
        case .forbidden, .crossOrigin: .permissionDenied
        case .notFound, .unregistered: .notFound
        case .conflict: .alreadyExists
        case .rateLimited, .limitReached, .tooManyAttempts, .overloaded, .storageFull: .resourceExhausted
        case .draining, .storageFailed: .unavailable
        case .internalError: .internalError
        default: .invalidArgument
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
        switch GoogleError.status(of: code).httpStatus {
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
