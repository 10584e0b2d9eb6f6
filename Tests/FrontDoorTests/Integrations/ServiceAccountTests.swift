// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import TestSupport
import Testing

@testable import ingestd

/// A service account of a daemon with a manual clock.
private struct Account {
    static let now = Timestamp(milliseconds: 1_796_000_000_000)
    static let audience = "https://signalbox.example.com/token"
    static let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="

    let live: LiveDaemon
    let keys: AppKeys
    let pair = RSA.makeKey()
    let file: JSON

    init(_ live: LiveDaemon, role: String = "send") async throws {
        self.live = live
        keys = try await live.api.makeApp()
        let made = try await Self.create(live, keys, role, Base64.encode(pair.publicKey))
        #expect(made.status == 201, "\(made.text)")
        #expect(try !JSON(made)["key"].exists)
        file = try JSON(made)["service_account"]
    }

    static func create(_ live: LiveDaemon, _ keys: AppKeys, _ role: String, _ publicKey: String) async throws -> Reply {
        let account = #"{"public_key": "\#(publicKey)", "token_uri": "\#(audience)"}"#
        return try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", #"{"role": "\#(role)", "service_account": \#(account)}"#)
    }

    static let header = #"{"alg":"RS256","typ":"JWT"}"#

    func claims(issued: Int64 = 0, life: Int64 = 3_600, issuer: String? = nil, audience: String = Self.audience) -> String {
        let at = Self.now.milliseconds / 1_000 + issued
        return #"{"iss":"\#(issuer ?? file["client_email"].text)","aud":"\#(audience)","iat":\#(at),"exp":\#(at + life),"scope":"x"}"#
    }

    func assertion(_ claims: String, header: String = Self.header, sign: ((_ bytes: [UInt8]) -> [UInt8])? = nil) -> String {
        let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(claims.utf8))
        let signature = sign.map { $0(Array(signed.utf8)) } ?? RS256Signer(pem: pair.privatePEM).sign(Array(signed.utf8))
        return signed + "." + Base64URL.encode(signature)
    }

    func exchange(_ assertion: String) async throws -> Reply {
        try await live.api.post("/token", headers: ["Content-Type": "application/x-www-form-urlencoded"], Self.grant + assertion)
    }

    static func use(role: String = "send", _ body: @Sendable (Account, ManualClock) async throws -> Void) async throws {
        let clock = ManualClock(now)
        try await withDaemon(clock: clock.clock, sends: false) { live in try await body(try await Account(live, role: role), clock) }
    }
}

