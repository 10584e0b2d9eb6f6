// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Messages on a person's page and in the export.
@Suite struct PersonMessageTests {
    /// Ann's events, crashes and messages alternately, a second apart. The messages go to her phone, a shared tablet and both.
    private static func withAnn(_ body: @Sendable (TestClient, AppKeys) async throws -> Void) async throws {
        let clock = ManualClock(PersonWorld.start)
        try await withDaemon(clock: clock.clock, sends: false) { live in
            let (api, keys) = (live.api, try await live.api.makeApp())
            for (token, who) in [
                ("anns-phone-1", #""installation_id": "phone", "user_id": "ann""#), ("anns-tablet-1", #""installation_id": "tablet""#),
                ("bobs-tablet-1", #""installation_id": "tablet", "user_id": "bob""#), ("stranger-1", #""installation_id": "other""#),
            ] {
                let device = #"{"token": "\#(token)", "platform": "ios", "endpoint": {"type": "stream"}, \#(who)}"#
                // A send key would renew the tablet's registration.
                #expect(try await api.post("/v1/devices", key: keys.ingest, device).status == 201)
            }
            let who = #""user_id": "ann", "installation_id": "tablet""#
            for number in 0..<3 {
                let crash = #"{"id": "crash-\#(number)", "timestamp": "\#(clock.now.rfc3339)", "type": "Boom", "frames": [], \#(who)}"#
                #expect(try await api.post("/v1/crashes", key: keys.ingest, #"{"crashes": [\#(crash)]}"#).status == 200)
                clock.advance(by: .seconds(1))
                #expect(try await api.post("/v1/events", key: keys.ingest, #"[{"id": "event-\#(number)", "name": "here", \#(who)}]"#).status == 200)
                clock.advance(by: .seconds(1))
                let tokens = [["anns-phone-1"], ["anns-tablet-1"], ["anns-phone-1", "anns-tablet-1"]][number] + ["bobs-tablet-1", "stranger-1"]
                try await send(api, keys, "message-\(number)", to: tokens)
                clock.advance(by: .seconds(1))
            }
            try await body(api, keys)
        }
    }

    private static func send(_ api: TestClient, _ keys: AppKeys, _ title: String, to tokens: [String]) async throws {
        let list = tokens.map { #""\#($0)""# }.joined(separator: ",")
        let body = #"{"tokens": [\#(list)], "notification": {"title": "\#(title)"}, "data": {"k": "v"}, "label": "autumn"}"#
        let id = try JSON(await api.post("/v1/messages", key: keys.send, body))["id"].text
        #expect(try await MessagingWorld.deliveries(api, keys, of: id).count == tokens.count)
    }

    private static func name(_ item: JSON) -> String {
        item["message"].exists ? item["notification"]["title"].text : item["id"].text
    }

    @Test(arguments: [1, 2, 3, 5, 100]) func `a person's page has messages among events and crashes, each once`(limit: Int) async throws {
        try await Self.withAnn { api, keys in
            var (found, after): ([JSON], String) = ([], "")
            repeat {
                let page = try JSON(await api.get("/v1/users/ann?limit=\(limit)\(after)", key: keys.read))
                #expect(page["items"].items.count <= limit)
                found += page["items"].items
                after = page["next"].exists ? "&after=\(page["next"].text)" : ""
            } while !after.isEmpty
            let wanted = [
                "message-2", "message-2", "event-2", "crash-2", "message-1", "event-1", "crash-1", "message-0", "event-0", "crash-0",
            ]
            #expect(found.map(Self.name) == wanted)
            #expect(Set(found.map(\.["id"].text)).count == 10)
            #expect(try await api.get("/v1/users/ann?after=7.7", key: keys.read).status == 422)
        }
    }

    @Test func `a message has its time, device and delivery state`() async throws {
        try await Self.withAnn { api, keys in
            let newest = try JSON(await api.get("/v1/users/phone?by=installation&limit=1", key: keys.read))["items"][0]
            #expect(newest.names == ["changed_at", "id", "label", "message", "notification", "state", "timestamp", "token"])
            #expect(newest["state"].text == "pending" && newest["token"].text == "an…-1" && newest["label"].text == "autumn")
            #expect(newest["timestamp"].text == (PersonWorld.start + .seconds(8)).rfc3339)
            // All devices of an installation, whatever their user.
            let tablet = try JSON(await api.get("/v1/users/tablet?by=installation", key: keys.admin))
            #expect(
                tablet["items"].items.filter(\.["message"].exists).map(\.["token"].text).sorted() == [
                    "anns-tablet-1", "anns-tablet-1", "bobs-tablet-1", "bobs-tablet-1", "bobs-tablet-1",
                ])
            // The message stays on the page after it was read.
            let lines = try await api.get("/v1/stream?token=anns-phone-1&poll=1", key: keys.ingest).text.split(separator: "\n")
            let cursor = try JSON(Array(try #require(lines.last).utf8))["cursor"].text
            #expect(try await api.post("/v1/stream/ack", key: keys.ingest, #"{"token": "anns-phone-1", "cursor": "\#(cursor)"}"#).status == 204)
            let read = try JSON(await api.get("/v1/users/ann", key: keys.read))["items"].items.filter(\.["message"].exists)
            #expect(read.map(\.["state"].text).sorted() == ["delivered", "delivered", "pending", "pending"])
        }
    }

    @Test func `a person's export has the deliveries that an erasure removes`() async throws {
        try await Self.withAnn { api, keys in
            for (who, count) in [("ann", 4), ("phone?by=installation", 2), ("tablet?by=installation", 5)] {
                let parts = who.split(separator: "?").map(String.init)
                let query = parts.dropFirst().first.map { "?\($0)" } ?? ""
                let whole = try JSON(await api.get("/v1/users/\(parts[0])/export\(query)", key: keys.admin))["deliveries"].items
                let dry = query.isEmpty ? "?dry_run=true" : query + "&dry_run=true"
                let report = try JSON(await api.request("DELETE", "/v1/users/\(parts[0])\(dry)", key: keys.admin))
                #expect(report["deliveries"].number == count, "\(who)")
                #expect(whole.count == count, "\(who)")
                #expect(whole.allSatisfy { $0["data"]["k"].text == "v" && $0["attempts"].items.isEmpty && !$0["token"].text.contains("…") })
            }
        }
    }
}
