// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore
@testable import ingestd

/// Streams and polls of devices without a webhook.
@Suite struct StreamTests {
    private static let device = #"{"platform": "ios", "endpoint": {"type": "stream"}}"#

    /// Registers a device in the topic `news`.
    private func register(_ api: TestClient, _ keys: AppKeys) async throws -> String {
        let made = try await api.post("/v1/devices", key: keys.ingest, Self.device)
        let token = try JSON(made)["token"].text
        let joined = try await api.request("PUT", "/v1/topics/news/subscribers/\(token)", key: keys.ingest)
        #expect(made.status == 201 && joined.status / 100 == 2)
        return token
    }

    private func publish(_ live: LiveDaemon, _ number: Int) async throws {
        let app = try #require(live.daemon.store.events.directory.now.apps.keys.min())
        var publication = Publication(MessageDraft(to: .topic(try TopicName("news"))))
        publication.data = Array(#"{"n":"\#(number)"}"#.utf8)
        _ = try await live.daemon.store.messages.publish(app: app, publication)
    }

    @Test func `pending messages are repeated until they are acknowledged`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let token = try await register(live.api, keys)
            for number in 1...3 { try await publish(live, number) }
            let target = "/v1/stream?token=\(token)&poll=1"
            var lines: [JSON] = []
            while lines.count < 3 {
                lines = try await live.api.get(target, key: keys.ingest).text.split(separator: "\n").map { try JSON(Array($0.utf8)) }
            }
            #expect(lines.map { $0["data"]["data"]["n"].text } == ["1", "2", "3"] && lines[0]["type"].text == "message")
            #expect(lines[0]["data"]["token"].text == token && lines[0]["data"]["topic"].text == "news")
            let again = try await live.api.get(target + "&since=\(lines[1]["cursor"].text)", key: keys.ingest)
            #expect(again.text.split(separator: "\n").count == 1)
            let read = try await live.api.post(
                "/v1/stream/ack", key: keys.ingest, #"{"token": "\#(token)", "cursor": "\#(lines[2]["cursor"].text)"}"#)
            #expect(read.status == 204)
            #expect(try await live.api.get(target, key: keys.ingest).text.isEmpty)
        }
    }

    @Test func `a message arrives on an open stream at once, and again after reconnecting without an acknowledgement`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let token = try await register(live.api, keys)
            try await publish(live, 1)
            let stream = try await EventStream(live.api, "/v1/stream?token=\(token)", key: keys.ingest)
            let first = try #require(try await stream.next())
            try await publish(live, 2)
            let second = try #require(try await stream.next())
            #expect(first.event == "message" && first.data.contains(#""n":"1""#) && second.data.contains(#""n":"2""#))
            let other = try await EventStream(
                live.api, "/v1/stream?token=\(token)", key: keys.ingest, headers: ["Last-Event-ID": try #require(first.id)])
            #expect(try await other.next()?.id == second.id)
        }
    }

