// SPDX-License-Identifier: Apache-2.0

import MessageStore
import Crypto
import MessageStore
import Messaging
import Platform
import AcrossStores
import TestSupport
import Testing

@testable import ingestd

/// Registering, changing and removing devices.
@Suite struct DeviceTests {
    private static let phone =
        #"{"installation_id": "phone", "user_id": "ann", "platform": "ios", "app_version": "1", "endpoint": {"type": "stream"}}"#

    @Test func `a device is registered, renewed, changed and removed`() async throws {
        try await MessagingWorld.use { world in
            let made = try await world.post("/v1/devices", as: world.ours.ingest, Self.phone)
            let token = try JSON(made)["token"].text
            #expect(made.status == 201)
            #expect(token.hasPrefix("sbd_") && token.count >= 30)
            #expect(try JSON(made).names == ["state", "token"])

            let path = "/v1/devices/\(token)"
            let shown = try await world.get(path, as: world.ours.ingest)
            #expect(
                ["token", "kind", "installation_id", "user_id", "platform", "app_version", "state"].map { shown[$0].text }
                    == [token, "own", "phone", "ann", "ios", "1", "active"])
            #expect(shown["endpoint"]["type"].text == "stream" && !shown["stale"].bool && shown["topics"].items.isEmpty)

            // By token, and with a trusted key by installation and endpoint; omitted fields stay.
            let bodies = [Self.phone.replacing(#""1""#, with: #""2""#), #"{"token": "\#(token)", "platform": "macos"}"#]
            for (key, body) in zip([world.ours.send, world.ours.ingest], bodies) {
                let again = try await world.post("/v1/devices", as: key, body)
                #expect(again.status == 200)
                #expect(try JSON(again)["token"].text == token)
            }
            let renewed = try await world.get(path)
            #expect(["platform", "app_version", "user_id"].map { renewed[$0].text } == ["macos", "2", "ann"])

            let changed = try await world.put(path, as: world.ours.ingest, #"{"user_id": "bob"}"#)
            #expect(changed.status == 200)
            #expect(try JSON(changed)["user_id"].text == "bob")
            #expect(try await world.put(path, "{}").status == 200)
            #expect(try await world.get(path)["user_id"].text == "bob")
            // A device's own fields may be sent back; its identity cannot change.
            #expect(try await world.put(path, #"{"token": "\#(token)", "kind": "own", "app_version": "3"}"#).status == 200)
            #expect(try await world.get(path)["app_version"].text == "3")
            let renamed = try await world.put(path, #"{"token": "another-token-1"}"#)
            #expect(try Wrong(renamed) == Wrong(422, "token", "immutable"))
            #expect(try JSON(renamed)["hint"].text.contains("Register the new token"))
            // Signing out has two forms.
            let signedOut = Self.phone.replacing(#""ann""#, with: "null")
            let ways = [
                { try await world.put(path, as: world.ours.ingest, #"{"user_id": null}"#) },
                { try await world.post("/v1/devices", as: world.ours.send, signedOut) },
            ]
            for (place, signOut) in ways.enumerated() {
                #expect(try await signOut().status == 200, "\(place)")
                #expect(try await !world.get(path).names.contains("user_id"), "\(place)")
                #expect(try await world.get("/v1/devices?user=bob")["items"].items.isEmpty, "\(place)")
                #expect(try await world.put(path, #"{"user_id": "bob"}"#).status == 200)
                #expect(try await world.get("/v1/devices?user=bob")["items"].items.count == 1, "\(place)")
            }

            #expect(try await world.delete(path, as: world.ours.ingest).status == 204)
            for reply in [try await world.api.get(path, key: world.ours.ingest), try await world.delete(path), try await world.put(path, "{}")] {
                #expect(reply.status == 404)
                #expect(try JSON(reply)["code"].text == "unregistered")
            }
            // The installation can register again as another device.
            let back = try await world.post("/v1/devices", as: world.ours.ingest, Self.phone)
            #expect(back.status == 201)
            #expect(try JSON(back)["token"].text != token)
        }
    }

    @Test func `a client's own token is kept per app`() async throws {
        try await MessagingWorld.use { world in
            let body = #"{"token": "fcm:token-1", "kind": "fid", "platform": "android", "endpoint": {"type": "stream"}}"#
            #expect(try await world.post("/v1/devices", body).status == 201)
            let shown = try await world.get("/v1/devices/fcm:token-1")
            #expect(shown["kind"].text == "fid")
            #expect(try await world.post("/v1/devices", body).status == 200)
            // Another app may have the same token.
            #expect(try await world.post("/v1/devices", as: world.theirs.send, body).status == 201)
            #expect(try await world.delete("/v1/devices/fcm:token-1", as: world.theirs.send).status == 204)
            #expect(try await world.api.get("/v1/devices/fcm:token-1", key: world.ours.send).status == 200)

            let plain = #"{"token": "another-1", "platform": "android", "endpoint": {"type": "stream"}}"#
            #expect(try await world.post("/v1/devices", plain).status == 201)
            #expect(try await world.get("/v1/devices/another-1")["kind"].text == "token")
        }
    }

    @Test func `a webhook's secret is returned once and can be rotated`() async throws {
        try await MessagingWorld.use { world in
            let body = #"{"platform": "server", "installation_id": "s", "endpoint": {"type": "webhook", "url": "HTTPS://Example.com:443/a"}}"#
            let made = try JSON(await world.post("/v1/devices", body))
            let token = made["token"].text
            #expect(made["secret"].text.hasPrefix("whsec_") && made["state"].text == "active")
            #expect(try JSON(await world.post("/v1/devices", body)).names == ["state", "token"])
            let shown = try await world.get("/v1/devices/\(token)")
            #expect(shown["endpoint"]["url"].text == "https://example.com/a")
            #expect(!shown["secret"].exists)

            let rotated = try JSON(await world.post("/v1/devices/\(token)/rotate-secret", ""))["secret"].text
            #expect(rotated.hasPrefix("whsec_") && rotated != made["secret"].text)
            let stream = try await world.stream()
            #expect(try await world.post("/v1/devices/\(stream)/rotate-secret", "").status == 409)
            // A stream that becomes a webhook gets a secret too.
            let moved = try await world.put("/v1/devices/\(stream)", #"{"endpoint": {"type": "webhook", "url": "http://a.example"}}"#)
            #expect(try JSON(moved)["secret"].text.hasPrefix("whsec_"))
        }
    }

    @Test func `repeated rotations keep the last secrets valid`() async throws {
        try await MessagingWorld.use { world in
            let made = try JSON(
                await world.post("/v1/devices", #"{"platform": "server", "endpoint": {"type": "webhook", "url": "http://127.0.0.1:9/x"}}"#))
            let token = made["token"].text
            var secrets = [made["secret"].text]
            for count in 1...6 {
                secrets.insert(try JSON(await world.post("/v1/devices/\(token)/rotate-secret", ""))["secret"].text, at: 0)
                let signing = try await Self.signing(world, token)
                #expect(signing == Array(secrets.prefix(5)), "after \(count)")
            }
        }
    }

    /// The secrets that sign the next message to a device, the newest first.
    private static func signing(_ world: MessagingWorld, _ token: String) async throws -> [String] {
        let id = try JSON(await world.post("/v1/messages", #"{"token": "\#(token)", "data": {"a": "b"}}"#))["id"].text
        _ = try await MessagingWorld.deliveries(world.api, world.ours, of: id)
        let (messages, now) = (world.live.daemon.store.messages, WallClock.system.now())
        let claimed = try await messages.claim(ClaimRequest(limit: 10, limitPerOrigin: 10, leaseEnds: now + .minutes(1), now: now)).deliveries
        return try #require(claimed.first).keys.map { "whsec_" + Base64.encode($0.bytes) }
    }

    @Test func `a webhook may have its own secret, Ed25519, or the app's secret`() async throws {
        try await MessagingWorld.use { world in
            func register(_ more: String) async throws -> Reply {
                try await world.post("/v1/devices", #"{"platform": "server", "endpoint": {"type": "webhook", "url": "http://a.example"\#(more)}}"#)
            }
            let brought = try await register(#", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw""#)
            #expect(try JSON(brought).names == ["state", "token"])
            #expect(try JSON(await register(#", "scheme": "v1a""#))["secret"].text.hasPrefix("whpk_"))
            for (scheme, prefix) in [(#"{"scheme": "v1a"}"#, "whpk_"), ("", "whsec_")] {
                #expect(try JSON(await world.post("/v1/app/webhook-secret", scheme))["secret"].text.hasPrefix(prefix))
            }
            #expect(try JSON(await register("")).names == ["state", "token"])
            #expect(try JSON(await register(#", "scheme": "v1""#))["secret"].text.hasPrefix("whsec_"))
        }
    }

    @Test func `ingest keys need a setting to register webhooks, which must be confirmed`() async throws {
        try await MessagingWorld.use { world in
            let body = #"{"platform": "web", "endpoint": {"type": "webhook", "url": "http://a.example/hook"}}"#
            let stream = try await world.stream()
            for reply in [
                try await world.post("/v1/devices", as: world.ours.ingest, body),
                try await world.put("/v1/devices/\(stream)", as: world.ours.ingest, body.replacing(#""platform": "web", "#, with: "")),
                try await world.post("/v1/devices/\(try await world.webhook())/rotate-secret", as: world.ours.ingest, ""),
            ] {
                #expect(reply.status == 403)
                #expect(try JSON(reply)["hint"].text.contains("client_webhooks"))
            }
            let settings = Array(#"{"client_webhooks": true}"#.utf8)
            #expect(try await world.api.request("PATCH", "/v1/app", key: world.ours.admin, body: settings).status == 200)
            let made = try JSON(await world.post("/v1/devices", as: world.ours.ingest, body))
            #expect(made["state"].text == "pending")
            // A send key confirms an endpoint only if it names it.
            let token = "{\"token\": \"\(made["token"].text)\""
            #expect(try JSON(await world.post("/v1/devices", token + "}"))["state"].text == "pending")
            #expect(try JSON(await world.post("/v1/devices", token + "," + body.dropFirst()))["state"].text == "active")
        }
    }

    @Test func `devices are listed in pages, by user and by installation`() async throws {
        try await MessagingWorld.use { world in
            for number in 0..<5 {
                let ids = #""installation_id": "i\#(number)", "user_id": "u\#(number % 2)""#
                #expect(try await world.post("/v1/devices", #"{\#(ids), "platform": "web", "endpoint": {"type": "stream"}}"#).status == 201)
            }
            _ = try await MessagingWorld.stream(world.api, world.theirs)
            var (found, after): ([String], String?) = ([], nil)
            repeat {
                let page = try await world.get("/v1/devices?limit=2" + (after.map { "&after=\($0)" } ?? ""))
                found += page["items"].items.map(\.["installation_id"].text)
                after = page["next"].exists ? page["next"].text : nil
            } while after != nil
            #expect(found == ["i0", "i1", "i2", "i3", "i4"])
            #expect(try await world.get("/v1/devices?user=u1")["items"].items.map(\.["installation_id"].text) == ["i1", "i3"])
            #expect(try await world.get("/v1/devices?installation=i2&user=u1")["items"].items.isEmpty)
            #expect(try await world.get("/v1/devices?installation=i2")["items"].items.count == 1)
        }
    }

    @Test func `a read key sees masked tokens and webhook URLs`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.webhook("very-secret")
            try await world.join(token, "news")
            for target in ["/v1/devices", "/v1/devices/\(token)", "/v1/topics/news/subscribers"] {
                let (whole, masked) = (
                    try await world.api.get(target, key: world.ours.send).text, try await world.api.get(target, key: world.ours.read).text
                )
                #expect(whole.contains(token) && whole.contains("http://127.0.0.1:9/very-secret"), "\(target)")
                #expect(!masked.contains(token) && !masked.contains("very-secret"), "\(target)")
                #expect(masked.contains("\(token.prefix(4))…\(token.suffix(4))") && masked.contains("http://127.0.0.1:9/…"), "\(target)")
            }
        }
    }

    @Test func `registrations with an ingest key count against its rate`() async throws {
        try await MessagingWorld.use { world in
            let settings = Array(#"{"events_per_minute": 2}"#.utf8)
            #expect(try await world.api.request("PATCH", "/v1/app", key: world.ours.admin, body: settings).status == 200)
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await world.post("/v1/devices", as: world.ours.ingest, Self.phone).status) }
            #expect(statuses == [201, 201, 429])
            #expect(try await world.post("/v1/devices", Self.phone).status == 200)
        }
    }

    @Test func `topics, polls, acknowledgements and removals with an ingest key count against its rate`() async throws {
        let clock = ManualClock(Day(year: 2026, month: 11, day: 21).start)
        try await MessagingWorld.use(clock: clock.clock) { world in
            let token = try await world.stream()
            let settings = Array(#"{"events_per_minute": 10}"#.utf8)
            #expect(try await world.api.request("PATCH", "/v1/app", key: world.ours.admin, body: settings).status == 200)
            let ingest = world.ours.ingest
            func topics(_ subscribe: String, _ unsubscribe: String) async throws -> Int {
                try await world.post("/v1/devices/\(token)/topics", as: ingest, #"{"subscribe": [\#(subscribe)], "unsubscribe": [\#(unsubscribe)]}"#)
                    .status
            }
            func poll() async throws -> Int { try await world.api.get("/v1/stream?token=\(token)&poll=1", key: ingest).status }
            #expect(try await topics(#""a", "b", "c""#, #""d""#) == 200)
            #expect(try await topics(#""e", "f", "g", "h""#, #""i", "j", "k""#) == 429)
            #expect(try await poll() == 200)
            #expect(try await world.post("/v1/stream/ack", as: ingest, #"{"token": "\#(token)", "cursor": "0"}"#).status == 204)
            // The rejected request with too many topics used up no tokens.
            for status in [200, 200, 200, 429] { #expect(try await poll() == status) }
            #expect(try await world.api.request("DELETE", "/v1/devices/\(token)", key: ingest).status == 429)
            #expect(try await world.post("/v1/stream/ack", as: ingest, #"{"token": "\#(token)", "cursor": "0"}"#).status == 429)
            clock.advance(by: .seconds(6))
            #expect(try await world.api.request("DELETE", "/v1/devices/\(token)", key: ingest).status == 204)
            #expect(try await poll() == 429)
            #expect(try await world.api.get("/v1/devices/\(token)", key: world.ours.send).status == 404)
        }
    }

    @Test func `pages of other origins may register and remove their device`() async throws {
        try await MessagingWorld.use { world in
            let wish = ["Origin": "https://shop.example", "Access-Control-Request-Method": "DELETE"]
            let preflight = try await world.api.request("OPTIONS", "/v1/devices/some-token", headers: wish)
            #expect(preflight.headers["access-control-allow-methods"] == "GET, PUT, DELETE")
            // A stream resumes with this header.
            #expect(preflight.headers["access-control-allow-headers"]?.contains("Last-Event-ID") == true)
            let list = try await world.api.request("OPTIONS", "/v1/topics", headers: wish)
            #expect(list.headers["access-control-allow-methods"] == nil)
        }
    }

    @Test func `limits of topics and streams are configurable`() async throws {
        let configure: @Sendable (inout Configuration) -> Void = { ($0.store.messages.topicsOfRegistration, $0.store.messages.streams) = (1, 1) }
        try await withDaemon(sends: false, configure: configure) { live in
            let keys = try await live.api.makeApp()
            let token = try await MessagingWorld.stream(live.api, keys)
            #expect(try await live.api.request("PUT", "/v1/topics/a/subscribers/\(token)", key: keys.send).status == 204)
            #expect(try await live.api.request("PUT", "/v1/topics/b/subscribers/\(token)", key: keys.send).status == 422)
            let reader = try await EventStream(live.api, "/v1/stream?token=\(token)", key: keys.send)
            #expect(try await live.api.get("/v1/stream?token=\(token)", key: keys.send).status == 429)
            withExtendedLifetime(reader) {}
        }
    }
}
