// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// The message panes in a pseudo terminal with a running daemon.
struct LiveMessageTests {
    /// A stream device, a webhook device without a server, and a message to both.
    private static func sent() async throws -> DevelopmentDaemon {
        let running = try await DevelopmentDaemon()
        let (api, key) = (running.process.api, running.keys.text("send"))
        for endpoint in [#"{"type": "stream"}"#, #"{"type": "webhook", "url": "http://127.0.0.1:1/hook"}"#] {
            let device = try await api.post("/v1/devices", key: key, #"{"platform": "server", "endpoint": \#(endpoint)}"#)
            #expect(device.status == 201, "\(device.text)")
            let token = try JSONValue(Array(device.text.utf8)).text("token")
            let joined = try await api.post("/v1/devices/\(token)/topics", key: key, #"{"subscribe": ["news"]}"#)
            #expect(joined.status == 200, "\(joined.text)")
        }
        let message = try await api.post("/v1/messages", key: key, #"{"topic": "news", "notification": {"title": "It rains"}, "label": "autumn"}"#)
        #expect(message.status == 200, "\(message.text)")
        return running
    }

    @Test func `topics, messages and deliveries are shown, and a delivery is retried`() async throws {
        let running = try await Self.sent()
        let screen = try LiveScreen(running, as: "send")
        for (keys, text) in [
            ("0", "news"), ("\r", "http://127.0.0.1:1"), ("0\t", "autumn"), ("\r", "It rains"), ("\t", "retrying"), ("R", "Sure?"),
            ("y", "Retrying"), ("0\u{7f}T", "The title"), ("Is it there?\r", "to 2 devices of the topic news"),
            ("y", "Sent to 2 devices."),
        ] {
            try screen.see(text, after: keys)
        }
        await screen.leave()
        #expect(await running.process.stop() == 0)
    }

    @Test func `a read key cannot retry a delivery`() async throws {
        let running = try await Self.sent()
        let screen = try LiveScreen(running, as: "read")
        for (keys, text) in [("0\t", "autumn"), ("R", "cannot send messages")] {
            try screen.see(text, after: keys)
        }
        await screen.leave()
        #expect(await running.process.stop() == 0)
    }
}
