// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Tokens and keys of one app at another, and users who would like further rights.
@Suite struct ForeignTokenTests {
    @Test func `tokens and IDs of one app are nothing to another`() async throws {
        try await AccountWorld.use { world in
            let api = world.live.api
            let (user, other) = (try await world.user(), try await api.makeApp("other"))
            let settings = Array(#"{"auth_methods": "password"}"#.utf8)
            #expect(try await api.request("PATCH", "/v1/app", key: other.admin, body: settings).status == 200)
            #expect(try await world.refresh(user.refresh, key: other.ingest).status == 401)
            let everywhere = #"{"refresh_token": "\#(user.refresh)", "everywhere": true}"#
            #expect(try await api.post("/v1/auth/sign-out", key: other.ingest, everywhere).status == 204)
            #expect(try await api.post("/v1/auth/verify", key: other.admin, #"{"id_token": "\#(user.token)"}"#).status == 401)
            for path in ["", "/sign-out"] {
                #expect(try await api.post("/v1/auth/accounts/\(user.id)\(path)", key: other.admin, "{}").status >= 404)
            }
            for (method, body) in [("GET", nil), ("PATCH", Array(#"{"claims": {"admin": true}}"#.utf8)), ("DELETE", nil)] as [(String, [UInt8]?)] {
                #expect(try await api.request(method, "/v1/auth/accounts/\(user.id)", key: other.admin, body: body).status == 404, "\(method)")
            }
            for query in ["accounts?email=ana@example.org", "audit?user=\(user.id)"] {
                #expect(try JSON(try await api.get("/v1/auth/\(query)", key: other.admin))["items"].items.isEmpty, "\(query)")
            }
            // The same address is another account there, and the session at home goes on.
            let body = #"{"email": "ana@example.org", "password": "\#(AccountWorld.password)"}"#
            #expect(try await api.post("/v1/auth/sign-up", key: other.ingest, body).status == 201)
            #expect(try await api.get("/v1/auth/user", key: user.token).status == 200)
            #expect(try await world.refresh(user.refresh).status == 200)
        }
    }

    @Test func `an app's former project is no way into the app that asks for it`() async throws {
        try await AccountWorld.use { world in
            let api = world.live.api
            let other = try await api.makeApp("other")
            #expect(try await api.asOperator("PATCH", "/v1/apps/1", #"{"project": "shop-1a2b"}"#).status == 200)
            let user = try await world.user()
            #expect(try await api.asOperator("PATCH", "/v1/apps/1", #"{"project": "shop-3c4d"}"#).status == 200)
            #expect(try await api.get("/v1/auth/user", key: user.token).status == 401)
            #expect(try await api.asOperator("PATCH", "/v1/apps/\(other.app)", #"{"project": "shop-1a2b"}"#).status >= 400)
            #expect(try await api.post("/v1/auth/verify", key: other.admin, #"{"id_token": "\#(user.token)"}"#).status == 401)
        }
    }

    @Test func `users set no claims, and no rights of their account`() async throws {
        try await AccountWorld.use { world in
            let api = world.live.api
            let user = try await world.user()
            let wishes = [
                #""claims": {"admin": true}"#, #""email_verified": true"#, #""disabled": false"#, #""anonymous": true"#, #""id": "root""#,
                #""providers": ["password"]"#, #""email": "root@example.org""#, #""valid_since": 0"#,
            ]
            for wish in wishes {
                let changed = try await api.request("PATCH", "/v1/auth/user", key: user.token, body: Array("{\(wish)}".utf8))
                #expect(changed.status == 422, "\(wish): \(changed.text)")
                guard !wish.hasPrefix(#""email":"#) else { continue }
                let body = #"{"email": "bob@example.org", "password": "\#(AccountWorld.password)", \#(wish)}"#
                #expect(try await api.post("/v1/auth/sign-up", key: world.keys.ingest, body).status == 422, "\(wish)")
            }
            for key in [world.keys.ingest, world.keys.read, world.keys.send, user.token] {
                let claims = Array(#"{"claims": {"admin": true}}"#.utf8)
                #expect(try await api.request("PATCH", "/v1/auth/accounts/\(user.id)", key: key, body: claims).status == 403)
            }
            let next = try AccountWorld.Session(try await world.refresh(user.refresh))
            #expect(try !next.claims["admin"].exists && !next.claims["email_verified"].bool)
        }
    }

    @Test func `a picture is a URL of HTTP, and no script of a page`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            func change(_ url: String) async throws -> Int {
                let body = Array(#"{"photo_url": \#(url)}"#.utf8)
                return try await world.live.api.request("PATCH", "/v1/auth/user", key: user.token, body: body).status
            }
            for url in [#""https://example.org/a.png""#, #""HTTP://example.org/ä""#, "null"] { #expect(try await change(url) == 200, "\(url)") }
            for url in [
                #""javascript:alert(1)""#, #""data:text/html,a""#, #"" https://example.org""#, #""//example.org""#, #""""#, #""https:/\u200b/a""#,
                #""https://a\u200bb""#,
            ] {
                #expect(try await change(url) == 422, "\(url)")
            }
        }
    }
}
