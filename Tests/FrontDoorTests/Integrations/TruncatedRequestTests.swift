// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Truncated requests of the integrations: incomplete ones are rejected, and nothing is stored twice.
@Suite struct TruncatedRequestTests {
    struct Sample: CustomTestStringConvertible, Sendable {
        let target: String
        let body: String
        /// The number of events.
        let events: UInt64

        var testDescription: String { target }
    }

    private static let calls = [
        #"{"type": "track", "messageId": "1", "event": "Opened", "userId": "ann", "properties": {"depth": [1, {"a": "é"}]}}"#,
        #"{"type": "identify", "messageId": "2", "userId": "ann", "anonymousId": "phone", "traits": {"tier": "gold"}}"#,
    ].joined(separator: ",")

    private static let captured = [
        #"{"event": "a", "uuid": "00000000-0000-4000-8000-000000000001", "distinct_id": "ann", "properties": {"depth": [1, {"a": "é"}]}}"#,
        #"{"event": "$screen", "uuid": "00000000-0000-4000-8000-000000000002", "distinct_id": "ann", "properties": {"$screen_name": "Home"}}"#,
    ].joined(separator: ",")

    private static let measured =
        #"{"name": "purchase", "params": {"transaction_id": "t", "value": 1.5, "currency": "EUR"}}, {"name": "level_up", "params": {"level": 3}}"#

    static let samples = [
        Sample(
            target: "/mp/collect?firebase_app_id=1:1:ios:a",
            body: #"{"app_instance_id": "0123456789abcdef0123456789abcdef", "events": [\#(measured)]}"#, events: 2),
        Sample(target: "/v1/batch", body: #"{"batch": [\#(calls)], "sentAt": "2026-11-21T12:00:00Z"}"#, events: 2),
        Sample(target: "/v1/track", body: #"{"messageId": "1", "event": "Opened", "userId": "ann"}"#, events: 1),
        Sample(target: "/batch/", body: #"{"historical_migration": false, "batch": [\#(captured)]}"#, events: 2),
        Sample(target: "/i/v1/analytics/events", body: #"{"created_at": "2026-11-21T12:00:00Z", "batch": [\#(captured)]}"#, events: 2),
        // So long that its last Base64 group is complete without padding, whose loss would not matter.
        Sample(target: "/e/", body: "data=" + " [\(captured)]".base64.replacing("+", with: "%2B"), events: 2),
    ]

    @Test(arguments: samples)
    func `a truncated request stores no event`(_ sample: Sample) async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let body = Array(sample.body.utf8)
            let connection = try live.api.connect()
            func send(_ count: Int) async throws -> Int {
                try await connection.exchange(TestClient.bytes("POST", sample.target, key: keys.ingest, body: Array(body[..<count]))).status
            }
            for end in body.indices { #expect(try await send(end) == 400, "cut at \(end)") }
            #expect(live.stored == 0)
            #expect(try await send(body.count) == 200)
            #expect(live.stored == sample.events)
        }
    }

    @Test func `a truncated request sends no message`() async throws {
        try await MessagingWorld.use { world in
            let message = #"{"message": {"topic": "news", "notification": {"title": "T"}, "data": {"k": "é"}, "android": {"ttl": "3.5s"}}}"#
            let topic = #"{"to": "/topics/news", "registration_tokens": ["\(try await world.stream())"]}"#
            let connection = try world.api.connect()
            for (target, text) in [("/v1/projects/ours/messages:send", message), ("/iid/v1:batchAdd", topic)] {
                let body = Array(text.utf8)
                for end in body.indices {
                    let request = TestClient.bytes("POST", target, key: world.ours.send, body: Array(body[..<end]))
                    #expect(try await connection.exchange(request).status == 400, "\(target) cut at \(end)")
                }
            }
            for path in ["/v1/messages", "/v1/topics"] { #expect(try await world.get(path)["items"].items.isEmpty) }
        }
    }

    private static let envelopes = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/sentry")

    /// Offsets around line ends, where an item may be complete, and some between them.
    private static func cuts(_ body: [UInt8]) -> [Int] {
        let lines = body.indices.filter { body[$0] == 0x0a }.prefix(20).flatMap { [$0, $0 + 1, $0 + 2] }
        return Set(lines + stride(from: 0, to: body.count, by: max(1, body.count / 30))).filter { $0 < body.count }.sorted()
    }

    @Test func `a truncated envelope stores its complete items once`() async throws {
        let names = try Folder.names(in: Self.envelopes.path).filter { $0.hasSuffix(".envelope") }
        try await CrashingWorld.use(clock: ManualClock(CrashingWorld.start).clock) { world in
            let connection = try world.api.connect()
            for name in names {
                let body = [UInt8](try Data(contentsOf: Self.envelopes.appendingPathComponent(name)))
                for end in Self.cuts(body) + [body.count, body.count] {
                    let request = TestClient.bytes("POST", "/api/1/envelope/", key: world.ours.ingest, body: Array(body[..<end]))
                    let answer = try await connection.exchange(request)
                    #expect(answer.status == 200 || answer.status == 400 && end < body.count, "\(name) cut at \(end): \(answer.text)")
                }
            }
            let counts = try await world.issues("?limit=100").map(\.["count"].number)
            #expect(names.count == 14 && counts.reduce(0, +) == names.count { $0.contains("event") }, "\(counts)")
            // The start of a session and its crash.
            #expect(world.live.stored == 2)
        }
    }
}