    @Test func `a reader that was away gets a gap with the number of expired messages`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let token = try await register(live.api, keys)
            for number in 1...103 { try await publish(live, number) }
            let target = "/v1/stream?token=\(token)&poll=1"
            // All deliveries exist once the last one is pending.
            while try await live.api.get("/v1/topics/news", key: keys.read).status == 200 {
                let counts = try await live.daemon.store.messages.list(app: .init(rawValue: 1), before: .max, limit: 1)[0].counts
                if counts[.pending] == 1 { break }
            }
            let lines = try await live.api.get(target, key: keys.ingest).text.split(separator: "\n").map { try JSON(Array($0.utf8)) }
            #expect(lines.count == 101 && lines[0]["type"].text == "gap" && lines[0]["missed"].number == 3)
            #expect(lines[1]["data"]["data"]["n"].text == "4")
            #expect(try await live.api.get(target, key: keys.ingest).text.split(separator: "\n").count == 101)
            #expect(try await live.api.get(target + "&since=\(lines[0]["cursor"].text)", key: keys.ingest).text.split(separator: "\n").count == 100)
        }
    }

    @Test func `a poll is limited in size, and a stream returns everything`() async throws {
        try await withDaemon(configure: { $0.store.messages.pendingOfStream = 1_000 }) { live in
            let keys = try await live.api.makeApp()
            let token = try await register(live.api, keys)
            // About 7 MB.
            var publication = Publication(MessageDraft(to: .topic(try TopicName("news"))))
            publication.platform = Array(#"{"a":"\#(String(repeating: "x", count: 12_000))"}"#.utf8)
            try await live.daemon.store.messages.change { [publication] context in
                for _ in 1...600 { _ = try context.publish(app: .init(rawValue: 1), publication) }
                while try context.spread() {}
            }
            let target = "/v1/stream?token=\(token)&poll=1"
            let first = try await live.api.get(target, key: keys.ingest)
            let lines = first.text.split(separator: "\n")
            #expect((4 << 20..<6 << 20).contains(first.body.count) && lines.count < 600)
            let last = try JSON(Array(try #require(lines.last).utf8))["cursor"].text
            let rest = try await live.api.get(target + "&since=\(last)", key: keys.ingest).text.split(separator: "\n")
            #expect(lines.count + rest.count == 600)
            let stream = try await EventStream(live.api, "/v1/stream?token=\(token)", key: keys.ingest)
            #expect(try await stream.next(rest.count).count == rest.count)
            try await publish(live, 601)
            #expect(try await stream.next()?.data.contains(#""n":"601""#) == true)
        }
    }

    @Test func `a message that expired meanwhile is not streamed`() async throws {
        let clock = ManualClock(WallClock.system.now())
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            let token = try await register(live.api, keys)
            let stream = try await EventStream(live.api, "/v1/stream?token=\(token)", key: keys.ingest)
            #expect(try await stream.nextOfAny()?.isComment == true)
            try await live.daemon.store.messages.change { context in
                var publication = Publication(MessageDraft(to: .topic(try TopicName("news"))))
                publication.draft.ttl = .seconds(1)
                _ = try context.publish(app: .init(rawValue: 1), publication)
                clock.advance(by: .seconds(1))
            }
            try await publish(live, 2)
            #expect(try await stream.next()?.data.contains(#""n":"2""#) == true)
        }
    }

    @Test func `HEAD requests and closed streams hold no slot`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let token = try await register(live.api, keys)
            for _ in 1...6 {
                #expect(try await live.api.request("HEAD", "/v1/stream?token=\(token)", key: keys.ingest).status == 200)
                #expect(try await live.api.request("HEAD", "/v1/tail", key: keys.read).status == 200)
            }
            let end = ContinuousClock.now + .seconds(20)
            while live.daemon.store.messages.streams.count > 0, ContinuousClock.now < end { await Task.yield() }
            #expect(live.daemon.store.messages.streams.count == 0)
            // A fifth stream of a device ends its oldest one.
            var streams: [EventStream] = []
            for _ in 1...5 { streams.append(try await EventStream(live.api, "/v1/stream?token=\(token)", key: keys.ingest)) }
            #expect(try await streams[0].next() == nil)
            try await publish(live, 1)
            #expect(try await streams[4].next()?.event == "message")
        }
    }

    @Test func `revoking the key ends its stream`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let token = try await register(live.api, keys)
            let made = try JSON(try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", #"{"role": "ingest", "label": "lent"}"#))
            let stream = try await EventStream(live.api, "/v1/stream?token=\(token)", key: made["key"].text)
            try await publish(live, 1)
            #expect(try await stream.next()?.event == "message")
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/\(keys.app)/keys/\(made["id"].number)").status == 204)
            try await publish(live, 2)
            #expect(try await stream.next() == nil)
        }
    }

    @Test func `another app's token, a read key or a webhook cannot be streamed`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let others = try await live.api.makeApp("other")
            let token = try await register(live.api, keys)
            for target in ["/v1/stream?token=\(token)", "/v1/stream?token=\(token)&poll=1"] {
                #expect(try await live.api.get(target, key: others.ingest).status == 404)
                #expect(try await live.api.get(target, key: keys.read).status == 403)
            }
            #expect(try await live.api.get("/v1/stream", key: keys.ingest).status == 422)
            let lost = try await live.api.get("/v1/stream?token=\(token)&since=x&poll=1", key: keys.ingest)
            #expect(lost.status == 422 && lost.text.contains("since must be the ID of an earlier item of this stream"))
            let hook = #"{"platform": "server", "endpoint": {"type": "webhook", "url": "https://example.com/hook"}}"#
            let webhook = try JSON(try await live.api.post("/v1/devices", key: keys.send, hook))["token"].text
            #expect(try await live.api.get("/v1/stream?token=\(webhook)&poll=1", key: keys.send).status == 409)
            #expect(try await live.api.post("/v1/stream/ack", key: others.send, #"{"token": "\#(token)", "cursor": "1"}"#).status == 404)
        }
    }
}
