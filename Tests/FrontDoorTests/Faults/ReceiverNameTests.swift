// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A webhook host whose address changes. The shim replaces the resolver only, so that libcurl's DNS cache and connections and
/// the daemon's address check are tested as they are.
@Suite struct ReceiverNameTests {
    /// Longer than the DNS cache keeps an address.
    private static let aWhile = Duration.seconds(61)

    @Test func `a changed address is followed, and a private one is blocked`() async throws {
        // Kept connections would be used for ten more minutes.
        let answer = WebhookSink.Manner.status(200, "Connection: close")
        let before = try WebhookSink { _ in answer }
        let after = try WebhookSink(host: 2, port: before.port) { _ in answer }
        let inside = try WebhookSink(host: 3, port: before.port) { _ in answer }
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        let settings = ["INGESTD_DELIVERY_ALLOWED_ADDRESSES": "127.0.0.1,127.0.0.2", "INGESTD_DELIVERY_RETRIES": "1h"]
        try shim.setHost("receiver.example", to: "127.0.0.1")
        let child = try await DaemonProcess.start(in: folder.path, environment: shim.environment.merging(settings) { $1 })
        let keys = try await child.api.makeApp()
        let device = #"{"platform": "server", "endpoint": {"type": "webhook", "url": "http://receiver.example:\#(before.port)/hook"}}"#
        let token = try JSON(await child.api.post("/v1/devices", key: keys.send, device))["token"].text

        #expect(try await Self.outcome(child.api, keys, token) == "delivered" && before.hooks.count == 1)

        try shim.setHost("receiver.example", to: "127.0.0.2")
        shim.setAsleep(Self.aWhile)
        #expect(try await Self.outcome(child.api, keys, token) == "delivered" && after.hooks.count == 1)

        try shim.setHost("receiver.example", to: "127.0.0.3")
        shim.setAsleep(Self.aWhile * 2)
        #expect(try await Self.outcome(child.api, keys, token) == "blocked_address" && inside.hooks.isEmpty)

        try shim.setHost("receiver.example", to: "127.0.0.1")
        shim.setAsleep(Self.aWhile * 3)
        #expect(try await Self.outcome(child.api, keys, token) == "delivered" && before.hooks.count == 2 && after.hooks.count == 1)
        #expect(await child.stop() == 0)
    }

    /// Sends a message and returns `delivered` or the attempt's error.
    private static func outcome(_ api: TestClient, _ keys: AppKeys, _ token: String) async throws -> String {
        let message = try JSON(await api.post("/v1/messages", key: keys.send, #"{"token": "\#(token)", "data": {"a": "b"}}"#))["id"].text
        @Sendable func delivery() async throws -> JSON {
            try JSON(await api.get("/v1/deliveries?message=\(message)", key: keys.read))["items"][0]
        }
        #expect(try await eventually { try await ["delivered", "retrying", "dead"].contains(delivery()["state"].text) })
        let found = try await delivery()
        if found["state"].text == "delivered" { return "delivered" }
        return try JSON(await api.get("/v1/deliveries/\(found["id"].text)", key: keys.read))["attempts"][0]["error"].text
    }
}
