// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// The rules for requests of web pages from other origins (CORS).
///
/// Pages may use the routes that are open to ingest keys, with an ingest key. Keys of other roles are secret and work only without an
/// `Origin` field or from a page of the daemon's own origin.
enum CrossOrigin {
    /// The roles whose keys are public, so that they work in pages of any allowed origin and in a query.
    static let roles: [Role] = [.ingest]

    /// Rejects a request of a page from another origin, unless the role is public and the setting `server.cors_origins` allows the origin.
    static func check(_ role: Role, _ head: HTTPRequestHead, _ rules: () -> [OriginRule]) throws(Refusal) {
        guard let origin = head.header("Origin"), !isOwn(origin, head) else { return }
        guard roles.contains(role) else {
            throw Refusal(
                .crossOrigin, "A key with the role \(role.rawValue) does not work in a web page of another origin.",
                hint: "Use an ingest key in the page, and send other requests from a server.")
        }
        guard rules().contains(where: { $0.matches(origin) }) else {
            throw Refusal(.crossOrigin, "Web pages of this origin may not use the API.", hint: "Add the origin to server.cors_origins.")
        }
    }

    /// Header fields with which the page of an allowed origin may read the response.
    static func headers(_ head: HTTPRequestHead, _ rules: () -> [OriginRule]) -> [(name: String, value: String)] {
        guard let origin = head.header("Origin"), rules().contains(where: { $0.matches(origin) }) else { return vary }
        return [("Access-Control-Allow-Origin", origin)] + shared
    }

    /// Header fields that let the page of an allowed origin send the request that it announces.
    static func preflight(_ head: HTTPRequestHead, _ rules: () -> [OriginRule], _ methods: [HTTPMethod]) -> [(name: String, value: String)] {
        let basic = headers(head, rules)
        guard basic.count > vary.count else { return basic }
        let asksForNetwork = head.header("Access-Control-Request-Private-Network")?.lowercased() == "true"
        return basic + [
            ("Access-Control-Allow-Methods", methods.map(\.name).joined(separator: ", ")), ("Access-Control-Allow-Headers", fields),
            ("Access-Control-Max-Age", "86400"),
        ] + (asksForNetwork ? [("Access-Control-Allow-Private-Network", "true")] : [])
    }

    /// Whether the page is served under the origin that it sends to. A proxy that does not pass on `Host` hides that, but not
    /// `Sec-Fetch-Site`, which a page cannot set.
    private static func isOwn(_ origin: String, _ head: HTTPRequestHead) -> Bool {
        head.header("Sec-Fetch-Site") == "same-origin" || head.header("Host").map { WebOrigin.isServed(origin, at: $0) } == true
    }

    static let vary: [(name: String, value: String)] = [("Vary", "Origin")]

    private static let shared: [(name: String, value: String)] =
        vary + [
            ("Access-Control-Allow-Credentials", "true"), ("Access-Control-Expose-Headers", exposed),
        ]

    /// The response header fields that clients in pages read.
    private static let exposed = [
        "Retry-After", "X-Request-Id", "X-Sentry-Rate-Limits", "ETag", "Content-Range", "Location", "Tus-Resumable", "Upload-Offset",
        "Upload-Length", "Upload-Defer-Length", "Upload-Expires", "Upload-Metadata", "Upload-Pending-Until", "X-Goog-Upload-Status",
        "X-Goog-Upload-URL", "X-Goog-Upload-Size-Received",
    ].joined(separator: ", ")

    private static let fields = requestFields.flatMap(\.fields).joined(separator: ", ")

    /// The request header fields that need a preflight, by the clients that send them.
    ///
    /// With credentials `*` does not stand for all fields, so they are listed.
    private static let requestFields: [(client: String, fields: [String])] = [
        ("any", ["Authorization", "Content-Type", "Content-Encoding", "Idempotency-Key", "X-Bundle-Id", "X-Requested-With", "Cache-Control"]),
        ("EventSource in a library", ["Last-Event-ID"]),
        ("files", ["Content-Digest", "Content-Disposition", "If-Match", "If-None-Match", "If-Range", "Range"]),
        ("tus", ["Tus-Resumable", "Upload-Length", "Upload-Defer-Length", "Upload-Offset", "Upload-Metadata", "Upload-Checksum"]),
        ("tracing of fetch and XMLHttpRequest", ["Traceparent", "Tracestate", "Sentry-Trace", "Baggage"]),
        ("Sentry", ["X-Sentry-Auth"]),
        (
            "PostHog",
            [
                "PostHog-Sdk-Info", "PostHog-Attempt", "PostHog-Request-Id", "PostHog-Request-Timestamp", "X-PostHog-Distinct-Id",
                "X-PostHog-Session-Id", "X-PostHog-Window-Id",
            ]
        ),
        ("Segment", ["X-Retry-Count"]),
        (
            "RudderStack",
            ["AnonymousId", "SentAt", "Rsa-Retry-Attempt", "Rsa-Retry-Reason", "Rsa-Since-Last-Attempt", "Rsa-Since-First-Attempt", "Rsa-Recovered"]
        ),
        (
            "Firebase",
            [
                "X-Goog-Api-Key", "X-Firebase-Client", "X-Firebase-GMPID", "X-Firebase-Locale", "X-Firebase-AppCheck", "X-Client-Version",
                "Firebase-Instance-ID-Token",
            ]
        ),
        (
            "Firebase's storage",
            [
                "X-Firebase-Storage-Version", "X-Goog-Upload-Protocol", "X-Goog-Upload-Command", "X-Goog-Upload-Offset",
                "X-Goog-Upload-Header-Content-Length", "X-Goog-Upload-Header-Content-Type", "X-HTTP-Method-Override",
            ]
        ),
        ("Firestore", ["X-Goog-Api-Client", "X-Goog-Request-Params", "Google-Cloud-Resource-Prefix"]),
    ]
}