@Suite struct ServiceAccountTests {
    @Test func `an assertion is exchanged for a token with the key's role for an hour`() async throws {
        try await Account.use { account, clock in
            let answer = try await account.exchange(account.assertion(account.claims()))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try JSON(answer)["expires_in"].number == 3_600 && JSON(answer)["token_type"].text == "Bearer")
            let token = try JSON(answer)["access_token"].text
            let api = account.live.api
            func status(_ token: String) async throws -> Int {
                try await api.post("/v1/messages", key: token, #"{"topic": "news", "data": {"a": "b"}}"#).status
            }
            #expect(try await status(token) == 200)
            #expect(try await api.get("/v1/topics", key: token).status == 200)
            #expect(try await api.get("/v1/export", key: token).status == 403)
            for place in token.indices.dropFirst(6) {
                var forged = token
                forged.replaceSubrange(place...place, with: token[place] == "1" ? "2" : "1")
                #expect(try await status(forged) == 401, "\(forged)")
            }
            for forged in ["sb_at_", "sb_at___", token + "_", String(token.dropLast())] { #expect(try await status(forged) == 401) }
            clock.advance(by: .seconds(3_599))
            #expect(try await status(token) == 200)
            clock.advance(by: .seconds(1))
            #expect(try await status(token) == 401)
            #expect(!account.live.log.text.contains(token))
        }
    }

    @Test func `a service account with the role data reads documents as Firestore's clients do`() async throws {
        try await Account.use(role: "data") { account, _ in
            let token = try JSON(await account.exchange(account.assertion(account.claims())))["access_token"].text
            let documents = "/v1/projects/\(account.keys.app)/databases/(default)/documents/users"
            let made = try await account.live.api.post(documents + "?documentId=u1", key: token, #"{"fields": {"n": {"integerValue": 1}}}"#)
            #expect(made.status == 200, "\(made.text)")
            #expect(try await account.live.api.get(documents + "/u1", key: token).text.contains(#"{"integerValue":"1"}"#))
            #expect(try await account.live.api.get("/v1/topics", key: token).status == 403)
        }
    }

    @Test func `a clock set back by a day or two extends a token by that time at most`() async throws {
        try await Account.use { account, clock in
            let api = account.live.api
            func status(_ tokens: String...) async throws -> [Int] {
                var found: [Int] = []
                for token in tokens { found.append(try await api.get("/v1/topics", key: token).status) }
                return found
            }
            func token(issued: Int64) async throws -> String {
                try JSON(await account.exchange(account.assertion(account.claims(issued: issued))))["access_token"].text
            }
            let ofToday = try await token(issued: 0)
            let yearsAhead: Int64 = 74 * 365 * 86_400
            clock.advance(by: .seconds(yearsAhead))
            #expect(try await status(ofToday) == [401])
            let ofTheFuture = try await token(issued: yearsAhead)
            #expect(try await status(ofTheFuture) == [200])
            clock.set(Account.now)
            #expect(try await status(ofToday, ofTheFuture) == [200, 401])
            // With the correct clock its assertion is from the future then.
            clock.set(Account.now - .days(1))
            #expect(try await token(issued: 0).isEmpty)
            #expect(try await status(ofToday) == [200])
            clock.set(Timestamp(milliseconds: 0))
            #expect(try await status(ofToday) == [401])
            clock.set(Account.now)
            #expect(try await status(ofToday, token(issued: 0)) == [200, 200])
        }
    }

    @Test func `revoking the key revokes its tokens and assertions`() async throws {
        try await Account.use { account, _ in
            let signed = account.assertion(account.claims())
            let token = try JSON(await account.exchange(signed))["access_token"].text
            #expect(try await account.live.api.get("/v1/topics", key: token).status == 200)
            let path = "/v1/apps/\(account.keys.app)/keys/\(account.file["client_id"].text)"
            #expect(try await account.live.api.asOperator("DELETE", path).status == 204)
            #expect(try await account.live.api.get("/v1/topics", key: token).status == 401)
            #expect(try await account.exchange(signed).status == 400)
        }
    }

    @Test func `only assertions with the right signature, audience and time are accepted`() async throws {
        try await Account.use { account, _ in
            let good = account.claims()
            let stranger = RS256Signer(pem: RSA.makeKey().privatePEM)
            let right = account.assertion(good).split(separator: ".")
            let refused: [String: String] = [
                "alg none": account.assertion(good, header: #"{"alg":"none"}"#) { _ in [] },
                "alg none with a signature": account.assertion(good, header: #"{"alg":"none"}"#),
                // The public key as a shared secret, which a careless check would accept.
                "HS256": account.assertion(good, header: #"{"alg":"HS256"}"#) { HMACSHA256.authenticate($0, key: account.pair.publicKey) },
                "RS512": account.assertion(good, header: #"{"alg":"RS512"}"#), "small letters": account.assertion(good, header: #"{"alg":"rs256"}"#),
                "no alg": account.assertion(good, header: "{}"), "crit": account.assertion(good, header: #"{"alg":"RS256","crit":["x"]}"#),
                "another's key": account.assertion(good) { stranger.sign($0) }, "no signature": account.assertion(good) { _ in [] },
                "another key's id": account.assertion(good, header: #"{"alg":"RS256","kid":"00"}"#),
                "other claims": "\(right[0]).\(Base64URL.encode(Array(account.claims(life: 3_599).utf8))).\(right[2])",
                "nobody": account.assertion(account.claims(issuer: "key-999@signalbox")),
                "an operator": account.assertion(account.claims(issuer: "")),
                "another audience": account.assertion(account.claims(audience: "https://elsewhere.example.com/token")),
                "too long a life": account.assertion(account.claims(life: 3_601)), "no life": account.assertion(account.claims(life: -1)),
                "from the future": account.assertion(account.claims(issued: 301)), "over": account.assertion(account.claims(issued: -3_900)),
                "no times": account.assertion(#"{"iss":"\#(account.file["client_email"].text)","aud":"\#(Account.audience)"}"#),
                "huge times": account.assertion(good.replacing(#""iat":"#, with: #""iat":9223372036854775807,"x":"#)),
                "two parts": "\(right[0]).\(right[1])", "four parts": right.joined(separator: ".") + ".", "nothing": "",
                "padding": right.joined(separator: ".") + "=",
                "no JSON": account.assertion("claims", header: "RS256"), "an array": account.assertion("[]", header: "[]"),
            ]
            for (what, assertion) in refused {
                let answer = try await account.exchange(assertion)
                #expect(try answer.status == 400 && JSON(answer)["error"].text == "invalid_grant", "\(what): \(answer.text)")
            }
            let taken = [
                account.claims(issued: 300), account.claims(issued: -3_899), account.claims(audience: "https://oauth2.googleapis.com/token"),
            ]
            for claims in taken { #expect(try await account.exchange(account.assertion(claims)).status == 200) }
            let named = #"{"alg":"RS256","kid":"\#(account.file["private_key_id"].text)"}"#
            #expect(try await account.exchange(account.assertion(good, header: named)).status == 200)
        }
    }

    @Test func `an invalid or too large form gets an OAuth error`() async throws {
        try await Account.use { account, _ in
            let cases = [
                ("", "unsupported_grant_type"), ("grant_type=password", "unsupported_grant_type"),
                (String(Account.grant.prefix { $0 != "&" }), "invalid_request"), ("%zz", "invalid_request"),
                (Account.grant + String(repeating: "a", count: 17_000), "invalid_request"),
            ]
            for (body, error) in cases {
                let answer = try await account.live.api.post("/token", body)
                #expect(try answer.status == 400 && JSON(answer)["error"].text == error, "\(answer.text)")
            }
        }
    }

    @Test func `only an RSA public key with the role send makes a service account`() async throws {
        try await Account.use { account, _ in
            let fit = Base64.encode(account.pair.publicKey)
            for role in ["ingest", "read", "admin"] { #expect(try await Account.create(account.live, account.keys, role, fit).status == 422) }
            for bad in ["", "AAAA", "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="] {
                #expect(try await Account.create(account.live, account.keys, "send", bad).status == 422)
            }
            let list = try JSON(await account.live.api.asOperator("GET", "/v1/apps/\(account.keys.app)/keys"))
            let hints = list["items"].items.map(\.["hint"].text)
            #expect(hints.count == 5 && hints.last == "service account")
        }
    }
}
