// SPDX-License-Identifier: Apache-2.0

import Delivery
import Messaging
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Addresses of webhooks that the operator's policy rejects, and its reload.
@Suite struct DeliveryAddressTests {
    private static func device(_ url: String) -> String {
        #"{"platform": "server", "endpoint": {"type": "webhook", "url": "\#(url)"}}"#
    }

    private static let rejected = [
        "http://10.0.0.7/", "https://192.168.1.1:8443/x", "http://127.0.0.1/", "http://[::1]/", "http://[::ffff:10.0.0.7]/",
        "http://169.254.169.254/a",
        "http://[fd00::1]/", "http://localhost/", "http://Hooks.LOCALHOST:8080/", "http://0.0.0.0/", "http://[64:ff9b::a00:7]/",
    ]

    @Test func `a private address is rejected at registration and change, for every key`() async throws {
        try await withDaemon(sends: false, configure: { $0.delivery.destinations.addresses.allowed = [] }) { live in
            let keys = try await live.api.makeApp()
            let settings = Array(#"{"client_webhooks": true}"#.utf8)
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: settings).status == 200)
            let stream = try await MessagingWorld.stream(live.api, keys)
            for url in Self.rejected {
                for key in [keys.ingest, keys.send, keys.admin] {
                    let reply = try await live.api.post("/v1/devices", key: key, Self.device(url))
                    #expect(try Wrong(reply) == Wrong(422, "endpoint.url", "address_not_allowed"), "\(url)")
                }
                let change = try await live.api.request("PUT", "/v1/devices/\(stream)", key: keys.send, body: Array(Self.device(url).utf8))
                #expect(try Wrong(change) == Wrong(422, "endpoint.url", "address_not_allowed"), "\(url)")
            }
            var ports = live.daemon.configuration.now
            ports.delivery.destinations.ports = [443]
            Reload.apply(to: live.daemon.configuration, live.daemon.log) { [ports] in ports }
            for url in ["https://hooks.example:8443/", "http://hooks.example/"] {
                let reply = try await live.api.post("/v1/devices", key: keys.send, Self.device(url))
                #expect(try Wrong(reply) == Wrong(422, "endpoint.url", "port_not_allowed"), "\(url)")
            }
            #expect(try await live.api.post("/v1/devices", key: keys.send, Self.device("https://hooks.example:443/")).status == 201)
            ports.delivery.destinations.ports = []
            Reload.apply(to: live.daemon.configuration, live.daemon.log) { [ports] in ports }
            for url in ["https://93.184.216.34/", "http://[2606:2800:220:1::1]/", "https://hooks.example/", "http://localhost.example/"] {
                #expect(try await live.api.post("/v1/devices", key: keys.send, Self.device(url)).status == 201, "\(url)")
            }
        }
    }

    @Test func `a reload applies allowed addresses and retries, and the log says so`() async throws {
        let sink = try WebhookSink { _ in .status(500) }
        try await withDaemon(configure: { $0.delivery.destinations.addresses.allowed = [] }) { live in
            let keys = try await live.api.makeApp()
            let device = Self.device("http://127.0.0.1:\(sink.port)/hook")
            #expect(try await live.api.post("/v1/devices", key: keys.send, device).status == 422)
            var changed = live.daemon.configuration.now
            changed.delivery.destinations.addresses.allowed = ["127.0.0.0/8"].compactMap(AddressRange.init)
            changed.delivery.retries.waits = []
            changed.delivery.threads = 7
            Reload.apply(to: live.daemon.configuration, live.daemon.log) { changed }
            #expect(live.log.text.contains("delivery.retries") && live.log.text.contains("delivery.allowed_addresses"))
            #expect(live.log.text.contains("delivery.threads"))

            let made = try await live.api.post("/v1/devices", key: keys.send, device)
            #expect(made.status == 201)
            let token = try JSON(made)["token"].text
            let sent = try await live.api.post("/v1/messages", key: keys.send, #"{"token": "\#(token)", "data": {"a": "b"}}"#)
            let id = try JSON(sent)["id"].text
            // Without retries the first failure is the last.
            #expect(try await eventually { try await Self.states(live, keys, id) == ["dead"] })
        }
    }

    private static func states(_ live: LiveDaemon, _ keys: AppKeys, _ message: String) async throws -> [String] {
        try JSON(await live.api.get("/v1/deliveries?message=\(message)", key: keys.read))["items"].items.map(\.["state"].text)
    }

    @Test func `deliveries filter by device, by its token or its number`() async throws {
        try await MessagingWorld.use { world in
            let (first, second) = (try await world.webhook("a"), try await world.webhook("b"))
            for token in [first, second] { try await world.join(token, "news") }
            for target in [#""topic": "news""#, #""token": "\#(first)""#] {
                let id = try JSON(await world.post("/v1/messages", #"{\#(target), "data": {"a": "b"}}"#))["id"].text
                _ = try await MessagingWorld.deliveries(world.api, world.ours, of: id)
            }
            func found(_ query: String, as key: String? = nil) async throws -> [String] {
                try await world.get("/v1/deliveries?" + query, as: key)["items"].items.map(\.["id"].text)
            }
            let mine = try await found("device=\(first)")
            #expect(mine.count == 2)
            let number = try #require(mine[0].split(separator: "_").last.map(String.init))
            #expect(mine.allSatisfy { $0.hasSuffix("_" + number) })
            #expect(try await found("device=\(number)", as: world.ours.read) == mine)
            #expect(try await found("device=\(number)&state=pending") == mine)
            #expect(try await found("device=\(number)&state=dead").isEmpty)
            let page = try await world.get("/v1/deliveries?device=\(number)&limit=1")
            #expect(page["items"][0]["id"].text == mine[0])
            #expect(try await found("device=\(number)&limit=1&after=\(page["next"].text)") == [mine[1]])
            #expect(try await found("device=\(second)&message=\(mine[0].split(separator: "_").dropLast().joined(separator: "_"))").isEmpty)

            #expect(try await world.delete("/v1/devices/\(first)").status == 204)
            #expect(try await found("device=\(number)&state=removed") == mine)
            #expect(try await world.api.get("/v1/deliveries?device=\(first)", key: world.ours.send).status == 404)
            #expect(try await world.api.get("/v1/deliveries?device=\(second)", key: world.theirs.send).status == 404)
            #expect(try await world.get("/v1/deliveries?device=\(number)", as: world.theirs.send)["items"].items.isEmpty)
        }
    }
}
