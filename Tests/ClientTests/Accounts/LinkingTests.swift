// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// Sign-in with identity providers, and linking.
@Suite struct LinkingTests {
    /// An identity provider on loopback.
    private struct Provider {
        private let key: ForgedKey
        private let sink: WebhookSink

        init() throws {
            let key = ForgedKey.ofProvider()
            self.key = key
            sink = try WebhookSink { hook in
                let own = "http://" + (hook.headers["host"] ?? "")
                return hook.path == "/keys"
                    ? .status(200, body: #"{"keys": [\#(key.jwk("k1"))]}"#)
                    : .status(200, body: #"{"issuer": "\#(own)", "jwks_uri": "\#(own)/keys"}"#)
            }
        }

        var issuer: String { sink.url("") }

        func token(_ subject: String, email: String? = nil, nonce: String? = nil) -> String {
            let now = Int(Date().timeIntervalSince1970)
            let more = (email.map { #","email":"\#($0)""# } ?? "") + (nonce.map { #","nonce":"\#($0)""# } ?? "")
            return Forge.token(
                #"{"alg":"RS256","kid":"k1"}"#,
                #"{"iss":"\#(issuer)","aud":"shop-client","sub":"\#(subject)","iat":\#(now),"exp":\#(now + 600)\#(more)}"#, sign: key.sign)
        }
    }

    private func world(_ provider: Provider) async throws -> World {
        let list = ["oidc.corp", "google.com", "apple.com"].map {
            "{ id: '\($0)', apps: ['shop'], issuer: '\(provider.issuer)', audiences: ['shop-client'] }"
        }
        return try await World.withAccounts([
            "INGESTD_MODE": "development", "INGESTD_ACCOUNTS_PROVIDERS": "[\(list.joined(separator: ","))]",
        ])
    }

    @Test func `providers sign in, with nonce and name`() async throws {
        let provider = try Provider()
        let world = try await world(provider)
        let app = try SignalboxApp(world.options())
        var name = PersonNameComponents()
        (name.givenName, name.familyName) = ("Ana", "Bell")
        let apple = try await app.accounts.signIn(
            with: .apple(idToken: provider.token("a1", nonce: "6f1c"), rawNonce: "6f1c", fullName: name))
        #expect(apple.isNew && apple.user.name == "Ana Bell" && apple.user.providers == ["apple.com"])
        let again = try await app.accounts.signIn(with: .apple(idToken: provider.token("a1")))
        #expect(again.user.id == apple.user.id && !again.isNew)
        let google = try await app.accounts.signIn(with: .google(idToken: provider.token("g1")))
        #expect(google.isNew && google.user.id != apple.user.id && app.accounts.currentUser == google.user)
        let wrong = await #expect(throws: AccountError.self) {
            try await app.accounts.signIn(with: .apple(idToken: provider.token("a1", nonce: "6f1c"), rawNonce: "other"))
        }
        guard case .badIdentityToken = wrong else { throw try #require(wrong) }
    }

    @Test func `a server's token signs in as the user that it names`() async throws {
        let world = try await World.withAccounts()
        let key = ForgedKey.rsa()
        let body = #"{"role": "accounts", "service_account": {"public_key": "\#(Data(key.publicDER).base64EncodedString())"}}"#
        let made = try JSON(await world.api.asOperator("POST", "/v1/apps/\(world.keys.app)/keys", body))
        let account = made["service_account"]["client_email"].text
        let audience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
        let now = Int(Date().timeIntervalSince1970)
        let token = Forge.token(
            #"{"alg":"RS256","typ":"JWT"}"#,
            #"{"iss":"\#(account)","sub":"\#(account)","aud":"\#(audience)","iat":\#(now),"exp":\#(now + 600),"uid":"ana"}"#, sign: key.sign)
        let app = try SignalboxApp(world.options())
        let first = try await app.accounts.signIn(with: .custom(token: token))
        #expect(first.isNew && first.user.id == "ana" && app.accounts.currentUser == first.user)
        #expect(try await app.accounts.refreshSession().user.id == "ana")
        let wrong = await #expect(throws: AccountError.self) { try await app.accounts.signIn(with: .custom(token: "a.b.c")) }
        guard case .badIdentityToken = wrong else { throw try #require(wrong) }
        #expect(app.accounts.currentUser?.id == "ana")
    }

    @Test func `an anonymous user links a provider, keeps the ID, and unlinks it`() async throws {
        let provider = try Provider()
        let world = try await world(provider)
        let app = try SignalboxApp(world.options())
        let anonymous = try await app.accounts.signIn(with: .anonymous).user
        let linked = try await app.accounts.link(.oidc(provider: "oidc.corp", idToken: provider.token("u1")))
        #expect(linked.id == anonymous.id && !linked.isAnonymous && linked.providers == ["oidc.corp"])
        #expect(app.accounts.currentUser == linked)
        try await app.accounts.refreshSession()
        let last = await #expect(throws: AccountError.self) { try await app.accounts.unlink(provider: "oidc.corp") }
        guard case .signalbox(.rejected("conflict", _)) = last else { throw try #require(last) }
        #expect(try await app.accounts.link(.google(idToken: provider.token("g1"))).providers.sorted() == ["google.com", "oidc.corp"])
        #expect(try await app.accounts.unlink(provider: "oidc.corp").providers == ["google.com"])
        try await app.accounts.refreshSession()

        try await app.accounts.signOut()
        try await app.accounts.signIn(with: .anonymous)
        await #expect(throws: AccountError.identityLinked) { try await app.accounts.link(.google(idToken: provider.token("g1"))) }
    }

    @Test func `an unproved address of another account is told apart`() async throws {
        let provider = try Provider()
        let world = try await world(provider)
        let (app, _) = try await world.signedUp()
        try await app.accounts.signOut()
        await #expect(throws: AccountError.accountExists) {
            try await app.accounts.signIn(with: .oidc(provider: "oidc.corp", idToken: provider.token("u1", email: World.email)))
        }
        #expect(app.accounts.currentUser == nil)
    }
}
