// SPDX-License-Identifier: Apache-2.0

import Alerts
import Delivery
import Messaging
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Crash alerts with texts that contain chat markup, as a chat's webhook receives them.
@Suite struct HostileAlertTests {
    private static let tokens = [
        "<!channel>", "<@U1>", "@everyone", "[Pay](https://evil.example)", "```x```", "&lt;!here&gt;", "<https://evil.example|Pay>",
    ]

    /// Tokens with a text before, inside and after them, as a JSON string.
    private static func quoted(_ text: String, around tokens: [String]) -> String {
        let whole = tokens.map { text + $0 + text + " " + $0.unicodeScalars.map { String($0) }.joined(separator: text) }.joined(separator: " ")
        return "\"" + whole.unicodeScalars.map { $0.value < 0x20 || $0 == "\"" || $0 == "\\" ? "\\u" + hex($0) : String($0) }.joined() + "\""
    }

    private static func hex(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Two crashes with texts of each kind, and one that misses the symbols of a binary.
    private static func crashes(with text: String) -> [SentCrash] {
        let first = SentCrash().with("type", json: quoted(text, around: [tokens[0]])).with("reason", json: quoted(text, around: tokens))
            .with("release", json: quoted(text, around: ["<!here>", "shop@prod"]))
        let second = SentCrash(in: "f()").with("type", json: quoted("", around: ["<@U1>"]))
            .with("reason", json: quoted(text, around: tokens.reversed()))
        let isPath = text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
        return [first, second, SymbolFixture.elf.crash(path: "/app/\(isPath ? text : "")<!channel>")]
    }

    /// Every text of a webhook's body that a chat may show, with its name.
    private static func texts(_ hook: Hook) throws -> [(name: String, text: String)] {
        let body = try JSON(hook.body)
        let (notification, data) = (body["data"]["notification"], body["data"]["data"])
        return [("text", body["text"].text), ("title", notification["title"].text), ("body", notification["body"].text)]
            + data.names.map { ("data.\($0)", data[$0].text) }
    }

    private static func problem(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        if let found = scalars.first(where: { "<>`@\n\r".unicodeScalars.contains($0) || $0.properties.isDefaultIgnorableCodePoint }) {
            return "U+" + String(found.value, radix: 16)
        }
        return ["](", "&lt", "&#"].first { text.holds($0) }
    }

    @Test func `titles, releases and binary names reach a chat without markup next to any scalar`() async throws {
        let sink = try WebhookSink()
        try await withDaemon(configure: { $0.delivery.destinations.addresses.allowed = AddressRange("127.0.0.0/8").map { [$0] } ?? [] }) { live in
            var alerts = 0
            for (number, text) in HostileText.texts.enumerated() {
                // An app publishes alerts for at most twenty new non-fatal issues in ten minutes, so each text has its own app.
                let keys = try await live.api.makeApp("app \(number)")
                let device = #"{"token": "chat-webhook", "platform": "server", "endpoint": {"type": "webhook", "url": "\#(sink.url("/chat"))"}}"#
                #expect(try await live.api.post("/v1/devices", key: keys.send, device).status == 201)
                let topic = try await live.api.request("PUT", "/v1/topics/%24alerts.crashes/subscribers/chat-webhook", key: keys.send)
                #expect(topic.status == 204)
                for crash in Self.crashes(with: text) {
                    let reply = try await live.api.post("/v1/crashes", key: keys.ingest, #"{"crashes": [\#(crash.json)]}"#)
                    #expect(try Taken(reply) == Taken(accepted: 1), "\(reply.text)")
                }
                alerts += 4
            }
            try await live.daemon.makeCrashAlerts().publishChanges()
            let expected = alerts
            #expect(try await eventually { Set(sink.hooks.map(\.id)).count == expected }, "\(sink.hooks.count)")
        }
        for hook in sink.hooks {
            for (name, text) in try Self.texts(hook) { #expect(Self.problem(text) == nil, "\(name) is \(text.debugDescription)") }
        }
        // The texts stay readable.
        let readable = try sink.hooks.map(Self.texts).filter { $0[0].text.contains("‹!channel›") }
        #expect(readable.contains { $0.contains { $0.name == "data.title" && $0.text.contains("‹!channel›") } }, "\(readable)")
        let all = try sink.hooks.flatMap(Self.texts)
        for part in ["＠everyone", "[Pay］(https://evil.example)", "'''x'''"] { #expect(all.contains { $0.text.contains(part) }, "\(part)") }
        #expect(all.contains { $0.name == "data.name" } && all.contains { $0.name == "data.release" })
    }
}
