// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import JSON
import Platform

/// Refusals in the form of Google's APIs.
enum GoogleError {
    @Sendable static func response(_ refusal: Refusal) -> HTTPResponse { response(refusal) { _ in } }

    /// Returns the response of an API that adds members to the error.
    static func response(_ refusal: Refusal, adding write: (inout JSONWriter) -> Void) -> HTTPResponse {
        let status = status(of: refusal.code)
        var response = response(status.httpStatus) { json in
            json.field("code", status.httpStatus)
            json.field("message", refusal.sentences)
            json.field("status", status.rawValue)
            write(&json)
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
        case .internalError: .internal
        default: .invalidArgument
        }
    }
}
