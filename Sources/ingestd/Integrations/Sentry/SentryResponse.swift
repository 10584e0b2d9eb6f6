// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import JSON
import Platform

/// Responses in the form that Sentry's SDKs understand.
///
/// The SDKs drop an event on any response. To keep a chance of a retry, temporary failures close the connection without one. A 429 loses
/// the event as well, but pauses the client.
enum SentryResponse {
    static func taken(_ eventID: String?) -> HTTPResponse {
        .json { json in
            json.beginObject()
            if let eventID { json.field("id", eventID) }
            json.endObject()
        }
    }

    /// Returns a UUID with dashes as text; another ID as it is.
    static func minidump(_ eventID: String) -> HTTPResponse {
        let digits = Array(eventID.utf8)
        var text: [UInt8] = []
        for (place, digit) in digits.enumerated() {
            if digits.count == 32, [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return HTTPResponse(status: 200, headers: [("Content-Type", "text/plain; charset=utf-8")], body: text)
    }

    @Sendable static func refusal(_ refusal: Refusal) -> HTTPResponse {
        switch refusal.code {
        case .draining, .internalError: .hangUp
        case .rateLimited, .limitReached, .overloaded, .storageFull, .storageFailed: limited(refusal, [], scope: "organization")
        case .unauthorized, .forbidden, .crossOrigin: problem(refusal, status: 403)
        default: problem(refusal, status: refusal.code.status)
        }
    }

    /// Returns the response for `sentry-cli`, which shows errors and retries where useful.
    @Sendable static func refusalToProgram(_ refusal: Refusal) -> HTTPResponse {
        var response = problem(refusal, status: refusal.code.status)
        response.addRetryAfter(refusal)
        return response
    }

    /// - Parameter categories: The categories to pause; empty for all.
    static func limited(_ refusal: Refusal, _ categories: [String], scope: String) -> HTTPResponse {
        let seconds = max(1, refusal.retryAfterSeconds ?? 60)
        var response = problem(refusal, status: 429)
        // SDKs ignore both fields if one contains a fraction.
        response.headers.append(("Retry-After", String(seconds)))
        response.headers.append(("X-Sentry-Rate-Limits", "\(seconds):\(categories.joined(separator: ";")):\(scope)"))
        return response
    }

    private static func problem(_ refusal: Refusal, status: Int) -> HTTPResponse {
        .json(status: status) { json in
            json.beginObject()
            json.field("detail", refusal.detail)
            json.key("causes")
            json.beginArray()
            if let hint = refusal.hint { json.string(hint) }
            json.endArray()
            json.endObject()
        }
    }
}
