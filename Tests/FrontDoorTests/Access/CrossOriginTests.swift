// SPDX-License-Identifier: Apache-2.0

import Compression
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Requests of web pages: which origins and keys are accepted, and which header fields say so.
@Suite struct CrossOriginTests {
    static let page = ["Origin": "https://shop.example"]
    static let wish = page.merging(["Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"]) { $1 }

    static let rules = ["https://shop.example", "https://*.shop.example:8443"].compactMap { OriginRule($0) }

    @Test func `by default every origin is named, with credentials`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for origin in ["https://shop.example", "http://localhost:3000", "null", "capacitor://localhost"] {
                let answer = try await live.api.post("/v1/events", key: keys.ingest, headers: ["Origin": origin], #"[{"name": "a"}]"#)
                #expect(answer.status == 200)
                #expect(answer.headers["access-control-allow-origin"] == origin)
                #expect(answer.headers["access-control-allow-credentials"] == "true")
                let exposed = answer.headers["access-control-expose-headers"] ?? ""
                #expect(exposed.hasPrefix("Retry-After, X-Request-Id, X-Sentry-Rate-Limits, ") && exposed.contains("Upload-Offset"))
                #expect(answer.headers["vary"] == "Origin")
            }
            // A cache must not keep an answer without an origin for a page.
            let plain = try await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "a"}]"#)
            #expect(plain.status == 200 && plain.headers["vary"] == "Origin")
            #expect(plain.headers["access-control-allow-origin"] == nil && plain.headers["access-control-allow-credentials"] == nil)
        }
    }

    @Test func `with a list only its origins and subdomains are accepted`() async throws {
        try await withDaemon(configure: { $0.server.corsOrigins = Self.rules }) { live in
            let keys = try await live.api.makeApp()
            for origin in ["https://shop.example", "https://eu.shop.example:8443", "https://a.eu.shop.example:8443"] {
                let answer = try await live.api.post("/v1/events", key: keys.ingest, headers: ["Origin": origin], #"[{"name": "a"}]"#)
                #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == origin)
                let preflight = try await live.api.request("OPTIONS", "/v1/events", headers: Self.wish.merging(["Origin": origin]) { $1 })
                #expect(preflight.status == 204 && preflight.headers["access-control-allow-origin"] == origin)
            }
            for origin in ["https://evil.example", "https://eu.shop.example", "https://evilshop.example:8443", "http://shop.example", "null", "*"] {
                let answer = try await live.api.post("/v1/events", key: keys.ingest, headers: ["Origin": origin], #"[{"name": "a"}]"#)
                #expect(try answer.status == 403 && JSON(answer)["code"].text == "cross_origin", "\(origin)")
                let preflight = try await live.api.request("OPTIONS", "/v1/events", headers: Self.wish.merging(["Origin": origin]) { $1 })
                #expect(preflight.status == 204)
                for reply in [answer, preflight] {
                    #expect(reply.headers["vary"] == "Origin")
                    #expect(reply.headers.keys.allSatisfy { !$0.hasPrefix("access-control-") }, "\(origin)")
                }
            }
            #expect(live.stored == 3)
        }
    }

    @Test func `a reload applies the origins`() async throws {
        try await withDaemon(configure: { $0.server.corsOrigins = [] }) { live in
            let keys = try await live.api.makeApp()
            #expect(try await live.api.post("/v1/events", key: keys.ingest, headers: Self.page, #"[{"name": "a"}]"#).status == 403)
            var new = live.daemon.settings
            new.server.corsOrigins = Self.rules
            live.daemon.configuration.replace(Configuration.settings.reloaded(live.daemon.settings, with: new))
            #expect(try await live.api.post("/v1/events", key: keys.ingest, headers: Self.page, #"[{"name": "a"}]"#).status == 200)
        }
    }

    @Test func `on no route does a key of another role work from a page of another origin`() async throws {
        try await withDaemon(configure: { $0.sql.enabled = true }) { live in
            let keys = try await live.api.makeApp()
            for route in Routes.all {
                guard case .keys(let roles) = AllowedCallers.byRoute[route.row] else { continue }
                let target = route.target(app: keys.app)
                for (role, key) in [(Role.ingest, keys.ingest), (.read, keys.read), (.send, keys.send), (.admin, keys.admin)]
                where roles.contains(role) {
                    let own = try await live.api.request(route.probe, target, key: key, body: [])
                    let other = try await live.api.request(route.probe, target, key: key, headers: Self.page, body: [])
                    #expect(other.status == (role == .ingest ? own.status : 403), "\(route.row) as \(role): \(own.status) and \(other.status)")
                    if other.headers["content-type"] == "application/problem+json", role != .ingest {
                        #expect(other.text.contains("cross_origin") || route.probe == "HEAD", "\(route.row) as \(role): \(other.text)")
                    }
                    #expect((other.headers["access-control-allow-origin"] != nil) == route.isForPages, "\(route.row)")
                }
            }
        }
    }

    @Test func `keys of all roles work without an origin and from the daemon's own`() async throws {
        try await withDaemon(configure: { $0.server.corsOrigins = [] }) { live in
            let keys = try await live.api.makeApp()
            let own = [
                [:], ["Origin": "http://localhost"], ["Origin": "https://localhost"],
                ["Origin": "https://proxied.example", "Sec-Fetch-Site": "same-origin"],
            ]
            for headers in own {
                for key in keys.all { #expect(try await live.api.request("GET", "/v1/app", key: key, headers: headers).status == 200, "\(headers)") }
            }
            let others = [
                ["Origin": "http://localhost:3000"], ["Origin": "null"], ["Origin": ""], ["Origin": "localhost"],
                ["Origin": "https://proxied.example", "Sec-Fetch-Site": "same-site"],
                ["Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"],
            ]
            for headers in others {
                for key in keys.all {
                    let answer = try await live.api.request("GET", "/v1/app", key: key, headers: headers)
                    #expect(try answer.status == 403 && JSON(answer)["code"].text == "cross_origin", "\(headers)")
                }
            }
        }
    }

    @Test func `a page can read errors`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let compressed = Self.page.merging(["Content-Encoding": "gzip"]) { $1 }
            let spaces = [UInt8](repeating: 0x20, count: 6_000_000)
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"events_per_minute": 1}"#.utf8)).status == 200)
            var answers = [
                (400, try await live.api.post("/v1/events", key: keys.ingest, headers: compressed, "no gzip")),
                (401, try await live.api.post("/v1/events", key: "nonsense", headers: Self.page, "[]")),
                (403, try await live.api.post("/v1/events", key: keys.read, headers: Self.page, "[]")),
                (405, try await live.api.request("GET", "/v1/events", key: keys.ingest, headers: Self.page)),
                (413, try await live.api.request("POST", "/v1/events", key: keys.ingest, headers: compressed, body: gzip(spaces))),
                (415, try await live.api.post("/v1/events", key: keys.ingest, headers: Self.page.merging(["Content-Type": "a/b"]) { $1 }, "[]")),
                (415, try await live.api.post("/v1/events", key: keys.ingest, headers: Self.page.merging(["Content-Encoding": "x"]) { $1 }, "[]")),
                (422, try await live.api.request("GET", "/v1/stream?token=x&nonsense=1", key: keys.ingest, headers: Self.page)),
                // Reading a stream takes from the key's rate, which is used up then.
                (404, try await live.api.request("GET", "/v1/stream?token=x", key: keys.ingest, headers: Self.page)),
                (429, try await live.api.post("/v1/events", key: keys.ingest, headers: Self.page, #"[{"name": "c"}]"#)),
            ]
            let connection = try live.api.connect()
            let bytes = TestClient.bytes("POST", "/v1/events", key: keys.ingest, headers: Self.page, body: Array("[]".utf8))
            // Begun before, so that the connection is there afterwards.
            try await connection.send(bytes.prefix(20))
            #expect(try await live.api.get("/healthz").status == 200)
            live.daemon.beginDrain()
            try await connection.send(bytes.dropFirst(20))
            answers.append((503, try await connection.reply()))
            for (status, answer) in answers {
                #expect(answer.status == status, "\(status): \(answer.text)")
                #expect(answer.headers["access-control-allow-origin"] == "https://shop.example", "\(status)")
                #expect(answer.headers["access-control-allow-credentials"] == "true" && answer.headers["vary"] == "Origin", "\(status)")
                #expect((answer.headers["retry-after"] != nil) == (status == 429 || status == 503))
            }
        }
    }

    @Test func `routes for keys of other roles have no header fields for pages`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for path in [
                "/v1/export", "/v1/query/series", "/v1/issues", "/v1/messages", "/healthz", "/metrics", "/v1/openapi.json", "/v1/apps", "/no/route",
            ] {
                let preflight = try await live.api.request("OPTIONS", path, headers: Self.wish)
                let answer = try await live.api.request("GET", path, key: keys.read, headers: Self.page)
                for reply in [preflight, answer] {
                    #expect(reply.headers.keys.allSatisfy { !$0.hasPrefix("access-control-") }, "\(path)")
                }
            }
        }
    }
}
