// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Clients and webhook servers that disconnect midway.
@Suite struct NetworkFaultTests {
    @Test func `requests of disconnected clients are stored at most once, and their connections are closed`() async throws {
        let folder = TemporaryFolder()
        let child = try await DaemonProcess.start(in: folder.path)
        let keys = try await child.api.makeApp()
        func bytes(_ number: Int) -> [UInt8] {
            let filler = String(repeating: "x", count: 1_000)
            let events = (0..<20).map { #"{"id": "\#(number)-\#($0)", "name": "a", "params": {"p": "\#(filler)"}}"# }
            return TestClient.bytes("POST", "/v1/events", key: keys.ingest, body: Array("[\(events.joined(separator: ","))]".utf8))
        }
        for number in 0..<40 {
            let left = try child.api.connect()
            try await left.send(bytes(number))
        }
        for number in 0..<40 {
            let connection = try child.api.connect()
            try await connection.send(bytes(number))
            let taken = try Taken(await connection.reply())
            #expect(taken.accepted + taken.duplicates == 20)
        }
        for _ in 0..<20 {
            let left = try child.api.connect()
            try await left.send(TestClient.bytes("GET", "/v1/export", key: keys.read))
        }
        #expect(try await eventually { try await child.api.get("/metrics").text.contains("\nsignalbox_connections 1\n") })
        // Their exports hold slots until the next write fails.
        #expect(try await eventually { try await child.api.get("/v1/export", key: keys.read).body.count { $0 == 0x0a } == 800 })
        #expect(await child.stop() == 0)
        #expect(try Recount(of: folder.path).problems == [])
    }

    @Test func `a webhook server that hangs, resets, truncates and drips receives the message under one ID`() async throws {
        let sink = try WebhookSink { hook in
            switch hook.number {
            case 1: .silent
            case 2: .resets
            case 3: .answers("HTTP/1.1 200 Fine\r\nContent-Le")
            case 4: .drips("HTTP/1.1 200 Fine\r\nX-Slow: ")
            default: .status(200)
            }
        }
        let folder = TemporaryFolder()
        let environment = [
            "INGESTD_DELIVERY_ALLOWED_ADDRESSES": "127.0.0.0/8", "INGESTD_DELIVERY_RETRIES": "50ms,50ms,50ms,50ms,50ms",
            "INGESTD_DELIVERY_TIMEOUT": "1s",
        ]
        let child = try await DaemonProcess.start(in: folder.path, environment: environment)
        let keys = try await child.api.makeApp()
        let device = #"{"platform": "server", "endpoint": {"type": "webhook", "url": "\#(sink.url("/hook"))"}}"#
        let token = try JSON(await child.api.post("/v1/devices", key: keys.send, device))["token"].text
        let message = try JSON(await child.api.post("/v1/messages", key: keys.send, #"{"token": "\#(token)", "data": {"a": "b"}}"#))["id"].text
        let isDelivered = try await eventually(within: .seconds(40)) {
            try JSON(await child.api.get("/v1/messages/\(message)", key: keys.read))["counts"]["delivered"].number == 1
        }
        #expect(isDelivered, "\(sink.hooks.count) attempts")
        #expect(sink.hooks.count == 5 && Set(sink.hooks.map(\.id)).count == 1)
        #expect(await child.stop() == 0)
    }
}
