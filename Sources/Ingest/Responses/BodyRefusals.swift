// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

extension Refusal {
    /// Creates the refusal of a body that is not a JSON document. It names the byte if it is known.
    init(_ failure: JSONError) {
        let detail = "The body \(failure.explanation)."
        switch failure.reason {
        case .tooLarge, .tooManyTokens, .tooManyMembers: self.init(.tooLarge, detail, hint: "Send less in one request.")
        case .noMemory: self.init(.overloaded, detail, hint: "Try again later.", retryAfterSeconds: 5)
        case .tooDeep: self.init(.badRequest, detail, hint: "Nest objects and arrays less deeply.")
        default: self.init(.invalidJSON, detail, hint: "Send one JSON document in UTF-8.")
        }
    }

    static func tooManySteps(limit: Int) -> Refusal {
        Refusal(
            .tooLarge, "Decoding the request takes more than \(limit) steps, the limit for its size. Nothing was stored.",
            hint: "Send fewer members per object, or smaller requests.")
    }

    static func tooMany(_ what: String, limit: Int) -> Refusal {
        Refusal(.tooLarge, "The request has more than \(limit) \(what). Nothing was stored.", hint: "Send at most \(limit) per request.")
    }

    static func unexpectedShape(_ expected: String) -> Refusal {
        Refusal(
            .badRequest, "The body is JSON, but not \(expected).",
            hint: "See POST /v1/events, POST /v1/users and POST /v1/crashes in /v1/openapi.json.")
    }
}
