// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Sign-in with the ID tokens of identity providers, as Firebase's SDKs send them.
@Suite struct FirebaseProviderTests {
    @Test func `a provider's token signs up, and then in`() async throws {
        try await FirebaseProviderWorld.use { world in
            let token = world.corp.token("u-1", verified("ana@example.org"))
            let more = "access_token=a-1&user=%7B%22name%22%3A%7B%22firstName%22%3A%22Ana%22%2C%22lastName%22%3A%22Roth%22%7D%7D"
            let made = try await world.signIn(token, more: more)
            #expect(made.status == 200 && made.headers["cache-control"] == "no-store", "\(made.text)")
            let session = try FirebaseWorld.Session(made)
            let json = session.json
            #expect(json["kind"].text == "identitytoolkit#VerifyAssertionResponse" && json["isNewUser"].bool && json["expiresIn"].text == "3600")
            #expect(json["providerId"].text == "oidc.corp" && json["federatedId"].text == "u-1" && json["oauthIdToken"].text == token)
            #expect(json["oauthAccessToken"].text == "a-1" && json["email"].text == "ana@example.org" && json["emailVerified"].bool)
            #expect(json["displayName"].text == "Ana Roth")
            #expect(try JSON(Array(json["rawUserInfo"].text.utf8))["sub"].text == "u-1")
            let claims = try session.claims
            #expect(
                claims["firebase"]["sign_in_provider"].text == "oidc.corp" && claims["iss"].text == "https://securetoken.google.com/old-shop-1a2b")
            let again = try await world.firebase.api.post(
                "\(FirebaseWorld.v3)/verifyAssertion?key=\(world.firebase.world.keys.ingest)", world.body(world.corp.token("u-1")))
            #expect(try !JSON(again)["isNewUser"].bool && FirebaseWorld.Session(again).id == session.id, "\(again.text)")
            let user = try JSON(await world.firebase.lookup(session.token))["users"][0]
            let provider = user["providerUserInfo"][0]
            #expect(provider["providerId"].text == "oidc.corp" && provider["rawId"].text == "u-1" && provider["email"].text == "ana@example.org")
        }
    }

    @Test func `an anonymous user and one with a password link a provider, and unlink it`() async throws {
        try await FirebaseProviderWorld.use { world in
            let firebase = world.firebase
            let anonymous = try FirebaseWorld.Session(await firebase.client("signUp", "{}"))
            let linked = try FirebaseWorld.Session(await world.signIn(world.corp.token("u-1"), fields: #", "idToken": "\#(anonymous.token)""#))
            #expect(try linked.id == anonymous.id && !linked.json["isNewUser"].bool && !linked.claims["provider_id"].exists)
            try FirebaseWorld.expect(await firebase.lookup(anonymous.token), 400, "TOKEN_EXPIRED")

            let user = try await firebase.user()
            let second = try FirebaseWorld.Session(await world.signIn(world.corp.token("u-2"), fields: #", "idToken": "\#(user.token)""#))
            #expect(second.id == user.id)
            // The session goes on.
            #expect(try await firebase.lookup(user.token).status == 200)
            #expect(try JSON(await firebase.token(user.refresh))["user_id"].text == user.id)
            let removed = try await firebase.client("update", #"{"idToken": "\#(second.token)", "deleteProvider": ["oidc.corp", "facebook.com"]}"#)
            let left = try JSON(removed)["providerUserInfo"].items.map { $0["providerId"].text }
            #expect(try removed.status == 200 && left == ["password"] && JSON(removed)["refreshToken"].exists, "\(removed.text)")
            try FirebaseWorld.expect(
                await firebase.client("update", #"{"idToken": "\#(second.token)", "deleteProvider": ["password"]}"#), 400, "OPERATION_NOT_ALLOWED")
            firebase.world.clock.advance(by: .minutes(6))
            let late = try await world.signIn(world.corp.token("u-3"), fields: #", "idToken": "\#(second.token)""#)
            try FirebaseWorld.expect(late, 400, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        }
    }

    @Test func `a user of another account is told, as the client wants it`() async throws {
        try await FirebaseProviderWorld.use { world in
            _ = try await world.signIn(world.corp.token("u-1"))
            let user = try await world.firebase.user()
            let token = world.corp.token("u-1")
            let bearer = #", "idToken": "\#(user.token)""#
            try FirebaseWorld.expect(await world.signIn(token, fields: bearer), 400, "FEDERATED_USER_ID_ALREADY_LINKED")
            let told = try await world.signIn(token, fields: bearer + #", "returnIdpCredential": true"#)
            #expect(try told.status == 200 && JSON(told)["errorMessage"].text == "FEDERATED_USER_ID_ALREADY_LINKED", "\(told.text)")
            #expect(try JSON(told)["oauthIdToken"].text == token && !JSON(told)["idToken"].exists)
            // The address has an account, and this provider's word about addresses does not count.
            let taken = try await world.signIn(world.open.token("u-9", verified("ana@example.org")), provider: "oidc.open")
            let json = try JSON(taken)
            #expect(taken.status == 200 && json["needConfirmation"].bool && json["email"].text == "ana@example.org", "\(taken.text)")
            #expect(!json["localId"].exists && !json["idToken"].exists && !json["verifiedProvider"].exists)
        }
    }

    @Test func `every error has Firebase's word`() async throws {
        try await FirebaseProviderWorld.use { world in
            let token = world.corp.token("u-1")
            let hash = Hex.encode(SHA256.hash(Array("raw-1".utf8)))
            let withNonce = world.corp.token("u-1", #""nonce":"\#(hash)""#)
            try FirebaseWorld.expect(await world.signIn(withNonce), 400, "MISSING_OR_INVALID_NONCE")
            try FirebaseWorld.expect(await world.signIn(withNonce, more: "nonce=raw-2"), 400, "MISSING_OR_INVALID_NONCE")
            try FirebaseWorld.expect(await world.signIn(token, provider: "facebook.com"), 400, "OPERATION_NOT_ALLOWED")
            try FirebaseWorld.expect(await world.signIn(token, provider: ""), 400, "INVALID_PROVIDER_ID")
            try FirebaseWorld.expect(await world.signIn(token + "x"), 400, "INVALID_IDP_RESPONSE")
            try FirebaseWorld.expect(await world.signIn("%7B%7D"), 400, "INVALID_IDP_RESPONSE")
            try FirebaseWorld.expect(await world.signIn(""), 400, "INVALID_IDP_RESPONSE")
            try FirebaseWorld.expect(await world.signIn(token, more: "user=%7"), 400, "INVALID_IDP_RESPONSE")
            try FirebaseWorld.expect(await world.signIn(token, more: "x=" + String(repeating: "x", count: 24 << 10)), 400, "INVALID_IDP_RESPONSE")
            try FirebaseWorld.expect(await world.firebase.client("signInWithIdp", "{}"), 400, "INVALID_IDP_RESPONSE")
            try FirebaseWorld.expect(await world.signIn(token, fields: #", "idToken": "x""#), 400, "INVALID_ID_TOKEN")
            try FirebaseWorld.expect(await world.signIn(token, fields: #", "autoCreate": false"#), 400, "USER_NOT_FOUND")
            // None of these made an account.
            #expect(try !JSON(await world.firebase.server("/accounts:query", "{}"))["userInfo"].exists)
            #expect(try await world.signIn(withNonce, more: "nonce=raw-1").status == 200)
            #expect(try await world.signIn(token, fields: #", "autoCreate": false"#).status == 200)
            world.corp.set { $0.isDown = true }
            #expect(try await world.signIn(token).status == 200, "Keys stay while the provider is down.")
        }
    }

    @Test func `servers find users of providers, and remove them`() async throws {
        try await FirebaseProviderWorld.use { world in
            let firebase = world.firebase
            let made = try FirebaseWorld.Session(await world.signIn(world.corp.token("u-1", verified("ana@example.org"))))
            let query = #"{"federatedUserId": [{"providerId": "oidc.corp", "rawId": "u-1"}, {"providerId": "oidc.corp", "rawId": "u-2"}, {}]}"#
            let found = try JSON(await firebase.server("/accounts:lookup", query))["users"].items
            #expect(found.map { $0["localId"].text } == [made.id])
            let change = #"{"localId": "\#(made.id)", "deleteProvider": ["oidc.corp"]}"#
            let changed = try await firebase.server("/accounts:update", change)
            // Links of mails still sign the user in, which Firebase calls `password`.
            #expect(try changed.status == 200 && JSON(changed)["providerUserInfo"].items.map { $0["providerId"].text } == ["password"])
            try FirebaseWorld.expect(await firebase.lookup(made.token), 400, "TOKEN_EXPIRED")
            #expect(try !JSON(await firebase.server("/accounts:lookup", query))["users"].exists)
        }
    }
}

/// An app with identity providers whose clients keep Firebase's SDKs.
struct FirebaseProviderWorld: Sendable {
    let firebase: FirebaseWorld
    let providers: ProviderWorld

    var corp: ProviderStub { providers.corp }
    var open: ProviderStub { providers.open }

    static func use(_ body: @Sendable (FirebaseProviderWorld) async throws -> Void) async throws {
        try await ProviderWorld.use { providers in
            let api = providers.accounts.live.api
            #expect(try await api.asOperator("PATCH", "/v1/apps/1", #"{"project": "old-shop-1a2b"}"#).status == 200)
            let made = try JSON(try await api.asOperator("POST", "/v1/apps/1/keys", #"{"role": "accounts"}"#))
            try await body(FirebaseProviderWorld(firebase: FirebaseWorld(world: providers.accounts, server: made["key"].text), providers: providers))
        }
    }

    func body(_ token: String, provider: String = "oidc.corp", more: String = "", fields: String = "") -> String {
        let credential = "providerId=\(provider)&id_token=\(token)" + (more.isEmpty ? "" : "&\(more)")
        return #"{"postBody": "\#(credential)", "requestUri": "http://localhost", "returnSecureToken": true\#(fields)}"#
    }

    /// - Parameters:
    ///   - more: Further pairs of `postBody`.
    ///   - fields: Further fields of the request.
    func signIn(_ token: String, provider: String = "oidc.corp", more: String = "", fields: String = "") async throws -> Reply {
        try await firebase.client("signInWithIdp", body(token, provider: provider, more: more, fields: fields))
    }
}
