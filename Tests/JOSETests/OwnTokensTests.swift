// SPDX-License-Identifier: Apache-2.0

import Crypto
@testable import JOSE
import JSON
import Platform
import TestSupport
import Testing

struct OwnTokensTests {
    private static let now = Timestamp(milliseconds: HostileVector.now * 1_000)
    private static let key = SigningKey.make(from: now, until: now + .days(120))
    private static let other = SigningKey.make(from: now, until: now + .days(120))
    private static let google = "https://securetoken.google.com/"
    private let own = OwnTokens(keys: [key.published], issuers: [google, "https://signals.example/v1/auth/"])

    private func token(_ change: (inout IDToken) -> Void = { _ in }) -> IDToken {
        var token = IDToken(
            issuer: Self.google + "shop", audience: "shop", subject: "ana", app: 7, issued: Self.now, authenticated: Self.now - .days(3),
            method: "password")
        (token.session, token.generation) = ("0123", 5)
        (token.email, token.isEmailVerified, token.name) = ("ana@example.org", true, "Ana \"A\" é")
        token.identities = [.init(provider: "email", subjects: ["ana@example.org"]), .init(provider: "google.com", subjects: ["1", "2"])]
        change(&token)
        return token
    }

    @Test func `a signed token is read as it was written`() throws {
        let text = token { $0.secondFactor = "totp" }.signed(by: Self.key)
        let claims = try own.check(text, now: Self.now)
        #expect(claims.subject == "ana" && claims.app == 7 && claims.session == "0123" && claims.generation == 5)
        #expect(claims.issued == Self.now && claims.expires == Self.now + .hours(1) && claims.authenticated == Self.now - .days(3))
        #expect(claims.text("name") == "Ana \"A\" é" && claims.text("user_id") == "ana" && claims.flag("email_verified") == true)
        let firebase = try #require(claims.json("firebase"))
        #expect(
            String(decoding: firebase, as: UTF8.self)
                == #"{"identities":{"email":["ana@example.org"],"google.com":["1","2"]},"sign_in_provider":"password","sign_in_second_factor":"totp"}"#
        )
        #expect(text.utf8.count < 1_300)
    }

    @Test func `an anonymous token has no address`() throws {
        let text = token {
            ($0.email, $0.name, $0.method, $0.identities) = (nil, nil, "anonymous", [])
            $0.issuer = "https://signals.example/v1/auth/shop"
        }.signed(by: Self.key)
        let claims = try own.check(text, now: Self.now)
        #expect(claims.text("provider_id") == "anonymous" && claims.json("email") == nil && claims.json("email_verified") == nil)
    }

    @Test func `custom claims stand at the top and replace nothing`() throws {
        let custom = try CustomClaims(json: Array(#"{"admin": true, "email": "eva@example.org", "r\u006fles": ["a", {"b": 1}]}"#.utf8))
        let claims = try own.check(token { $0.claims = custom }.signed(by: Self.key), now: Self.now)
        #expect(claims.flag("admin") == true && claims.text("email") == "ana@example.org")
        #expect(claims.json("roles") == Array(#"["a", {"b": 1}]"#.utf8))
    }

    @Test func `custom claims are bounded and use no reserved name`() throws {
        for name in CustomClaims.reserved {
            #expect(throws: CustomClaims.Problem.reserved(name)) { try CustomClaims(json: Array(#"{"a":1,"\#(name)":1}"#.utf8)) }
        }
        #expect(throws: CustomClaims.Problem.reserved("iss")) { try CustomClaims(json: Array(#"{"\u0069ss":1}"#.utf8)) }
        for wrong in ["", "[]", "1", #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"a":"\ud800"}"#, "{} x"] {
            #expect(throws: CustomClaims.Problem.notAnObject) { try CustomClaims(json: Array(wrong.utf8)) }
        }
        let long = #"{"a":""# + String(repeating: "a", count: 992) + #""}"#
        #expect(try CustomClaims(json: Array(long.utf8)).json.count == 1_000)
        #expect(throws: CustomClaims.Problem.tooLarge) { try CustomClaims(json: Array(long.replacing("aaa", with: "aaaa", maxReplacements: 1).utf8)) }
        #expect(CustomClaims.none == (try CustomClaims(json: Array("{}".utf8))))
    }

    @Test func `tokens of other keys, issuers, apps and times are rejected`() throws {
        func error(_ text: String, now: Timestamp = OwnTokensTests.now) -> TokenError? {
            do throws(TokenError) {
                _ = try own.check(text, now: now)
                return nil
            } catch { return error }
        }
        let good = token().signed(by: Self.key)
        #expect(error(good) == nil)
        #expect(error(token().signed(by: Self.other)) == .unknownKey)
        #expect(error(token { $0.issuer = Self.google + "shoq" }.signed(by: Self.key)) == .issuer)
        #expect(error(token { $0.issuer = "https://evil.example/shop" }.signed(by: Self.key)) == .issuer)
        #expect(error(token { $0.issuer = Self.google + "x/shop" }.signed(by: Self.key)) == .issuer)
        #expect(error(token { $0.issuer = "https://session.firebase.google.com/shop" }.signed(by: Self.key)) == .issuer)
        #expect(error(good, now: Self.now + .minutes(61)) == .expired && error(good, now: Self.now + .minutes(61) - .seconds(1)) == nil)
        #expect(error(good, now: Self.now - .seconds(61)) == .notYetValid)
        let parts = good.split(separator: ".").map(String.init)
        #expect(error("\(parts[0]).\(parts[1]).\(Base64URL.encode(Array("signature".utf8)))") == .signature)
        #expect(error("\(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))).\(parts[1]).") == .algorithm)
        #expect(
            error("\(Base64URL.encode(Array(#"{"typ":"JWT","alg":"RS256","kid":"\#(Self.key.id)"}"#.utf8))).\(parts[1]).\(parts[2])") == .unknownKey)
        #expect(error("\(parts[0]).\(parts[1])") == .malformed && error("") == .malformed && error("..") == .malformed)
        #expect(error(String(repeating: "a", count: 16_385)) == .tooLong)
    }

    @Test func `every changed bit of a token is found`() throws {
        let text = Array(token().signed(by: Self.key).utf8)
        for place in text.indices {
            var changed = text
            changed[place] ^= place % 2 == 0 ? 1 : 0x20
            #expect(throws: TokenError.self) { try own.check(changed, now: Self.now) }
        }
    }

    @Test func `a stored key is the same key`() throws {
        let stored = try #require(SigningKey(der: Self.key.der, certificate: Self.key.published.certificate))
        #expect(stored.id == Self.key.id && stored.id.utf8.count == 32 && stored.id != Self.other.id)
        let published = try #require(PublishedKey(publicKey: stored.published.publicKey.der, certificate: stored.published.certificate))
        #expect(try OwnTokens(keys: [published], issuers: [Self.google]).check(token().signed(by: stored), now: Self.now).subject == "ana")
        #expect(PublishedKey(publicKey: HostileVector.p256.publicDER, certificate: []) == nil)
        #expect(SigningKey(der: [], certificate: []) == nil)
    }

    @Test func `published documents have the keys`() throws {
        let keys = [Self.key.published, Self.other.published]
        let set = try KeySet(json: DiscoveryDocuments.keys(keys))
        #expect(set.count == 2 && set.key(Self.other.id, .rsa)?.der == Self.other.published.publicKey.der)
        let certificates = try JSONValue(DiscoveryDocuments.certificates(keys))
        #expect(certificates.text(Self.key.id).hasPrefix("-----BEGIN CERTIFICATE-----\n") && certificates.fields.count == 2)
        let configuration = try JSONValue(DiscoveryDocuments.configuration(issuer: "https://a/v1/auth/shop", keysURL: "https://a/jwks"))
        #expect(configuration.text("issuer") == "https://a/v1/auth/shop" && configuration.text("jwks_uri") == "https://a/jwks")
    }

    @Test func `checked tokens are remembered within bounds, and their times count at each use`() throws {
        let cache = CheckedTokens(capacity: 64)
        let texts = (0..<200).map { number in token { $0.subject = "u\(number)" }.signed(by: Self.key) }
        for (number, text) in texts.enumerated() {
            #expect(try cache.check(text, with: own, now: Self.now).subject == "u\(number)")
            #expect(cache.count <= 64)
        }
        #expect(cache.count > 16)
        #expect(cache.remembers(texts[199], for: own) && !cache.remembers(texts[0], for: own))
        #expect(throws: TokenError.expired) { try cache.check(texts[199], with: own, now: Self.now + .hours(2)) }
        #expect(throws: TokenError.self) { try cache.check(texts[199] + "A", with: own, now: Self.now) }
        // Nothing is remembered for other keys.
        let none = OwnTokens(keys: [], issuers: [])
        #expect(throws: TokenError.unknownKey) { try cache.check(texts[199], with: none, now: Self.now) }
        // A token in use stays, whatever else arrives.
        for text in texts {
            _ = try cache.check(texts[199], with: own, now: Self.now)
            _ = try cache.check(text, with: own, now: Self.now)
        }
        #expect(cache.remembers(texts[199], for: own))
        cache.removeAll()
        #expect(cache.count == 0 && !cache.remembers(texts[199], for: own))
    }
}
