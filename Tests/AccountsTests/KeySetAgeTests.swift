// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import Platform
import Testing

struct KeySetAgeTests {
    private static let start = Timestamp(milliseconds: 1_796_000_000_000)
    private let keys: KeySet

    init() throws { keys = try KeySet(json: Array(#"{"keys": []}"#.utf8)) }

    private func fetched(lifetime: Timestamp.Span = .minutes(10)) -> KeySetAge {
        var age = KeySetAge()
        age.began(at: Self.start)
        age.succeeded(keys, lifetime: lifetime, at: Self.start)
        return age
    }

    @Test func `keys are fetched first, then when they expire`() {
        var age = KeySetAge()
        #expect(age.step(unknownKey: false, at: Self.start) == .fetch)
        age = fetched()
        #expect(age.step(unknownKey: false, at: Self.start + .minutes(10) - .seconds(1)) == .use)
        #expect(age.step(unknownKey: false, at: Self.start + .minutes(10)) == .fetch)
    }

    @Test func `an unknown key asks once a minute`() {
        var age = fetched()
        #expect(age.step(unknownKey: true, at: Self.start + .seconds(59)) == .use)
        #expect(age.step(unknownKey: true, at: Self.start + .seconds(60)) == .fetch)
        age.began(at: Self.start + .seconds(60))
        #expect(age.step(unknownKey: true, at: Self.start + .seconds(119)) == .use)
    }

    @Test func `the lifetime is between five minutes and a day`() {
        for (lifetime, end) in [(Timestamp.Span.seconds(0), Timestamp.Span.minutes(5)), (.hours(1_000), .hours(24))] {
            var age = fetched(lifetime: lifetime)
            #expect(age.step(unknownKey: false, at: Self.start + end - .seconds(1)) == .use)
            #expect(age.step(unknownKey: false, at: Self.start + end) == .fetch)
        }
    }

    @Test func `stale keys serve for a day while the provider is down`() {
        var age = fetched()
        var now = Self.start + .minutes(10)
        age.began(at: now)
        age.failed()
        now = now + .seconds(59)
        #expect(age.step(unknownKey: false, at: now) == .use)
        now = now + .seconds(1)
        #expect(age.step(unknownKey: false, at: now) == .useAndFetch)
        #expect(age.step(unknownKey: false, at: Self.start + .minutes(10) + .hours(24) - .seconds(1)) == .useAndFetch)
        now = Self.start + .minutes(10) + .hours(24)
        #expect(age.step(unknownKey: false, at: now) == .fetch)
        age.began(at: now)
        #expect(age.step(unknownKey: false, at: now + .seconds(1)) == .unavailable)
    }

    @Test func `a clock that was set back does not keep keys`() {
        var age = fetched(lifetime: .hours(24))
        #expect(age.step(unknownKey: false, at: Self.start - .hours(48)) == .fetch)
    }

    @Test(
        arguments: [
            (nil, 300), ("", 300), ("max-age=3600", 3_600), ("public, Max-Age=3600 , must-revalidate", 3_600), ("max-age=\"3600\"", 3_600),
            ("no-store, max-age=3600", 300), ("max-age=-1", 300), ("max-age=", 300), ("max-age=99999999999999999999", 86_400), ("s-maxage=9", 300),
            ("max-age=1e3", 300), ("max-age=\u{661}", 300),
        ] as [(String?, Int64)])
    func `Cache-Control gives the lifetime`(field: String?, seconds: Int64) {
        #expect(KeySetAge.lifetime(cacheControl: field) == .seconds(seconds))
    }
}

struct IdentityProviderTests {
    private struct Root: Sendable {
        var providers: [IdentityProvider] = []

        static let settings = [Setting("providers", IdentityProvider.list, \Root.providers, "Providers")]
    }

    private func read(_ text: String) throws -> [IdentityProvider] {
        var reader = ConfigurationReader(Root(), Root.settings)
        reader.read(file: "test", Array("{ providers: \(text) }".utf8))
        return try reader.result().providers
    }

    @Test func `providers are read with their rules`() throws {
        let found = try read(
            """
            [{ id: "google.com", apps: ["shop"], audiences: ["a"] }, { id: "microsoft.com", apps: ["shop", "2"], audiences: ["a", "b"] },
             { id: "oidc.corp", apps: ["shop"], issuer: "https://login.example/x", audiences: ["shop"], algorithms: ["ES256"], trusts_email: true }]
            """)
        #expect(found.map(\.id) == ["google.com", "microsoft.com", "oidc.corp"])
        #expect(found[0].trust == .google && found[0].keySource == .keys(url: "https://www.googleapis.com/oauth2/v3/certs"))
        #expect(found[1].trust == .none && found[1].audiences == ["a", "b"] && found[1].apps == ["shop", "2"])
        #expect(
            found[2].trust == .verified && found[2].rules.algorithms == [.es256] && found[2].rules.issuer == .exactly(["https://login.example/x"]))
        #expect(found[2].keySource == .discovery(issuer: "https://login.example/x"))
    }

    @Test func `what is printed is read as the same`() throws {
        let text = #"[{ id: "oidc.a", apps: ["x"], issuer: "https://l.example", audiences: ["x"], algorithms: ["RS256", "EdDSA"] }]"#
        var root = Root()
        root.providers = try read(text)
        #expect(try read(Root.settings[0].text(in: root)) == root.providers)
    }

    @Test(arguments: [
        (#"{ id: "google.com" }"#, "not accepted"), (#"[1]"#, "no object"),
        (#"[{ id: "corp", apps: ["a"], audiences: ["a"] }]"#, "neither google.com"),
        (#"[{ id: "oidc.", apps: ["a"], audiences: ["a"] }]"#, "neither"), (#"[{ id: "google.com", audiences: ["a"] }]"#, "apps is missing"),
        (#"[{ id: "google.com", apps: ["a"] }]"#, "audiences must"), (#"[{ id: "oidc.a", apps: ["a"], audiences: ["a"] }]"#, "issuer is missing"),
        (#"[{ id: "oidc.a", apps: ["a"], audiences: ["a"], issuer: "http://login.example" }]"#, "issuer must"),
        (#"[{ id: "google.com", apps: ["a"], audiences: ["a"], algorithms: [] }]"#, "algorithms is empty"),
        (#"[{ id: "google.com", apps: ["a"], audiences: ["a"], algorithms: ["HS256"] }]"#, "algorithms: "),
        (#"[{ id: "google.com", apps: ["a"], audiences: ["a"], algorithms: ["none"] }]"#, "algorithms: "),
        (#"[{ id: "google.com", id: "apple.com", apps: ["a"], audiences: ["a"] }]"#, "twice"),
        (#"[{ id: "google.com", apps: ["a"], audience: ["a"] }]"#, "unknown member"),
        (#"[{ id: "google.com", apps: ["a"], audiences: ["a"] }, { id: "google.com", apps: ["b", "a"], audiences: ["c"] }]"#, "named twice"),
    ])
    func `a wrong provider is reported`(text: String, reason: String) {
        #expect {
            try read(text)
        } throws: { error in
            (error as? ConfigurationError)?.problems.first?.description.contains(reason) == true
        }
    }

    @Test(arguments: [
        ("https://login.example", true), ("https://login.example:8443/a/b", true), ("http://localhost:9000", true), ("http://127.0.0.1:1/x", true),
        ("http://[::1]:80", false), ("http://[::1]:81", true), ("http://login.example", false), ("http://10.0.0.7", false),
        ("ftp://login.example", false),
        ("https://a@b.example", false), ("https://LOGIN.example", false), ("https://login.example/#x", false), ("https://login.example/ ", false),
        ("https://login.example\r\n", false), ("https://", false), ("", false), ("//login.example", false), ("http://localhost.evil.example", false),
        ("http://2130706433/", false), ("https://login.example\\@evil.example", false),
    ])
    func `a provider's URL is https, or http of this machine`(text: String, isOne: Bool) {
        #expect((ProviderURL(text) != nil) == isOne)
    }
}
