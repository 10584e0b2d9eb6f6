// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct SignInTests {
    @Test func `a user signs up, signs in and is told who it is`() async throws {
        try await AccountWorld.use { world in
            let made = try await world.signUp()
            #expect(made.status == 201 && made.headers["cache-control"] == "no-store", "\(made.text)")
            let first = try JSON(made)
            #expect(first["is_new"].bool && first["user"]["email"].text == "ana@example.org" && !first["user"]["email_verified"].bool)
            let again = try await world.signIn("ANA@example.org")
            let second = try JSON(again)
            #expect(again.status == 200 && !second["is_new"].bool && second["user"]["id"].text == first["user"]["id"].text)
            let session = try AccountWorld.Session(again)
            let own = try JSON(try await world.live.api.get("/v1/auth/user", key: session.token))
            #expect(own["id"].text == session.id && own["providers"][0].text == "password")
            let claims = try session.claims
            #expect(claims["aud"].text == "1" && claims["sub"].text == session.id && claims["email"].text == "ana@example.org")
            #expect(claims["iss"].text == "http://127.0.0.1:\(world.live.api.port)/v1/auth/1" && claims["sb_app"].number == 1)
            #expect(claims["exp"].number - claims["iat"].number == 3_600)
        }
    }

    @Test func `a wrong password and a stranger are the same`() async throws {
        try await AccountWorld.use { world in
            _ = try await world.user()
            let wrong = try await world.signIn(password: "wrong horse battery staple")
            let stranger = try await world.signIn("bob@example.org")
            #expect(wrong.status == 401 && stranger.status == 401 && wrong.body == stranger.body)
            #expect(try JSON(wrong)["code"].text == "invalid_credentials")
            #expect(wrong.headers.keys.sorted() == stranger.headers.keys.sorted())
            // An account without a password, too.
            #expect(try await world.live.api.post("/v1/auth/accounts", key: world.keys.admin, #"{"email": "eve@example.org"}"#).status == 201)
            #expect(try await world.signIn("eve@example.org").body == wrong.body)
        }
    }

    @Test func `methods are off until the app names them`() async throws {
        try await AccountWorld.use(methods: "") { world in
            for reply in [
                try await world.signUp(), try await world.signIn(),
                try await world.live.api.post("/v1/auth/sign-in", key: world.keys.ingest, #"{"method": "anonymous"}"#),
            ] {
                #expect(reply.status == 403)
                #expect(try JSON(reply)["code"].text == "method_off")
            }
            // Nothing was made for an app without accounts.
            #expect(try Folder.names(in: world.live.folder).contains("accounts.key") == false)
            try await world.set(#"{"auth_methods": ["password"]}"#)
            #expect(try await world.signUp().status == 201)
            #expect(SmallFile.mode(world.live.folder + "/accounts.key") == 0o600)
        }
    }

    @Test(arguments: [
        (#"{"email": "ana@example.org", "password": "short"}"#, 422, "weak_password"),
        (#"{"email": "ana@example.org", "password": "password"}"#, 422, "weak_password"),
        (#"{"email": "ana", "password": "correct horse battery"}"#, 422, "invalid_email"),
        (#"{"email": "ana@example.org\r\nBcc: x@example.org", "password": "correct horse battery"}"#, 422, "invalid_email"),
        (#"{"email": "ana@example.org"}"#, 422, "invalid"), (#"{"email": 7, "password": "correct horse battery"}"#, 422, "invalid"),
        (#"{"email": "ana@example.org", "password": "correct horse battery", "admin": true}"#, 422, "invalid"),
        (#"{"email": "ana@example.org", "email": "b@example.org", "password": "correct horse battery"}"#, 422, "invalid"),
        (#"["#, 400, "invalid_json"), ("[]", 400, "bad_request"),
    ])
    func `a broken sign-up is rejected`(body: String, status: Int, code: String) async throws {
        try await AccountWorld.use { world in
            let reply = try await world.live.api.post("/v1/auth/sign-up", key: world.keys.ingest, body)
            #expect(reply.status == status)
            #expect(try JSON(reply)["code"].text == code, "\(reply.text)")
        }
    }

    @Test func `an address has one account, whatever its case`() async throws {
        try await AccountWorld.use { world in
            _ = try await world.user()
            let again = try await world.signUp("Ana@Example.org")
            #expect(again.status == 409)
            #expect(try JSON(again)["code"].text == "email_exists")
        }
    }

    @Test func `an anonymous user is one user from then on`() async throws {
        try await AccountWorld.use { world in
            let reply = try await world.live.api.post("/v1/auth/sign-in", key: world.keys.ingest, #"{"method": "anonymous"}"#)
            #expect(reply.status == 201)
            let session = try AccountWorld.Session(reply)
            #expect(try JSON(reply)["user"]["anonymous"].bool && session.claims["provider_id"].text == "anonymous")
            let next = try await world.refresh(session.refresh)
            #expect(try AccountWorld.Session(next).id == session.id)
            #expect(try await world.live.api.request("DELETE", "/v1/auth/user", key: session.token).status == 204)
        }
    }

    @Test func `a server vouches for a user with a custom token`() async throws {
        try await AccountWorld.use { world in
            let pair = RSA.makeKey()
            let body = #"{"role": "accounts", "service_account": {"public_key": "\#(Base64.encode(pair.publicKey))"}}"#
            let made = try JSON(try await world.live.api.asOperator("POST", "/v1/apps/\(world.keys.app)/keys", body))
            let account = made["service_account"]["client_email"].text
            func token(_ uid: String, audience: String = Self.google, life: Int64 = 3_600, claims: String = #"{"admin":true}"#) -> String {
                let at = AccountWorld.now.milliseconds / 1_000
                let payload =
                    #"{"iss":"\#(account)","sub":"\#(account)","aud":"\#(audience)","iat":\#(at),"exp":\#(at + life),"uid":"\#(uid)","claims":\#(claims)}"#
                let signed = Base64URL.encode(Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
                return signed + "." + Base64URL.encode(RS256Signer(pem: pair.privatePEM).sign(Array(signed.utf8)))
            }
            func signIn(_ token: String) async throws -> Reply {
                try await world.live.api.post("/v1/auth/sign-in", key: world.keys.ingest, #"{"method": "custom_token", "token": "\#(token)"}"#)
            }
            let first = try await signIn(token("ana"))
            #expect(first.status == 201, "\(first.text)")
            #expect(try AccountWorld.Session(first).id == "ana" && AccountWorld.Session(first).claims["admin"].bool)
            #expect(try await signIn(token("ana")).status == 200)
            // The claims stay with the session.
            #expect(try AccountWorld.Session(try await world.refresh(AccountWorld.Session(first).refresh)).claims["admin"].bool)
            for bad in [token("ana", audience: "other"), token("ana", life: 7_200), token("ana", claims: #"{"sub":"bob"}"#), "a.b.c", ""] {
                let reply = try await signIn(bad)
                #expect(reply.status == 401)
                #expect(try JSON(reply)["code"].text == "bad_identity_token")
            }
            // A key of another role does not vouch.
            let other = try await world.live.api.makeApp("other")
            try await world.live.api.request("PATCH", "/v1/app", key: other.admin, body: Array(#"{"auth_methods":"custom_token"}"#.utf8)).expect(200)
            let elsewhere = try await world.live.api.post(
                "/v1/auth/sign-in", key: other.ingest, #"{"method": "custom_token", "token": "\#(token("ana"))"}"#)
            #expect(elsewhere.status == 401)
        }
    }

    private static let google = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    @Test func `guesses wait, and the owner's device gets in`() async throws {
        try await AccountWorld.use { world in
            let device = #", "installation_id": "phone-of-ana""#
            _ = try await world.user()
            #expect(try await world.signIn(more: device).status == 200)
            var statuses: [Int] = []
            for _ in 0..<8 { statuses.append(try await world.signIn(password: "guess guess guess").status) }
            #expect(statuses.prefix(5).allSatisfy { $0 == 401 } && statuses.suffix(2).allSatisfy { $0 == 429 }, "\(statuses)")
            // The right password waits, too, so that a guesser learns nothing; a device that signed in before does not.
            let stranger = try await world.signIn()
            #expect(stranger.status == 429 && stranger.headers["retry-after"] != nil)
            #expect(try await world.signIn(more: device).status == 200)
        }
    }

    @Test func `a sign-in with an installation links both`() async throws {
        try await AccountWorld.use { world in
            let user = try await world.user()
            #expect(try await world.signIn(more: #", "installation_id": "i-1""#).status == 200)
            let profile = try JSON(try await world.live.api.get("/v1/users/\(user.id)", key: world.keys.read))
            #expect(profile.source.contains("i-1"))
        }
    }
}

extension Reply {
    fileprivate func expect(_ status: Int) { #expect(self.status == status, "\(text)") }
}
