// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import Alerts
import Foundation
import HTTPClient
import MessageStore
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Messages as they are delivered, and the export of a person to whom they went, against their types in the module API.
extension StreamedBodyTests {
    private static let messages = [
        #"""
        {"topic": "news", "notification": {"title": "a", "body": "b"}, "data": {"k": "v"}, "platform": {"apns": {"x": 1}}, "collapse_key": "k",
         "label": "l"}
        """#,
        #"{"condition": "'news' in topics", "data": {"k": "v"}}"#,
        #"{"user": "ann", "data": {"k": "v"}}"#,
    ]

    /// A receiver that proves itself, accepts what is sent to `/accepts` and rejects the rest.
    private static func receiver() throws -> WebhookSink {
        try WebhookSink { hook in
            if let challenge = hook.query("hub.challenge") { return .status(200, body: challenge) }
            return hook.path == "/accepts" ? .status(200) : .status(500, body: "broken")
        }
    }

    private static func withMessages(_ body: (RunningDaemon, WebhookSink) async throws -> Void) async throws {
        let sink = try receiver()
        try await RunningDaemon.use(configure: { $0.mode = .development }) { daemon in
            for name in ["accepts", "rejects"] {
                let device = #"""
                    {"token": "\#(name)-0001", "platform": "ios", "installation_id": "i", "user_id": "ann", "app_version": "1",
                     "endpoint": {"type": "webhook", "url": "\#(sink.url("/" + name))"}}
                    """#
                #expect(try await daemon.send("POST", "/v1/devices", as: .send, Array(device.utf8)).status == 201)
                for topic in ["news", "%24alerts.crashes"] {
                    #expect(try await daemon.send("PUT", "/v1/topics/\(topic)/subscribers/\(name)-0001", as: .send, []).status == 204)
                }
            }
            for message in messages { #expect(try await daemon.send("POST", "/v1/messages", as: .send, Array(message.utf8)).status == 200) }
            try await body(daemon, sink)
        }
    }

    @Test func `the body of each delivery has the members of its type`() async throws {
        try await Self.withMessages { daemon, sink in
            #expect(try await daemon.send("POST", "/v1/crashes", as: .ingest, Array(#"[{"type": "Boom"}]"#.utf8)).status == 200)
            try await daemon.daemon.makeCrashAlerts().publishChanges()
            #expect(try await eventually { sink.posts.count == 4 })
            var bodies = StrictBodies()
            for hook in sink.posts {
                #expect(hook.headers["webhook-signature"]?.hasPrefix("v1,") == true)
                try bodies.read(hook.body, as: DeliveredMessage.self, embedded: ["notification", "platform"])
            }
            #expect(bodies.unseen == ["DeliveredMessage.cursor"])
        }
    }

    @Test func `the events of a stream and the lines of a poll have the members of their types`() async throws {
        try await RunningDaemon.use(configure: { $0.store.messages.pendingOfStream = 3 }) { daemon in
            let device = #"{"token": "phone-0001", "platform": "ios", "user_id": "ann", "endpoint": {"type": "stream"}}"#
            #expect(try await daemon.send("POST", "/v1/devices", as: .send, Array(device.utf8)).status == 201)
            #expect(try await daemon.send("PUT", "/v1/topics/news/subscribers/phone-0001", as: .send, []).status == 204)
            let expired = Array(repeating: #"{"topic": "news", "data": {"k": "v"}}"#, count: 3)
            for message in expired + Self.messages {
                #expect(try await daemon.send("POST", "/v1/messages", as: .send, Array(message.utf8)).status == 200)
            }
            #expect(try await eventually { try JSON(await daemon.get("/v1/deliveries", as: .read).body)["items"].items.count == 6 })
            let stream = try await EventStream(daemon.api, "/v1/stream?token=phone-0001", key: daemon.key(.ingest))
            let events = try await stream.next(4)
            #expect(events.map(\.event) == ["gap", "message", "message", "message"])
            let unseen = try Self.read(events.map { Array($0.data.utf8) })
            #expect(unseen == ["StreamGapResponse.cursor", "StreamGapResponse.type", "DeliveredMessage.cursor", "DeliveredMessage.text"])
            let lines = try await daemon.get("/v1/stream?token=phone-0001&poll=1", as: .ingest).body.split(separator: UInt8(ascii: "\n"))
            #expect(try Self.read(lines.map(Array.init)) == ["DeliveredMessage.text"])
        }
    }

    /// Reads a gap and the messages behind it. Returns the members that none of them had.
    private static func read(_ stream: [[UInt8]]) throws -> Set<String> {
        var bodies = StrictBodies()
        for (index, body) in stream.enumerated() {
            try bodies.read(body, as: index == 0 ? StreamGapResponse.self : DeliveredMessage.self, embedded: ["notification", "platform"])
        }
        return bodies.unseen
    }

    @Test func `the export of a person has the members of its type`() async throws {
        try await Self.withMessages { daemon, _ in
            try await Self.postPerson(daemon)
            let areTried = try await eventually {
                let items = try JSON(await daemon.get("/v1/deliveries", as: .read).body)["items"].items
                return items.count == 6 && items.allSatisfy { !$0["attempts"].items.isEmpty }
            }
            #expect(areTried)
            var bodies = StrictBodies()
            for path in ["ann/export", "i/export?by=installation"] {
                try bodies.read(await daemon.get("/v1/users/\(path)", as: .admin).body, as: PersonExport.self)
            }
            // Only of a device or of a crash alone, and of a user with an account, documents or files.
            #expect(
                bodies.unseen == [
                    "DeviceResponse.topics", "DeviceResponse.secret", "CrashResponse.before", "PersonExport.Lists.accounts",
                    "PersonExport.Lists.accountMails", "PersonExport.Lists.accountEvents", "PersonExport.Lists.documents",
                    "PersonExport.Lists.runs", "PersonExport.Lists.functionLogs", "PersonExport.Lists.files",
                ])
        }
    }

    /// The fields of a report that the other one lacks.
    private static let other = #"""
        {"id": "c-2", "type": "E", "handled": true, "user_id": "ann", "installation_id": "i", "logs": "\#(String(repeating: "l", count: 64_001))",
         "frames": [{"function": "f", "raw_function": "_f", "context_line": "f()", "instruction_addr": "0x20", "image_addr": "0x10"}],
         "images": [{"type": "elf", "debug_file": "Shop.debug"}], "breadcrumbs": [{"type": "navigation", "message": "tap"}]}
        """#

    private static func postPerson(_ daemon: RunningDaemon) async throws {
        #expect(try await daemon.send("POST", "/v1/events", as: .ingest, Array(events.utf8)).status == 200)
        let person = #"{"users": [{"user_id": "ann", "installation_id": "i", "alias": true, "properties": {"tier": "gold"}}]}"#
        #expect(try await daemon.send("POST", "/v1/users", as: .ingest, Array(person.utf8)).status == 200)
        #expect(try await daemon.send("POST", "/v1/crashes", as: .ingest, Array("[\(ResponseTests.whole),\(other)]".utf8)).status == 200)
        let file = [UInt8](try Data(contentsOf: ResponseTests.fixtures.appendingPathComponent("symbols/Probe.elf")))
        #expect(try await daemon.send("PUT", "/v1/symbols/\(ResponseTests.elf)", as: .admin, file).status == 201)
        let isReadable = try await eventually {
            try JSON(await daemon.get("/v1/users/ann/export", as: .admin).body)["crashes"].items.allSatisfy { $0["symbols"].text == "complete" }
        }
        #expect(isReadable)
        // A file that is stored, and one that is not.
        let large = String(repeating: "l", count: (4 << 20) + 1)
        let envelope = ["a", large].reduce("{}\n{\"type\":\"event\"}\n{\"message\":\"m\",\"user\":{\"id\":\"ann\"}}\n") {
            $0 + "{\"type\":\"attachment\",\"length\":\($1.utf8.count),\"filename\":\"f\",\"content_type\":\"text/plain\"}\n\($1)\n"
        }
        let dump = "{\"type\":\"attachment\",\"length\":4,\"attachment_type\":\"event.minidump\"}\nMDMP\n"
        #expect(try await daemon.send("POST", "/api/1/envelope/", as: .ingest, Array((envelope + dump).utf8)).status == 200)
    }
}

extension WebhookSink {
    fileprivate var posts: [Hook] { hooks(to: "/accepts").filter { $0.method == "POST" } }
}
