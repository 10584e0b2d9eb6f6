// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// The calls of Firebase's SDKs in apps.
@Suite struct FirebaseClientTests {
    @Test func `a user signs up, is looked up, signs in again and refreshes`() async throws {
        try await FirebaseWorld.use { firebase in
            let user = try await firebase.user()
            #expect(user.json["kind"].text == "identitytoolkit#SignupNewUserResponse" && user.json["expiresIn"].text == "3600")
            let claims = try user.claims
            #expect(claims["iss"].text == "https://securetoken.google.com/old-shop-1a2b" && claims["aud"].text == "old-shop-1a2b")
            #expect(claims["sub"].text == user.id && claims["user_id"].text == user.id && claims["firebase"]["sign_in_provider"].text == "password")
            let found = try JSON(try await firebase.lookup(user.token))["users"][0]
            #expect(found["localId"].text == user.id && found["email"].text == "ana@example.org" && !found["emailVerified"].bool)
            #expect(found["providerUserInfo"][0]["providerId"].text == "password" && found["createdAt"].text == "1796000000000")
            #expect(found["validSince"].text == "1796000000" && found["lastRefreshAt"].text.hasSuffix("Z"))
            let again = try await firebase.client("signInWithPassword", #"{"email": "ANA@example.org", "password": "\#(FirebaseWorld.password)"}"#)
            #expect(try JSON(again)["registered"].bool && JSON(again)["localId"].text == user.id)
            let refreshed = try JSON(try await firebase.token(user.refresh))
            #expect(refreshed["user_id"].text == user.id && refreshed["project_id"].text == "old-shop-1a2b")
            #expect(refreshed["token_type"].text == "Bearer" && refreshed["access_token"].text == refreshed["id_token"].text)
            #expect(try FirebaseWorld.claims(refreshed["id_token"].text)["iss"].text == "https://securetoken.google.com/old-shop-1a2b")
            // The token is a bearer on the routes of the native API, too.
            let event = try await firebase.api.post("/v1/events", key: refreshed["id_token"].text, #"[{"name": "a"}]"#)
            #expect(event.status == 200)
        }
    }

    @Test func `the words of the older API do the same`() async throws {
        try await FirebaseWorld.use { firebase in
            func call(_ word: String, _ body: String) async throws -> JSON {
                let reply = try await firebase.api.post("\(FirebaseWorld.v3)/\(word)?key=\(firebase.world.keys.ingest)", body)
                #expect(reply.status == 200, "\(word) \(reply.text)")
                return try JSON(reply)
            }
            let credentials = #"{"email": "ana@example.org", "password": "\#(FirebaseWorld.password)"}"#
            let made = try await call("signupNewUser", credentials)
            let session = try await call("verifyPassword", credentials)
            #expect(session["localId"].text == made["localId"].text)
            // Some clients write snake case.
            let found = try await call("getAccountInfo", #"{"id_token": "\#(session["idToken"].text)"}"#)
            #expect(found["users"][0]["localId"].text == made["localId"].text)
            let changed = try await call("setAccountInfo", #"{"idToken": "\#(session["idToken"].text)", "displayName": "Ana"}"#)
            #expect(changed["displayName"].text == "Ana" && !changed["idToken"].exists)
            #expect(try await call("createAuthUri", #"{"identifier": "ana@example.org"}"#)["sessionId"].text.count > 20)
            _ = try await call("deleteAccount", #"{"idToken": "\#(session["idToken"].text)"}"#)
            let config = try await firebase.api.get("\(FirebaseWorld.v3)/getProjectConfig?key=\(firebase.world.keys.ingest)")
            #expect(try JSON(config)["projectId"].text == "old-shop-1a2b")
        }
    }

    @Test func `an anonymous user gets an address and keeps its ID`() async throws {
        try await FirebaseWorld.use { firebase in
            let user = try FirebaseWorld.Session(try await firebase.client("signUp", "{}"))
            #expect(try user.claims["provider_id"].text == "anonymous")
            let body = #"{"idToken": "\#(user.token)", "email": "ana@example.org", "password": "\#(FirebaseWorld.password)"}"#
            let linked = try FirebaseWorld.Session(try await firebase.client("signUp", body))
            #expect(linked.id == user.id)
            #expect(try linked.claims["firebase"]["sign_in_provider"].text == "password" && !linked.claims["provider_id"].exists)
            try FirebaseWorld.expect(try await firebase.lookup(user.token), 400, "TOKEN_EXPIRED")
            let signedIn = try await firebase.client("signInWithPassword", #"{"email": "ana@example.org", "password": "\#(FirebaseWorld.password)"}"#)
            #expect(try FirebaseWorld.Session(signedIn).id == user.id)
            try FirebaseWorld.expect(try await firebase.client("signUp", body), 400, "TOKEN_EXPIRED")
            let taken = try FirebaseWorld.Session(try await firebase.client("signUp", "{}"))
            let again = body.replacing(user.token, with: taken.token)
            try FirebaseWorld.expect(try await firebase.client("signUp", again), 400, "EMAIL_EXISTS")
        }
    }

    @Test func `a new password needs a recent sign-in and ends other sessions`() async throws {
        try await FirebaseWorld.use { firebase in
            let (other, user) = (
                try await firebase.user(),
                try await firebase.client(
                    "signInWithPassword", #"{"email": "ana@example.org", "password": "\#(FirebaseWorld.password)"}"#)
            )
            let session = try FirebaseWorld.Session(user)
            let body = #"{"idToken": "\#(session.token)", "password": "another good password", "returnSecureToken": true}"#
            let changed = try JSON(try await firebase.client("update", body))
            #expect(changed["idToken"].exists && changed["refreshToken"].exists && changed["expiresIn"].text == "3600")
            #expect(try await firebase.lookup(changed["idToken"].text).status == 200)
            try FirebaseWorld.expect(try await firebase.lookup(other.token), 400, "TOKEN_EXPIRED")
            try FirebaseWorld.expect(try await firebase.token(other.refresh), 400, "TOKEN_EXPIRED")
            firebase.world.clock.advance(by: .minutes(6))
            let late = body.replacing(session.token, with: changed["idToken"].text)
            try FirebaseWorld.expect(try await firebase.client("update", late), 400, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            let deleted = try await firebase.client("delete", #"{"idToken": "\#(changed["idToken"].text)"}"#)
            try FirebaseWorld.expect(deleted, 400, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            let email = #"{"idToken": "\#(changed["idToken"].text)", "email": "other@example.org"}"#
            try FirebaseWorld.expect(try await firebase.client("update", email), 400, "EMAIL_CHANGE_NEEDS_VERIFICATION")
        }
    }

    @Test func `errors have Firebase's words`() async throws {
        try await FirebaseWorld.use { firebase in
            let user = try await firebase.user()
            let good = FirebaseWorld.password
            let cases = [
                ("signUp", #"{"email": "ana@example.org", "password": "\#(good)"}"#, "EMAIL_EXISTS"),
                ("signUp", #"{"email": "bo@example.org", "password": "short"}"#, "WEAK_PASSWORD"),
                ("signUp", #"{"email": "bo", "password": "\#(good)"}"#, "INVALID_EMAIL"),
                ("signUp", #"{"password": "\#(good)"}"#, "MISSING_EMAIL"),
                ("signUp", #"{"email": "bo@example.org"}"#, "MISSING_PASSWORD"),
                ("signInWithPassword", #"{"email": "ana@example.org", "password": "wrong horse battery"}"#, "INVALID_LOGIN_CREDENTIALS"),
                ("signInWithPassword", #"{"email": "nobody@example.org", "password": "wrong horse battery"}"#, "INVALID_LOGIN_CREDENTIALS"),
                ("signInWithPassword", "{}", "MISSING_EMAIL"),
                ("signInWithCustomToken", "{}", "MISSING_CUSTOM_TOKEN"),
                ("signInWithCustomToken", #"{"token": "a.b.c"}"#, "INVALID_CUSTOM_TOKEN"),
                ("lookup", "{}", "MISSING_ID_TOKEN"),
                ("lookup", #"{"idToken": "a.b.c"}"#, "INVALID_ID_TOKEN"),
                ("update", #"{"idToken": "a.b.c"}"#, "INVALID_ID_TOKEN"),
                ("update", #"{"idToken": "\#(user.token)", "deleteAttribute": ["EMAIL"]}"#, "INVALID_ARGUMENT"),
                ("update", #"{"idToken": "\#(user.token)", "photoUrl": "javascript:alert(1)"}"#, "INVALID_ARGUMENT"),
                ("delete", "{}", "MISSING_ID_TOKEN"),
                ("createAuthUri", "{}", "MISSING_IDENTIFIER"),
                ("createAuthUri", #"{"providerId": "google.com", "continueUri": "http://localhost"}"#, "OPERATION_NOT_ALLOWED"),
                ("signUp", "[]", "INVALID_ARGUMENT"), ("signUp", #"{"email": {}}"#, "INVALID_ARGUMENT"), ("signUp", "{", "INVALID_ARGUMENT"),
            ]
            for (word, body, expected) in cases { try FirebaseWorld.expect(try await firebase.client(word, body), 400, expected) }
            try FirebaseWorld.expect(try await firebase.client("lookup", "{}", key: "sb_ingest_nothing"), 401, "UNAUTHENTICATED")
            try FirebaseWorld.expect(try await firebase.client("lookup", "{}", key: firebase.world.keys.read), 403, "INSUFFICIENT_PERMISSION")
            let error = try JSON(try await firebase.client("lookup", "{}"))["error"]
            #expect(error["code"].number == 400 && error["errors"][0]["domain"].text == "global" && error["errors"][0]["reason"].text == "invalid")
            #expect(error["message"].text == "MISSING_ID_TOKEN" && error["errors"][0]["message"].text == "MISSING_ID_TOKEN")
            try FirebaseWorld.expect(try await firebase.token("nonsense"), 400, "INVALID_REFRESH_TOKEN")
            let grants = "/securetoken.googleapis.com/v1/token?key=\(firebase.world.keys.ingest)"
            try FirebaseWorld.expect(try await firebase.api.post(grants, #"{"grantType": "password"}"#), 400, "INVALID_GRANT_TYPE")
            try FirebaseWorld.expect(try await firebase.api.post(grants, #"{"grantType": "refresh_token"}"#), 400, "MISSING_REFRESH_TOKEN")
        }
    }

    @Test func `a method that the app does not allow has a word of its own`() async throws {
        try await FirebaseWorld.use(methods: "") { firebase in
            let credentials = #"{"email": "ana@example.org", "password": "\#(FirebaseWorld.password)"}"#
            try FirebaseWorld.expect(try await firebase.client("signUp", "{}"), 400, "ADMIN_ONLY_OPERATION")
            try FirebaseWorld.expect(try await firebase.client("signUp", credentials), 400, "OPERATION_NOT_ALLOWED")
            try FirebaseWorld.expect(try await firebase.client("signInWithPassword", credentials), 400, "PASSWORD_LOGIN_DISABLED")
            try FirebaseWorld.expect(try await firebase.client("signInWithCustomToken", #"{"token": "x"}"#), 400, "OPERATION_NOT_ALLOWED")
        }
    }

    @Test func `tokens of ended sessions say why, so that SDKs sign the user out`() async throws {
        try await FirebaseWorld.use { firebase in
            let (gone, off, out) = (
                try await firebase.user("gone@example.org"), try await firebase.user("off@example.org"), try await firebase.user("out@example.org")
            )
            #expect(try await firebase.server("/accounts:delete", #"{"localId": "\#(gone.id)"}"#).status == 200)
            #expect(try await firebase.server("/accounts:update", #"{"localId": "\#(off.id)", "disableUser": true}"#).status == 200)
            #expect(try await firebase.server("/accounts:update", #"{"localId": "\#(out.id)", "validSince": "1796000000"}"#).status == 200)
            try FirebaseWorld.expect(try await firebase.lookup(gone.token), 400, "USER_NOT_FOUND")
            try FirebaseWorld.expect(try await firebase.lookup(off.token), 400, "USER_DISABLED")
            try FirebaseWorld.expect(try await firebase.lookup(out.token), 400, "TOKEN_EXPIRED")
            let credentials = #"{"email": "off@example.org", "password": "\#(FirebaseWorld.password)"}"#
            try FirebaseWorld.expect(try await firebase.client("signInWithPassword", credentials), 400, "USER_DISABLED")
            firebase.world.clock.advance(by: .minutes(62))
            let late = try await firebase.user("late@example.org")
            firebase.world.clock.advance(by: .minutes(62))
            try FirebaseWorld.expect(try await firebase.lookup(late.token), 400, "TOKEN_EXPIRED")
        }
    }

    @Test func `another app's key opens no account of this app`() async throws {
        try await FirebaseWorld.use { firebase in
            let user = try await firebase.user()
            let other = try await firebase.api.makeApp("other")
            let body = #"{"idToken": "\#(user.token)"}"#
            for word in ["lookup", "update", "delete"] {
                try FirebaseWorld.expect(try await firebase.client(word, body, key: other.ingest), 400, "INVALID_ID_TOKEN")
            }
            #expect(try await firebase.lookup(user.token).status == 200)
        }
    }

    @Test func `what clients ask about the project is answered, and what there is not is refused`() async throws {
        try await FirebaseWorld.use { firebase in
            let key = firebase.world.keys.ingest
            let policy = try JSON(try await firebase.api.get("\(FirebaseWorld.v2)/passwordPolicy?key=\(key)"))
            #expect(policy["customStrengthOptions"]["minPasswordLength"].number == 8)
            #expect(try JSON(try await firebase.api.get("\(FirebaseWorld.v2)/recaptchaConfig?key=\(key)"))["recaptchaEnforcementState"].items.isEmpty)
            #expect(try JSON(try await firebase.api.get("\(FirebaseWorld.v1)/projects?key=\(key)"))["projectId"].text == "old-shop-1a2b")
            let revoked = try await firebase.api.post("\(FirebaseWorld.v2)/accounts:revokeToken?key=\(key)", "{}")
            try FirebaseWorld.expect(revoked, 501, "OPERATION_NOT_ALLOWED")
        }
    }

    @Test func `pages of allowed origins may call, and read errors`() async throws {
        try await FirebaseWorld.use(configure: { $0.server.corsOrigins = ["https://shop.example"].compactMap { OriginRule($0) } }) { firebase in
            let target = "\(FirebaseWorld.v1)/accounts:signUp?key=\(firebase.world.keys.ingest)"
            let asked = [
                "Origin": "https://shop.example", "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "content-type,x-client-version,x-firebase-client,x-firebase-gmpid,x-firebase-locale",
            ]
            let preflight = try await firebase.api.request("OPTIONS", target, headers: asked)
            let allowed = (preflight.headers["access-control-allow-headers"] ?? "").lowercased()
            #expect(preflight.headers["access-control-allow-origin"] == "https://shop.example")
            for name in ["x-client-version", "x-firebase-client", "x-firebase-gmpid", "x-firebase-locale"] { #expect(allowed.contains(name)) }
            let rejected = try await firebase.client("signUp", "[]", headers: ["Origin": "https://shop.example"])
            #expect(rejected.status == 400 && rejected.headers["access-control-allow-origin"] == "https://shop.example")
            #expect(try await firebase.client("signUp", "{}", headers: ["Origin": "https://evil.example"]).status == 403)
        }
    }
}
