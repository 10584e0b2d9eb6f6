// SPDX-License-Identifier: Apache-2.0

import Crypto
@testable import JOSE
import Platform
import TestSupport
import Testing

struct CustomTokenTests {
    private static let now = Timestamp(milliseconds: HostileVector.now * 1_000)

    private func check(_ changes: [String: String] = [:], header: String = #"{"alg":"RS256"}"#, by key: ForgedKey = HostileVector.rsa) throws
        -> CustomToken
    {
        var members = [
            "iss": #""server@shop""#, "sub": #""server@shop""#, "aud": "\"\(CustomToken.firebaseAudience)\"", "uid": #""ana""#,
            "iat": "\(HostileVector.now)", "exp": "\(HostileVector.now + 3_600)",
        ]
        members.merge(changes) { $1 }
        let text = Forge.token(header, HostileVector.claims(members), sign: key.sign)
        return try CustomToken(checking: text, audiences: [CustomToken.firebaseAudience], now: Self.now) { issuer, id in
            issuer == "server@shop" && id != "old" ? SignatureKey(der: HostileVector.rsa.publicDER) : nil
        }
    }

    @Test func `a custom token names a user and claims`() throws {
        let token = try check(["claims": #"{"admin":true}"#])
        #expect(token.issuer == "server@shop" && token.user == "ana" && token.claims.json == Array(#"{"admin":true}"#.utf8))
        #expect(try check(["claims": "null"]).claims == .none && check(["claims": ""]).claims == .none)
        #expect(try check(["uid": "\"" + String(repeating: "a", count: 128) + "\""]).user.count == 128)
    }

    @Test(
        arguments: [
            (["uid": ""], .claim), (["uid": #""""#], .claim), (["uid": "1"], .claim), (["uid": #""a\u0000""#], .claim),
            (["uid": "\"" + String(repeating: "a", count: 129) + "\""], .claim), (["sub": #""other""#], .claim),
            (["iss": #""other""#, "sub": #""other""#], .unknownKey), (["aud": #""other""#], .audience),
            (["aud": #"["other","https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"]"#], .audience),
            (["exp": "\(HostileVector.now + 3_601)"], .lifetime), (["exp": "\(HostileVector.now)"], .lifetime),
            (["iat": "\(HostileVector.now - 4_000)", "exp": "\(HostileVector.now - 400)"], .expired),
            (["iat": "\(HostileVector.now + 61)"], .notYetValid), (["claims": "[]"], .claim), (["claims": #"{"iss":"x"}"#], .claim),
            (["claims": #"{"a":{"b":1,"b":2}}"#], .malformed),
        ] as [([String: String], TokenError)])
    func `a wrong custom token is rejected`(changes: [String: String], error: TokenError) {
        #expect(throws: error) { try check(changes) }
    }

    @Test func `only a service account's own RS256 signature counts`() {
        #expect(throws: TokenError.signature) { try check(by: HostileVector.stranger) }
        #expect(throws: TokenError.unknownKey) { try check(header: #"{"alg":"RS256","kid":"old"}"#) }
        #expect(throws: TokenError.algorithm) { try check(header: #"{"alg":"ES256"}"#, by: HostileVector.p256) }
        #expect(throws: TokenError.algorithm) { try check(header: #"{"alg":"none"}"#) }
        #expect(throws: TokenError.critical) { try check(header: #"{"alg":"RS256","crit":[]}"#) }
    }
}
