// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import JOSE
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct ProviderSignInTests {
    @Test func `an ID token of a provider makes an account, and then signs in to it`() async throws {
        try await ProviderWorld.use { world async throws in
            let claims = verified("ana@example.org") + #","name":"Ana","picture":"https://p.example/a.png""#
            let first = try await world.signIn(world.corp.token("u-1", claims))
            #expect(first.status == 201, "\(first.text)")
            let user = try JSON(first)["user"]
            #expect(user["email"].text == "ana@example.org" && user["email_verified"].bool && user["name"].text == "Ana")
            #expect(user["photo_url"].text == "https://p.example/a.png" && user["providers"].source == #"["oidc.corp"]"# && !user["anonymous"].bool)
            let again = try await world.signIn(world.corp.token("u-1"))
            #expect(again.status == 200)
            let session = try AccountWorld.Session(again)
            let token = try session.claims
            #expect(session.id == user["id"].text && token["firebase"]["sign_in_provider"].text == "oidc.corp")
            #expect(token["firebase"]["identities"]["oidc.corp"][0].text == "u-1")
            // What an administrator sees.
            let account = try JSON(await world.accounts.live.api.get("/v1/auth/accounts/\(session.id)", key: world.accounts.keys.admin))
            #expect(account["identities"][0]["subject"].text == "u-1" && account["identities"][0]["email"].text == "ana@example.org")
            let events = try JSON(await world.accounts.live.api.get("/v1/auth/audit?user=\(session.id)", key: world.accounts.keys.admin))
            #expect(events["items"].items.map { $0["event"].text + " " + $0["method"].text }.contains("signed_in oidc.corp"))
            // The name that the app sends counts for a new account.
            let named = try await world.signIn(world.corp.token("u-2"), more: #", "name": "Bob""#)
            #expect(try JSON(named)["user"]["name"].text == "Bob")
        }
    }

    @Test func `keys of all three algorithms sign in, as far as the provider may use them`() async throws {
        try await ProviderWorld.use { configuration, stub in
            stub.set { $0.keys = ["k1": .ofProvider(), "e": .p256(), "o": .ed25519()] }
            configuration.accounts.providers = [stub.provider("oidc.corp", algorithms: [.es256, .edDSA]), stub.provider("oidc.rsa")]
        } _: { world async throws in
            for (key, algorithm, provider, status) in [
                ("e", "ES256", "oidc.corp", 201), ("o", "EdDSA", "oidc.corp", 201), ("k1", "RS256", "oidc.corp", 401),
                ("k1", "RS256", "oidc.rsa", 201),
                ("e", "ES256", "oidc.rsa", 401), ("o", "RS256", "oidc.rsa", 401), ("e", "EdDSA", "oidc.corp", 401),
            ] {
                let reply = try await world.signIn(world.corp.token("u-\(key)", key: key, algorithm: algorithm), provider)
                #expect(reply.status == status, "\(algorithm) \(provider)")
                if status == 401 { #expect(reply.code == "bad_identity_token") }
            }
        }
    }

    @Test func `a token with a nonce needs the raw one, and no other`() async throws {
        try await ProviderWorld.use { world async throws in
            let hash = Hex.encode(SHA256.hash(Array("raw-1".utf8)))
            let token = world.corp.token("u-1", #""nonce":"\#(hash)""#)
            #expect(try await world.signIn(token, more: #", "nonce": "raw-1""#).status == 201)
            // Somebody who reads the token does not know the nonce of the own request.
            for more in ["", #", "nonce": "raw-2""#, #", "nonce": """#] {
                #expect(try await world.signIn(token, more: more).code == "bad_identity_token")
            }
            #expect(try await world.signIn(world.corp.token("u-1"), more: #", "nonce": "raw-1""#).code == "bad_identity_token")
        }
    }

    @Test func `only providers and client IDs of the app count`() async throws {
        try await ProviderWorld.use { world async throws in
            #expect(try await world.signIn(world.corp.token("u-1"), "oidc.other").status == 422)
            #expect(try await world.signIn(world.corp.token("u-1"), "google.com").status == 422)
            #expect(try await world.signIn(world.corp.token("u-1", audience: "other")).code == "bad_identity_token")
            // Another provider's token, and one that expired.
            #expect(try await world.signIn(world.corp.token("u-1"), "oidc.open").code == "bad_identity_token")
            #expect(try await world.signIn(world.corp.token("u-1", at: AccountWorld.now - .minutes(20))).code == "bad_identity_token")
            let other = try await world.accounts.live.api.makeApp("other")
            let body = #"{"method": "id_token", "provider": "oidc.corp", "token": "\#(world.corp.token("u-1"))"}"#
            #expect(try await world.accounts.live.api.post("/v1/auth/sign-in", key: other.ingest, body).status == 422)
            try await world.accounts.set(#"{"auth_methods": "password"}"#)
            #expect(try await world.signIn(world.corp.token("u-1")).code == "method_off")
        }
    }

    @Test func `a deleted account leaves no identity`() async throws {
        try await ProviderWorld.use { world async throws in
            let user = try AccountWorld.Session(try await world.signIn(world.corp.token("u-1", verified("ana@example.org"))))
            #expect(try await world.accounts.live.api.request("DELETE", "/v1/auth/user", key: user.token).status == 204)
            let again = try await world.signIn(world.corp.token("u-1", verified("ana@example.org")))
            #expect(try again.status == 201 && AccountWorld.Session(again).id != user.id)
        }
    }

    @Test func `an anonymous user keeps the user ID, and nobody else the session`() async throws {
        try await ProviderWorld.use { world async throws in
            let api = world.accounts.live.api
            func anonymous() async throws -> AccountWorld.Session {
                try AccountWorld.Session(try await api.post("/v1/auth/sign-in", key: world.accounts.keys.ingest, #"{"method": "anonymous"}"#))
            }
            let (a, b, c) = (try await anonymous(), try await anonymous(), try await anonymous())
            let signedUp = try await api.post(
                "/v1/auth/sign-up", key: a.token, #"{"email": "ana@example.org", "password": "\#(AccountWorld.password)"}"#)
            let signedIn = try await world.signIn(world.corp.token("u-2", verified("bob@example.org")), as: b.token)
            let linked = try await world.link(world.open.token("u-3", verified("eve@example.org")), "oidc.open", as: c.token)
            for (old, reply, providers) in [(a, signedUp, "password"), (b, signedIn, "oidc.corp"), (c, linked, "oidc.open")] {
                #expect(reply.status == 200, "\(reply.text)")
                let new = try AccountWorld.Session(reply)
                let user = try JSON(reply)["user"]
                #expect(new.id == old.id && !user["anonymous"].bool && user["providers"].source == #"["\#(providers)"]"#)
                // Whoever began the anonymous session is out.
                #expect(try await world.accounts.refresh(old.refresh).code == "session_ended")
                #expect(try await api.get("/v1/auth/user", key: old.token).status == 401)
                #expect(try await world.accounts.refresh(new.refresh).status == 200)
            }
            #expect(try JSON(signedIn)["user"]["email_verified"].bool && !JSON(linked)["user"]["email_verified"].bool)
            #expect(try await world.accounts.signIn().status == 200)
            // A user with an account does not become another one.
            let known = try AccountWorld.Session(signedUp)
            let second = try await api.post(
                "/v1/auth/sign-up", key: known.token, #"{"email": "new@example.org", "password": "\#(AccountWorld.password)"}"#)
            #expect(second.status == 409)
        }
    }

    @Test func `the last way to sign in cannot be unlinked`() async throws {
        try await ProviderWorld.use { world async throws in
            let user = try await world.accounts.user()
            #expect(try await world.unlink("password", as: user.token).code == "conflict")
            let other = try AccountWorld.Session(try await world.accounts.signIn())
            let linked = try await world.link(world.corp.token("u-1"), as: user.token)
            #expect(try linked.status == 200 && JSON(linked)["user"]["providers"].source == #"["password","oidc.corp"]"#, "\(linked.text)")
            #expect(try await world.unlink("oidc.open", as: user.token).status == 404)
            let unlinked = try await world.unlink("password", as: user.token)
            #expect(try unlinked.status == 200 && JSON(unlinked)["user"]["providers"].source == #"["oidc.corp"]"#, "\(unlinked.text)")
            // Other sessions end, and the password is gone.
            #expect(try await world.accounts.refresh(other.refresh).code == "session_ended")
            #expect(try await world.accounts.signIn().code == "invalid_credentials")
            #expect(try await world.unlink("oidc.corp", as: user.token).code == "conflict")
            #expect(try await world.signIn(world.corp.token("u-1")).status == 200)
        }
    }

    @Test func `a user lists the own identities, and no others`() async throws {
        try await ProviderWorld.use { world async throws in
            let path = "/v1/auth/user/identities"
            let api = world.accounts.live.api
            let user = try AccountWorld.Session(try await world.signIn(world.open.token("u-2", verified("ana@example.org")), "oidc.open"))
            _ = try await world.signIn(world.corp.token("u-9"))
            #expect(try await world.link(world.corp.token("u-1"), as: user.token).status == 200)
            let found = try JSON(await api.get(path, key: user.token))["items"].items
            #expect(found.map { $0["provider"].text + " " + $0["subject"].text } == ["oidc.corp u-1", "oidc.open u-2"])
            #expect(found.map { $0["email"].exists ? $0["email"].text : "" } == ["", "ana@example.org"])
            #expect(found.allSatisfy { $0["linked_at"].text.hasSuffix("Z") })
            #expect(try await world.unlink("oidc.open", as: user.token).status == 200)
            #expect(try JSON(await api.get(path, key: user.token))["items"].items.count == 1)
            let other = try await world.accounts.user("bob@example.org")
            #expect(try await api.get(path, key: other.token).text == #"{"items":[]}"#)
            #expect(try await api.get(path, key: world.accounts.keys.ingest).status == 401)
        }
    }

    @Test func `an old session links and unlinks nothing`() async throws {
        try await ProviderWorld.use { world async throws in
            let user = try await world.accounts.user()
            #expect(try await world.link(world.corp.token("u-1"), as: user.token).status == 200)
            world.accounts.clock.advance(by: .minutes(6))
            let fresh = try AccountWorld.Session(try await world.accounts.refresh(user.refresh))
            let token = world.open.token("u-2", at: world.accounts.clock.now)
            #expect(try await world.link(token, "oidc.open", as: fresh.token).code == "recent_login_required")
            #expect(try await world.signIn(token, "oidc.open", as: fresh.token).code == "recent_login_required")
            #expect(try await world.unlink("oidc.corp", as: fresh.token).code == "recent_login_required")
        }
    }
}
