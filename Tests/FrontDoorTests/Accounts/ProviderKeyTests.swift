// SPDX-License-Identifier: Apache-2.0

import Accounts
import Delivery
import Platform
import TestSupport
import Testing

@testable import ingestd

/// The fetching of providers' keys: rotation, floods, outages, addresses that must not be reached.
@Suite struct ProviderKeyTests {
    private static let hour = Timestamp.Span.hours(1)

    @Test func `a new key is found, at most once a minute`() async throws {
        try await ProviderWorld.use { world async throws in
            let clock = world.accounts.clock
            #expect(try await world.signIn(world.corp.token("u-1")).status == 201)
            world.corp.set { $0.keys["k2"] = .ofProvider() }
            #expect(try await world.signIn(world.corp.token("u-1", key: "k2")).code == "bad_identity_token")
            #expect(world.corp.fetches == 1)
            clock.advance(by: .minutes(1))
            #expect(try await world.signIn(world.corp.token("u-1", key: "k2", at: clock.now)).status == 200)
            #expect(try await world.signIn(world.corp.token("u-1", at: clock.now)).status == 200)
            #expect(world.corp.fetches == 2)
            // A key that the provider withdrew signs nobody in once the set has expired.
            world.corp.set { $0.keys["k1"] = nil }
            clock.advance(by: .minutes(11))
            #expect(try await world.signIn(world.corp.token("u-1", key: "k2", at: clock.now)).status == 200)
            #expect(world.corp.fetches == 3)
        }
    }

    @Test func `a thousand unknown keys cost one fetch`() async throws {
        try await ProviderWorld.use { configuration, _ in
            configuration.server.keyFailures = 0
        } _: { world async throws in
            #expect(try await world.signIn(world.corp.token("u-1")).status == 201)
            world.accounts.clock.advance(by: .minutes(2))
            let keys = world.accounts.live.daemon.accounts.providerKeys
            let provider = world.corp.provider("oidc.corp", trustsEmail: true)
            let (stub, now) = (world.corp, world.accounts.clock.now)
            let rejected = await withTaskGroup(of: Bool.self) { group in
                for index in 0..<1_000 {
                    let parts = stub.token("u-1", at: now).split(separator: ".")
                    let head = Base64URLText.encode(#"{"alg":"RS256","kid":"unknown-\#(index)"}"#)
                    group.addTask {
                        (try? await keys.claims(of: "\(head).\(parts[1]).\(parts[2])", provider, nonce: nil)) == nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(rejected == 1_000 && world.corp.fetches == 2)
            #expect(try await world.signIn(world.corp.token("u-1", at: now)).status == 200)
        }
    }

    @Test func `sign-ins go on while the provider is down for an hour`() async throws {
        try await ProviderWorld.use { world async throws in
            let clock = world.accounts.clock
            #expect(try await world.signIn(world.corp.token("u-1")).status == 201)
            world.corp.set { $0.isDown = true }
            for _ in 0..<60 {
                clock.advance(by: .minutes(1))
                #expect(try await world.signIn(world.corp.token("u-1", at: clock.now)).status == 200)
            }
            #expect(world.accounts.live.log.text.contains("could not fetch the keys of an identity provider"))
            // After a day without the provider nobody can say which keys are good.
            clock.advance(by: .hours(24))
            let late = try await world.signIn(world.corp.token("u-1", at: clock.now))
            #expect(late.status == 503 && late.code == "provider_unavailable" && late.headers["retry-after"] != nil)
            world.corp.set { $0.isDown = false }
            clock.advance(by: .minutes(1))
            #expect(try await world.signIn(world.corp.token("u-1", at: clock.now)).status == 200)
        }
    }

    @Test(arguments: [
        ("http://169.254.169.254/latest", "address is no https URL"), ("http://10.0.0.7/keys", "address is no https URL"),
        ("https://10.0.0.7/keys", "address that is not allowed"), ("https://[fd00::1]/keys", "address that is not allowed"),
        ("https://user@10.0.0.7/keys", "address is no https URL"), ("file:///etc/passwd", "address is no https URL"),
        ("gopher://127.0.0.1/x", "address is no https URL"),
    ])
    func `a discovery document leads to no address that webhooks may not go to`(url: String, reason: String) async throws {
        try await ProviderWorld.use { world async throws in
            world.corp.set { $0.keysURL = url }
            let reply = try await world.signIn(world.corp.token("u-1"))
            #expect(reply.status == 503 && reply.code == "provider_unavailable" && world.corp.fetches == 0)
            #expect(world.accounts.live.log.text.contains(reason), "\(world.accounts.live.log.text)")
        }
    }

    @Test func `in production http and loopback are refused`() async throws {
        for secure in [false, true] {
            try await ProviderWorld.use { configuration, stub in
                configuration.mode = .production
                configuration.delivery.destinations.addresses.allowed = []
                if secure { configuration.accounts.providers[0].issuer = stub.issuer.replacing("http:", with: "https:") }
            } _: { world async throws in
                #expect(try await world.signIn(world.corp.token("u-1")).code == "provider_unavailable")
                #expect(world.accounts.live.log.text.contains(secure ? "address that is not allowed" : "address is no https URL"))
            }
        }
    }

    @Test(arguments: [
        (#"{"keys": []}"#, "no key"), ("[]", "not an object"), (#"{"keys": [{"kty": "oct", "k": "c2VjcmV0"}]}"#, "no key"),
        (#"{"keys": [\#(Array(repeating: "{}", count: 33).joined(separator: ","))]}"#, "more than 32"),
        (String(repeating: " ", count: 66_000), "larger than 65536"),
    ])
    func `a key set beyond its bounds is not used`(set: String, reason: String) async throws {
        try await ProviderWorld.use { world async throws in
            world.corp.set { $0.keySet = set }
            #expect(try await world.signIn(world.corp.token("u-1")).code == "provider_unavailable")
            #expect(world.accounts.live.log.text.contains(reason), "\(world.accounts.live.log.text)")
        }
    }

    @Test func `a discovery document of another issuer is not used`() async throws {
        try await ProviderWorld.use { world async throws in
            world.corp.set { $0.issuer = "https://evil.example" }
            #expect(try await world.signIn(world.corp.token("u-1")).code == "provider_unavailable")
        }
    }

    @Test func `metrics tell the age of the keys and the reasons of rejections`() async throws {
        try await ProviderWorld.use { world async throws in
            #expect(try await world.signIn(world.corp.token("u-1")).status == 201)
            #expect(try await world.signIn(world.corp.token("u-1", audience: "other")).status == 401)
            world.accounts.clock.advance(by: .minutes(3))
            let metrics = try await world.accounts.live.api.get("/metrics").text
            #expect(metrics.contains(#"signalbox_auth_provider_keys_age_seconds{provider="oidc.corp"} 180"#))
            #expect(metrics.contains(#"signalbox_auth_provider_fetches_total{provider="oidc.corp",result="done"} 1"#))
            #expect(metrics.contains(#"signalbox_auth_provider_tokens_rejected_total{reason="audience"} 1"#))
        }
    }
}

private enum Base64URLText {
    static func encode(_ text: String) -> String {
        text.base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
