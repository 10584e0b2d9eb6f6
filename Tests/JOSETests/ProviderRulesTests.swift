// SPDX-License-Identifier: Apache-2.0

import Crypto
@testable import JOSE
import Platform
import TestSupport
import Testing

struct ProviderRulesTests {
    private static let keys = try? KeySet(json: Array(HostileVector.set.utf8))
    private static let now = Timestamp(milliseconds: HostileVector.now * 1_000)

    private func check(
        _ token: String, nonce: String? = nil, algorithms: Set<TokenAlgorithm> = [.rs256, .es256, .edDSA], now: Timestamp = now
    ) throws -> TokenClaims {
        let rules = ProviderRules(issuer: .exactly(["https://login.example"]), audiences: ["shop", "shop-ios"], algorithms: algorithms)
        return try rules.check(token, keys: #require(Self.keys), nonce: nonce, now: now)
    }

    @Test(arguments: HostileVector.all) func `a hostile token is rejected`(vector: HostileVector) {
        #expect(throws: vector.error) { try check(vector.token(), nonce: vector.nonce, algorithms: vector.algorithms) }
    }

    @Test func `tokens of all three algorithms are accepted`() throws {
        #expect(try check(HostileVector.signed()).subject == "ana")
        #expect(try check(Forge.token(#"{"alg":"ES256","kid":"e"}"#, HostileVector.claims(), sign: HostileVector.p256.sign)).subject == "ana")
        #expect(try check(Forge.token(#"{"kid":"o","alg":"EdDSA"}"#, HostileVector.claims(), sign: HostileVector.edwards.sign)).subject == "ana")
        // Without an ID the only key of the type counts.
        #expect(try check(Forge.token(#"{"alg":"ES256"}"#, HostileVector.claims(), sign: HostileVector.p256.sign)).subject == "ana")
    }

    @Test func `times count with a minute of difference between clocks`() throws {
        let now = HostileVector.now
        #expect(try check(HostileVector.signed(["exp": "\(now - 59)"])).expires.milliseconds == (now - 59) * 1_000)
        #expect(try check(HostileVector.signed(["iat": "\(now + 60)"])).issued.milliseconds == (now + 60) * 1_000)
        #expect(try check(HostileVector.signed(["nbf": "\(now + 60)", "exp": "\(now + 600).75"])).subject == "ana")
    }

    @Test func `one of several audiences is ours if we are the authorized party`() throws {
        #expect(try check(HostileVector.signed(["aud": #"["other","shop"]"#, "azp": #""shop-ios""#])).audiences == ["other", "shop"])
        #expect(try check(HostileVector.signed(["aud": #"["shop"]"#, "azp": #""other""#])).audiences == ["shop"])
    }

    @Test func `the nonce of a token is the raw one or its hash`() throws {
        let hash = Hex.encode(SHA256.hash(Array("raw".utf8)))
        #expect(try check(HostileVector.signed(["nonce": "\"\(hash)\""]), nonce: "raw").subject == "ana")
        #expect(try check(HostileVector.signed(["nonce": #""raw""#]), nonce: "raw").subject == "ana")
        #expect(throws: TokenError.nonce) { try check(HostileVector.signed(["nonce": "\"\(hash.uppercased())\""]), nonce: "raw") }
    }

    @Test func `claims are read by their exact names`() throws {
        let claims = try check(
            HostileVector.signed([
                "email_verified": #""true""#, "flag": "false", "number": "7", "list": "[1, 2]", "sb_app": "3", "gen": "4", "sid": #""s""#,
                "e\u{301}": "1",
            ]))
        #expect(claims.flag("email_verified") == true && claims.flag("flag") == false && claims.flag("number") == nil && claims.flag("x") == nil)
        #expect(claims.integer("number") == 7 && claims.text("number") == nil && claims.text("sid") == "s")
        #expect(claims.json("list") == Array("[1, 2]".utf8))
        #expect(claims.json("\u{e9}") == nil && claims.json("e\u{301}") != nil)
        // Our own claims mean nothing in a provider's token.
        #expect(claims.app == nil && claims.generation == nil && claims.session == nil)
    }

    @Test func `Microsoft's issuer has the token's tenant`() throws {
        let rules = ProviderRules.microsoft(audiences: ["shop"])
        let tenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
        func check(_ issuer: String, _ tid: String) throws -> String {
            let token = HostileVector.signed(["iss": "\"\(issuer)\"", "tid": "\"\(tid)\""])
            return try rules.check(token, keys: #require(Self.keys), nonce: nil, now: Self.now).subject
        }
        #expect(try check("https://login.microsoftonline.com/\(tenant)/v2.0", tenant) == "ana")
        for (issuer, tid) in [
            ("https://login.microsoftonline.com/\(tenant)/v2.0", "9188040d-6c67-4c5b-b112-36a304b66dae"),
            ("https://login.microsoftonline.com/common/v2.0", "common"), ("https://login.microsoftonline.com//v2.0", ""),
            ("https://evil.example/\(tenant)/v2.0", tenant),
        ] {
            #expect(throws: TokenError.issuer) { try check(issuer, tid) }
        }
    }

    @Test func `Google and Apple have their issuers`() throws {
        let keys = try #require(Self.keys)
        for (rules, issuer) in [
            (ProviderRules.google(audiences: ["shop"]), "https://accounts.google.com"), (.google(audiences: ["shop"]), "accounts.google.com"),
            (.apple(audiences: ["shop"]), "https://appleid.apple.com"),
        ] {
            #expect(try rules.check(HostileVector.signed(["iss": "\"\(issuer)\""]), keys: keys, nonce: nil, now: Self.now).subject == "ana")
            #expect(throws: TokenError.issuer) { try rules.check(HostileVector.signed(), keys: keys, nonce: nil, now: Self.now) }
        }
    }
}
