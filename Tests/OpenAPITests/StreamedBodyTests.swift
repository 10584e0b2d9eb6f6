// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import EventStore
import HTTPClient
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Bodies that the daemon writes by hand, because they are hot or streamed, against their types in the module API.
@Suite(.serialized)
struct StreamedBodyTests {
    /// Late, with every field; and one whose parameter is cut.
    static let events = #"""
        [{"id": "e-1", "name": "level_up", "timestamp": \#((WallClock.system.now() - .hours(80)).milliseconds / 1_000), "user_id": "ann",
          "installation_id": "i", "session_id": "s", "context": {"platform": "ios"}, "params": {"level": 3}},
         {"id": "e-2", "name": "plain", "params": {"\#(String(repeating: "k", count: 41))": 1}}, {"id": "e-2", "name": "plain"},
         {"id": "e-3", "name": "9bad", "user_id": "ann", "timestamp": 1790000000}]
        """#

    private static let crash = #"""
        {"id": "c-1", "type": "Boom", "handled": false, "release": "shop@2.1+7", "user_id": "ann", "installation_id": "i",
         "frames": [{"function": "Cart.checkout", "in_app": true}]}
        """#

    @Test func `the response to events and to crashes has the members of its type`() async throws {
        try await RunningDaemon.use { daemon in
            var (events, crashes) = (StrictBodies(), StrictBodies())
            try events.read(await daemon.send("POST", "/v1/events", as: .ingest, Array(Self.events.utf8)).body, as: IntakeResponse.self)
            #expect(events.unseen == ["IntakeResponse.Result.issue"])
            let body = #"[\#(Self.crash), {"id": "c-1", "type": "Boom"}, {"id": "c-2"}]"#
            try crashes.read(await daemon.send("POST", "/v1/crashes", as: .ingest, Array(body.utf8)).body, as: IntakeResponse.self)
            #expect(crashes.unseen == ["IntakeResponse.Result.number"])
        }
    }

    @Test func `each line of an export has the members of its type`() async throws {
        try await RunningDaemon.use { daemon in
            #expect(try await daemon.send("POST", "/v1/events", as: .ingest, Array(Self.events.utf8)).status == 200)
            var lines = StrictBodies()
            let body = try await daemon.get("/v1/export", as: .read).body
            for line in body.split(separator: UInt8(ascii: "\n")) { try lines.read(Array(line), as: EventResponse.self) }
            #expect(lines.unseen == [])
        }
    }

    @Test func `each event of a tail has the members of its type`() async throws {
        try await RunningDaemon.use { daemon in
            let tail = try await EventStream(daemon.api, "/v1/tail", key: daemon.key(.read))
            #expect(try await daemon.send("POST", "/v1/events", as: .ingest, Array(Self.events.utf8)).status == 200)
            #expect(try await daemon.send("POST", "/v1/crashes", as: .ingest, Array("[\(Self.crash)]".utf8)).status == 200)
            var bodies = StrictBodies()
            for message in try await tail.next(4) { try Self.read(message, &bodies) }
            #expect(bodies.unseen == [])
        }
    }

    @Test func `the gaps of a client that is too slow have the members of their type`() async throws {
        try await RunningDaemon.use(configure: { $0.store.events.tail.bytes = 1 << 10 }) { daemon in
            let tail = try await EventStream(daemon.api, "/v1/tail", key: daemon.key(.read))
            let params = (0..<20).map { #""p\#($0)": "\#(String(repeating: "x", count: 100))""# }.joined(separator: ",")
            let events = Array(repeating: #"{"name": "big", "params": {\#(params)}}"#, count: 1_900).joined(separator: ",")
            // More than the buffers between the daemon and a client that does not read.
            for _ in 0..<6 { #expect(try await daemon.send("POST", "/v1/events", as: .ingest, Array("[\(events)]".utf8)).status == 200) }
            // More crashes than a tail keeps for a client.
            for part in 0..<2 {
                let crashes = (0..<90).map { #"{"id": "\#(part)-\#($0)", "type": "Other"}"# }.joined(separator: ",")
                #expect(try await daemon.send("POST", "/v1/crashes", as: .ingest, Array("[\(crashes)]".utf8)).status == 200)
            }
            #expect(try await Self.gaps(tail).unseen == [])
        }
    }

    /// Reads until each member of a gap was seen, or until a comment says that nothing follows.
    private static func gaps(_ tail: EventStream) async throws -> StrictBodies {
        var bodies = StrictBodies()
        var hasBegun = false
        while let message = try await tail.nextOfAny(), !(hasBegun && message.isComment) {
            guard message.event == "gap" else { continue }
            hasBegun = true
            try read(message, &bodies)
            if bodies.unseen.isEmpty { break }
        }
        return bodies
    }

    private static func read(_ message: EventStream.Message, _ bodies: inout StrictBodies) throws {
        switch TailEventName(rawValue: message.event) {
        case .event: try bodies.read(message.data, as: EventResponse.self)
        case .quarantine: try bodies.read(message.data, as: TailQuarantineResponse.self)
        case .crash: try bodies.read(message.data, as: TailCrashResponse.self)
        case .gap: try bodies.read(message.data, as: TailGapResponse.self)
        case nil: Issue.record("no type for \(message.event)")
        }
    }

    @Test func `rejections have the members of their type`() async throws {
        try await RunningDaemon.use { daemon in
            var bodies = StrictBodies()
            for response in [
                try await daemon.get("/v1/no-such-thing", as: .read), try await daemon.get("/v1/export"),
                try await daemon.get("/v1/export", as: .ingest), try await daemon.get("/v1/tail?kind=none", as: .read),
                try await daemon.send("POST", "/v1/events", as: .ingest, Array("[".utf8)),
                try await daemon.send("POST", "/v1/messages", as: .send, Array(#"{"topic": "news", "data": {}, "wrong": 1}"#.utf8)),
            ] {
                #expect(response.status >= 400 && response.header("Content-Type") == "application/problem+json")
                try bodies.read(response.body, as: ProblemResponse.self)
            }
            #expect(bodies.unseen == [])
        }
    }
}
