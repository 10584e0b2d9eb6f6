// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct CredentialTests {
    static let places = [
        ("/v1/events", "Authorization: Bearer"), ("/mp/collect", "api_secret"), ("/api/1/envelope/", "sentry_key"), ("/batch/", "api_key"),
        ("/v1/batch", "writeKey"),
    ]

    @Test(arguments: places)
    func `a missing key is answered with the place where the integration expects it`(path: String, place: String) async throws {
        try await withDaemon { live in
            let refused = try await live.api.post(path, path.hasPrefix("/api") ? "{}\n" : #"{"batch": []}"#)
            #expect(refused.status == 401 || refused.status == 403)
            #expect(refused.text.contains(place), "\(refused.text)")
        }
    }

    @Test(arguments: [
        "sixteen-letters!", "a:b:c:d:e:f:g:h:i", "with some  spaces", #"~!@#$%^&*()_+"'\|/?<>"#, String(repeating: "x", count: 256),
    ])
    func `a metrics token may be any printable ASCII`(token: String) async throws {
        try await withDaemon(configure: { $0.metrics.token = Secret(token) }) { live async throws in
            func status(_ field: String) async throws -> Int {
                try await live.api.request("GET", "/metrics", headers: ["X-Forwarded-For": "203.0.113.7", "Authorization": field]).status
            }
            for field in ["Bearer \(token)", "bearer \(token)", "Basic \((token + ":").base64)", "Basic \(token.base64)"] {
                #expect(try await status(field) == 200, "\(field)")
            }
            for field in ["Bearer \(token)x", "Bearer \(token.dropLast())", "Bearer", token, "Digest \(token)", "Basic \((":" + token).base64)"] {
                #expect(try await status(field) == 401, "\(field)")
            }
        }
    }

    @Test(arguments: [nil, "token_for_scrapers"])
    func `metrics require a loopback client or the metrics token`(token: String?) async throws {
        try await withDaemon(configure: { $0.metrics.token = token.map(Secret.init) }) { live in
            let keys = try await live.api.makeApp()
            #expect(try await live.api.get("/metrics").status == 200)
            // The header that a proxy on this machine adds.
            let fromElsewhere = ["X-Forwarded-For": "203.0.113.7"]
            for key in [nil, keys.admin, "token_for_scraperz"] {
                #expect(try await live.api.request("GET", "/metrics", key: key, headers: fromElsewhere).status == 401)
            }
            let scraped = try await live.api.request("GET", "/metrics", key: "token_for_scrapers", headers: fromElsewhere)
            #expect(scraped.status == (token == nil ? 401 : 200))
        }
    }

    @Test func `a key is accepted as the user name of Basic authentication`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let basic = (keys.read + ":").base64
            #expect(try await live.api.request("GET", "/v1/app", headers: ["Authorization": "Basic \(basic)"]).status == 200)
            #expect(try await live.api.request("GET", "/v1/app", headers: ["Authorization": "basic " + keys.read.base64]).status == 200)
            for broken in ["Basic", "Basic ???", "Bearer", "Digest \(keys.read)", "Bearer  \(keys.read)", "Basic \((":" + keys.read).base64)"] {
                #expect(try await live.api.request("GET", "/v1/app", headers: ["Authorization": broken]).status == 401, "\(broken)")
            }
        }
    }
}
