// SPDX-License-Identifier: Apache-2.0

import Delivery
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Webhooks through the operator's proxy. Names that end in `.invalid` are never resolved by this machine.
@Suite struct DeliveryProxyTests {
    private static func register(_ live: LiveDaemon, _ keys: AppKeys, _ url: String) async throws -> String {
        let made = try await live.api.post(
            "/v1/devices", key: keys.send, #"{"platform": "server", "endpoint": {"type": "webhook", "url": "\#(url)"}}"#)
        #expect(made.status == 201)
        return try JSON(made)["token"].text
    }

    /// Sends a message and returns its delivery once it has ended.
    private static func delivery(_ live: LiveDaemon, _ keys: AppKeys, to token: String) async throws -> JSON {
        let id = try JSON(await live.api.post("/v1/messages", key: keys.send, #"{"token": "\#(token)", "data": {"a": "b"}}"#))["id"].text
        @Sendable func item() async throws -> JSON {
            try JSON(await live.api.get("/v1/deliveries?message=\(id)", key: keys.read))["items"][0]
        }
        #expect(try await eventually { try await ["delivered", "dead"].contains(item()["state"].text) })
        return try JSON(await live.api.get("/v1/deliveries/\(item()["id"].text)", key: keys.read))
    }

    @Test func `webhooks go through the proxy, whose password is nowhere`() async throws {
        let sink = try WebhookSink()
        let proxy = try ProxyServer(to: sink.port)
        try await withDaemon(configure: {
            $0.delivery.destinations.addresses.allowed = []
            $0.delivery.retries.waits = []
            $0.delivery.timeout = .seconds(10)
            $0.delivery.proxy = ProxyURL("http://signalbox:very-secret@127.0.0.1:\(proxy.port)")
        }) { live in
            let keys = try await live.api.makeApp()
            let token = try await Self.register(live, keys, "http://hooks.invalid/hook")
            #expect(try await Self.delivery(live, keys, to: token)["state"].text == "delivered")
            #expect(sink.hooks.count == 1 && sink.hooks[0].headers["webhook-signature"] != nil && sink.hooks[0].headers["proxy-authorization"] == nil)
            #expect(proxy.requests == ["POST http://hooks.invalid/hook"] && proxy.logins == ["signalbox:very-secret"])

            // Without the proxy the name is unknown; the delivery fails at once, or after its time without a name server.
            var changed = live.daemon.configuration.now
            let before = changed.delivery.proxy
            changed.delivery.proxy = nil
            Reload.apply(to: live.daemon.configuration, live.daemon.log) { [changed] in changed }
            let failed = try await Self.delivery(live, keys, to: token)
            #expect(failed["state"].text == "dead" && proxy.requests.count == 1)
            changed.delivery.proxy = before
            Reload.apply(to: live.daemon.configuration, live.daemon.log) { [changed] in changed }
            #expect(try await Self.delivery(live, keys, to: token)["state"].text == "delivered")

            proxy.refuse(true)
            let tunnel = try await Self.register(live, keys, "https://hooks.invalid/hook")
            let refused = try await Self.delivery(live, keys, to: tunnel)
            #expect(refused["state"].text == "dead" && refused["attempts"][0]["error"].text == "proxy_failed")
            #expect(live.log.text.contains("delivery.proxy"))
            for text in [live.log.text, refused.source, try await live.api.get("/metrics").text] { #expect(!text.contains("very-secret")) }
        }
    }

    @Test func `addresses that the policy forbids are not asked for`() async throws {
        let sink = try WebhookSink()
        let proxy = try ProxyServer(to: sink.port)
        try await withDaemon(configure: {
            $0.delivery.retries.waits = []
            $0.delivery.proxy = ProxyURL("http://127.0.0.1:\(proxy.port)")
        }) { live in
            let keys = try await live.api.makeApp()
            let token = try await Self.register(live, keys, "http://127.0.0.1:\(sink.port)/hook")
            #expect(try await Self.delivery(live, keys, to: token)["state"].text == "delivered" && proxy.requests.count == 1)
            var changed = live.daemon.configuration.now
            changed.delivery.destinations.addresses.allowed = []
            Reload.apply(to: live.daemon.configuration, live.daemon.log) { [changed] in changed }
            let blocked = try await Self.delivery(live, keys, to: token)
            #expect(blocked["attempts"][0]["error"].text == "blocked_address" && proxy.requests.count == 1)
        }
    }
}
