// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HTTPServer
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

@Suite struct PressureTests {
    @Test func `a request above a key's rate is rejected as a whole with Retry-After`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_790_000_000_000))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"events_per_minute": 10}"#.utf8)).status == 200)
            func send(_ count: Int, _ path: String = "/v1/events") async throws -> Reply {
                try await live.api.post(path, key: keys.ingest, "[" + Array(repeating: #"{"name":"a"}"#, count: count).joined(separator: ",") + "]")
            }
            #expect(try Taken(await send(8)) == Taken(accepted: 8))
            let refused = try await send(3)
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "6")
            #expect(try JSON(refused)["code"].text == "rate_limited")
            #expect(live.stored == 8)
            #expect(try await send(3, "/v1/debug/events").status == 200)
            clock.advance(by: .seconds(5))
            #expect(try await send(3).status == 429)
            clock.advance(by: .seconds(1))
            #expect(try Taken(await send(3)) == Taken(accepted: 3))
        }
    }

    @Test func `a key may have its own rate, origins and bundle IDs`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            func make(_ restriction: String) async throws -> String {
                let answer = try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", #"{"role": "ingest", \#(restriction)}"#)
                #expect(answer.status == 201)
                return try JSON(answer)["key"].text
            }
            let event = #"[{"name": "a"}]"#
            let slow = try await make(#""events_per_minute": 1"#)
            #expect(try await live.api.post("/v1/events", key: slow, event).status == 200)
            #expect(try await live.api.post("/v1/events", key: slow, event).status == 429)
            #expect(try await live.api.post("/v1/events", key: keys.ingest, event).status == 200)

            let page = try await make(#""origins": ["https://shop.example"]"#)
            #expect(try await live.api.post("/v1/events", key: page, headers: ["Origin": "https://shop.example"], event).status == 200)
            #expect(try await live.api.post("/v1/events", key: page, headers: ["Origin": "https://evil.example"], event).status == 403)

            for misspelled in ["https://shop.example/", "shop.example", "HTTPS://shop.example"] {
                let body = #"{"role": "ingest", "origins": ["https://shop.example", "\#(misspelled)"]}"#
                let refused = try await live.api.asOperator("POST", "/v1/apps/\(keys.app)/keys", body)
                #expect(refused.status == 422 && refused.text.contains("\"origins\""), "\(refused.text)")
            }

            let bundle = try await make(#""bundle_ids": ["com.example.shop"]"#)
            #expect(try await live.api.post("/v1/events", key: bundle, headers: ["X-Bundle-Id": "com.example.shop"], event).status == 200)
            #expect(try await live.api.post("/v1/events", key: bundle, headers: ["X-Bundle-Id": "com.example.other"], event).status == 403)
            #expect(try await live.api.post("/v1/events", key: bundle, event).status == 403)
            #expect(live.stored == 4)
        }
    }

    @Test func `requests beyond the queue limit are rejected at once and store nothing`() async throws {
        try await withDaemon(configure: { $0.store.events.queueEvents = 10 }) { live in
            let keys = try await live.api.makeApp()
            let writer = Gate()
            // The daemon must be able to end after any failure in between.
            defer { writer.open() }
            let blocking = Task { try await live.daemon.store.events.change { _ in writer.pass() } }
            await writer.reached()
            let first = Task { try await live.api.post("/v1/events", key: keys.ingest, Self.events(9, "first")) }
            // The queue is full with one change and nine events.
            while live.daemon.store.events.queued.events < 10 { await Task.yield() }

            let refused = try await live.api.post("/v1/events", key: keys.ingest, Self.events(1, "second"))
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
            #expect(try JSON(refused)["code"].text == "overloaded")
            // The body is not decoded, so it need not be JSON, and the connection stays open.
            let connection = try live.api.connect()
            for _ in 0..<2 {
                let unread = try await connection.exchange(TestClient.bytes("POST", "/v1/events", key: keys.ingest, body: Array("not JSON".utf8)))
                #expect(unread.status == 429 && unread.headers["connection"] == nil)
            }
            let users = try await live.api.post("/v1/users", key: keys.ingest, #"{"users": []}"#)
            #expect(users.status == 429)
            // Reading requests still work.
            #expect(try await live.api.get("/v1/export", key: keys.read).status == 200)
            writer.open()
            try await blocking.value
            #expect(try Taken(await first.value) == Taken(accepted: 9))
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, Self.events(1, "second"))) == Taken(accepted: 1))
            #expect(live.stored == 10)
        }
    }

    private static func events(_ count: Int, _ name: String) -> String {
        "[" + (0..<count).map { #"{"id": "\#(name)-\#($0)", "name": "a"}"# }.joined(separator: ",") + "]"
    }
}

/// Blocks a thread until opened, and reports when the thread has arrived.
private final class Gate: Sendable {
    private let way = DispatchSemaphore(value: 0)
    private let arrival = AsyncStream<Void>.makeStream()

    func pass() {
        arrival.continuation.yield()
        way.wait()
    }

    func reached() async {
        for await _ in arrival.stream { return }
    }

    func open() {
        way.signal()
    }
}
