// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import JSON
import Platform

/// Answers as Sentry's SDKs understand them.
///
/// They take any answer for the last word and forget the event, so where there is hope for it there is none: the connection just ends. What
/// they are told by 429 they lose, too, but then they rest.
enum SentryAnswer {
    static func taken(_ eventID: String?) -> HTTPResponse {
        .json { json in
            json.beginObject()
            if let eventID { json.field("id", eventID) }
            json.endObject()
        }
    }

    @Sendable static func refusal(_ refusal: Refusal) -> HTTPResponse {
        switch refusal.code {
        case .draining, .internalError: .hangUp
        case .rateLimited, .overloaded, .storageFull, .storageFailed: limited(refusal, [], scope: "organization")
        case .unauthorized, .forbidden: problem(refusal, status: 403)
        default: problem(refusal, status: refusal.code.status)
        }
    }

    /// The same for `sentry-cli`, which shows people what it is told and asks again where that has a use.
    @Sendable static func refusalToProgram(_ refusal: Refusal) -> HTTPResponse {
        var response = problem(refusal, status: refusal.code.status)
        if let seconds = refusal.retryAfterSeconds { response.headers.append(("Retry-After", String(seconds))) }
        return response
    }

    /// - Parameter categories: What is not to be sent for a while; empty for everything.
    static func limited(_ refusal: Refusal, _ categories: [String], scope: String) -> HTTPResponse {
        let seconds = max(1, refusal.retryAfterSeconds ?? 60)
        var response = problem(refusal, status: 429)
        // A fraction would make SDKs ignore both.
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
