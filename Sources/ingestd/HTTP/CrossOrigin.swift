// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// CORS headers for the routes of ingest keys.
enum CrossOrigin {
    static func headers(_ head: HTTPRequestHead, _ allowed: [String]) -> [(name: String, value: String)] {
        guard let origin = head.header("Origin"), allowed.contains(where: { $0 == "*" || $0.hasSameBytes(as: origin) }) else { return [] }
        return [
            ("Access-Control-Allow-Origin", allowed.contains("*") ? "*" : origin), ("Vary", "Origin"),
            ("Access-Control-Expose-Headers", "X-Request-Id, Retry-After, X-Sentry-Rate-Limits"),
        ]
    }

    /// Request headers that our clients and those of integrations send from pages.
    private static let fields =
        "Authorization, Content-Type, Content-Encoding, Last-Event-ID, X-Bundle-Id, X-Sentry-Auth, Sentry-Trace, Baggage, X-Requested-With, AnonymousId, "
        + "X-Retry-Count, PostHog-Sdk-Info, PostHog-Attempt, PostHog-Request-Id, PostHog-Request-Timestamp"

    static func preflight(_ head: HTTPRequestHead, _ allowed: [String], _ methods: [HTTPMethod]) -> [(name: String, value: String)] {
        let basic = headers(head, allowed)
        guard !basic.isEmpty else { return [] }
        return basic + [
            ("Access-Control-Allow-Methods", methods.map(\.name).joined(separator: ", ")),
            ("Access-Control-Allow-Headers", CrossOrigin.fields),
            ("Access-Control-Max-Age", "86400"),
        ]
    }
}
