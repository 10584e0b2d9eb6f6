// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct PreflightTests {
    private static let wish = CrossOriginTests.wish

    @Test func `a preflight names the methods and fields, and may be cached`() async throws {
        try await withDaemon { live in
            let answer = try await live.api.request("OPTIONS", "/v1/devices/some-token", headers: Self.wish)
            #expect(answer.status == 204 && answer.body.isEmpty)
            #expect(answer.headers["access-control-allow-origin"] == "https://shop.example")
            #expect(answer.headers["access-control-allow-credentials"] == "true")
            #expect(answer.headers["access-control-allow-methods"] == "GET, PUT, DELETE")
            #expect(answer.headers["access-control-max-age"] == "86400")
            #expect(answer.headers["vary"] == "Origin")
            let fields = Set((answer.headers["access-control-allow-headers"] ?? "").lowercased().split(separator: ", "))
            let sent: Set<Substring> = [
                "authorization", "content-type", "content-encoding", "idempotency-key", "last-event-id", "x-bundle-id", "x-requested-with",
                "x-sentry-auth", "sentry-trace", "baggage", "traceparent", "x-retry-count", "anonymousid", "sentat", "rsa-retry-attempt",
                "rsa-since-last-attempt", "posthog-sdk-info", "posthog-attempt",
                "posthog-request-id", "posthog-request-timestamp", "x-posthog-session-id", "x-goog-api-key",
                "x-goog-api-client", "x-goog-request-params", "google-cloud-resource-prefix", "x-firebase-appcheck",
            ]
            #expect(sent.isSubset(of: fields), "\(sent.subtracting(fields))")
            // With credentials `*` is the name of a field.
            #expect(!fields.contains("*"))
        }
    }

    @Test func `a page on the internet may ask for a daemon in a private network`() async throws {
        try await withDaemon(configure: { $0.server.corsOrigins = CrossOriginTests.rules }) { live in
            func answer(_ headers: [String: String]) async throws -> String? {
                try await live.api.request("OPTIONS", "/v1/events", headers: Self.wish.merging(headers) { $1 })
                    .headers["access-control-allow-private-network"]
            }
            let asked = ["Access-Control-Request-Private-Network": "true"]
            let (allowed, plain) = (try await answer(asked), try await answer([:]))
            let foreign = try await answer(asked.merging(["Origin": "https://evil.example"]) { $1 })
            #expect(allowed == "true" && plain == nil && foreign == nil)
        }
    }

    @Test func `a key in the path or query is checked in the preflight`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let made = try await live.api.asOperator(
                "POST", "/v1/apps/\(keys.app)/keys", #"{"role": "ingest", "origins": ["https://*.docs.example", "https://docs.example"]}"#)
            let docs = try JSON(made)["key"].text
            func isAllowed(_ target: String, _ origin: String) async throws -> Bool {
                let headers = Self.wish.merging(["Origin": origin]) { $1 }
                return try await live.api.request("OPTIONS", target, headers: headers).headers["access-control-allow-origin"] == origin
            }
            let places = [
                "/v1/events?key=", "/e/?token=", "/v1/t?key=", "/api/\(keys.app)/envelope/?sentry_key=", "/mp/collect?api_secret=",
                "/v1/stream?token=x&key=",
            ]
            let targets = places.map { ($0, "") } + [("/array/", "/config"), ("/v1/projects/", "/settings")]
            for (start, end) in targets {
                for origin in ["https://docs.example", "https://eu.docs.example"] {
                    #expect(try await isAllowed(start + docs + end, origin), "\(start) \(origin)")
                }
                #expect(try await !isAllowed(start + docs + end, "https://shop.example"), "\(start)")
                #expect(try await isAllowed(start + keys.ingest + end, "https://shop.example"), "\(start)")
                // The page learns from the answer that a key is unknown.
                #expect(try await isAllowed(start + "nonsense" + end, "https://shop.example"), "\(start)")
                for key in [keys.read, keys.send, keys.admin] {
                    #expect(try await !isAllowed(start + key + end, "https://shop.example"), "\(start)")
                }
            }
        }
    }

    @Test func `a key's origins hold for the request`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let made = try await live.api.asOperator(
                "POST", "/v1/apps/\(keys.app)/keys", #"{"role": "ingest", "origins": ["https://*.docs.example"]}"#)
            let docs = try JSON(made)["key"].text
            for (origin, status) in [("https://eu.docs.example", 200), ("https://docs.example", 403), ("https://shop.example", 403), (nil, 200)] {
                let headers = origin.map { ["Origin": $0] } ?? [:]
                for (target, key) in [("/v1/events", docs), ("/v1/events?key=\(docs)", nil)] {
                    #expect(try await live.api.post(target, key: key, headers: headers, #"[{"name": "a"}]"#).status == status, "\(origin ?? "none")")
                }
                let body = #"{"api_key": "\#(docs)", "event": "a"}"#
                #expect(try await live.api.post("/e/", headers: headers, body).status == status, "\(origin ?? "none")")
            }
            for origins in [#"["*"]"#, #"["https://*"]"#, #"["https://docs.example/"]"#] {
                let refused = try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", #"{"role": "ingest", "origins": \#(origins)}"#)
                #expect(refused.status == 422, "\(origins)")
            }
        }
    }

    @Test func `hostile preflights get a short answer`() async throws {
        try await withDaemon { live in
            _ = try await live.api.makeApp()
            let long = String(repeating: "x-field,", count: 800)
            for (target, headers) in [
                ("/v1/events?" + String(repeating: "key=%41&", count: 800), [:]), ("/v1/events?key=%zz", [:]),
                ("/v1/events", ["Access-Control-Request-Headers": long]),
                ("/v1/events", ["Origin": "https://" + String(repeating: "a.", count: 3_000)]),
                ("/v1/events", ["Origin": "https://a\u{301}.example"]), ("/v1/devices/%zz", [:]),
            ] {
                let answer = try await live.api.request("OPTIONS", target, headers: Self.wish.merging(headers) { $1 })
                #expect([204, 404].contains(answer.status), "\(target.prefix(40))")
                #expect(answer.headers.values.reduce(0) { $0 + $1.utf8.count } < 2_000)
                if headers["Origin"] != nil { #expect(answer.headers["access-control-allow-origin"] == nil) }
            }
        }
    }
}
