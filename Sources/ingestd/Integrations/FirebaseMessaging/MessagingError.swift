// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import JSON
import Platform

/// Refusals in the form of Google's APIs, with FCM's error codes.
enum MessagingError {
    /// The codes of a refusal's field for which FCM has an error code.
    static let mismatch = "sender_id_mismatch"
    static let goneInstallation = "unregistered_fid"

    @Sendable static func response(_ refusal: Refusal) -> HTTPResponse {
        GoogleError.response(refusal) { $0.writeDetails(of: refusal) }
    }

    /// Returns the response of the Instance ID API: one word.
    @Sendable static func shortResponse(_ refusal: Refusal) -> HTTPResponse {
        let status = GoogleError.status(of: refusal.code)
        var response = HTTPResponse.json(status: status.httpStatus) { json in
            json.beginObject()
            json.field("error", status.rawValue)
            json.endObject()
        }
        response.addGoogleFields(refusal)
        return response
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
        case 403: fields.first?.code == MessagingError.mismatch ? "SENDER_ID_MISMATCH" : nil
        case 404 where code == .unregistered: fields.first?.code == MessagingError.goneInstallation ? "UNREGISTERED_FID" : "UNREGISTERED"
        case 429: "QUOTA_EXCEEDED"
        case 503: "UNAVAILABLE"
        case 500: "INTERNAL"
        default: nil
        }
    }
}
