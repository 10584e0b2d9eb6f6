// SPDX-License-Identifier: Apache-2.0

import Functions
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Calls that stream. Clients on iOS end with DATA_LOSS at any line that does not begin with `data:`.
@Suite struct CallStreamTests {
    private static let wanted = ["Accept": "text/event-stream"]

    private static func stream(_ events: String) -> WebhookSink.Manner { CallWorld.answer(200, events, type: "text/event-stream; charset=utf-8") }

    @Test(arguments: [
        ("data: {\"message\":{\"n\":1}}\n\ndata: {\"result\": 2}\n\n", "data: {\"message\":{\"n\":1}}\n\ndata: {\"result\":2}\n\n"),
        // Comments, names, numbers and CR LF stay here, and a value may have several lines.
        (
            ": ping\r\nevent: message\r\nid: 7\r\nretry: 10\r\ndata:{\"message\":\r\ndata: [1]}\r\n\r\n: ping\r\n\r\ndata: {\"result\":null}\r\n\r\n",
            "data: {\"message\":[1]}\n\ndata: {\"result\":null}\n\n"
        ),
        ("data: {\"result\":1}\n\ndata: {\"message\":2}\n\n", "data: {\"result\":1}\n\n"),
        (
            "data: {\"error\":{\"status\":\"NOT_FOUND\",\"message\":\"no\",\"details\":[1]}}\n\n",
            "data: {\"error\":{\"status\":\"NOT_FOUND\",\"message\":\"no\",\"details\":[1]}}\n\n"
        ),
        // The last event needs no empty line.
        ("data: {\"result\":3}", "data: {\"result\":3}\n\n"),
    ])
    func `events of a target become lines of data`(events: String, expected: String) async throws {
        try await CallWorld.use({ _ in Self.stream(events) }) { world in
            try await world.define()
            let reply = try await world.call(headers: Self.wanted)
            #expect(reply.status == 200 && reply.headers["content-type"] == "text/event-stream")
            #expect(reply.text == expected)
            #expect(world.target.hooks.first?.headers["accept"] == "text/event-stream")
        }
    }

    @Test(arguments: ["data: {\"message\":1}\n\n", "data: nonsense\n\n", "data: {\"x\":1}\n\n"])
    func `a stream without a result ends with INTERNAL`(events: String) async throws {
        try await CallWorld.use({ _ in Self.stream(events) }) { world in
            try await world.define()
            let lines = try await world.call(headers: Self.wanted).text.split(separator: "\n")
            #expect(lines.allSatisfy { $0.hasPrefix("data: ") } && lines.last?.contains(#"{"error":{"status":"INTERNAL""#) == true)
        }
    }

    @Test func `an answer that is no stream is its only event`() async throws {
        try await CallWorld.use({ CallWorld.answer($0.path == "/f" ? 200 : 404, $0.path == "/f" ? "{\"result\": [1,\n2]}" : "") }) { world in
            try await world.define()
            try await world.define("gone")
            #expect(try await world.call(headers: Self.wanted).text == "data: {\"result\":[1, 2]}\n\n")
            #expect(
                try await world.call("gone", headers: Self.wanted).text == #"data: {"error":{"status":"NOT_FOUND","message":"NOT_FOUND"}}"# + "\n\n")
        }
    }

    @Test func `refusals are events too, with status 200`() async throws {
        try await CallWorld.use({ _ in .silent }) { world in
            try await world.define("private", #""auth": "user""#)
            try await world.define()
            let refused = [
                try await world.call("private", headers: Self.wanted), try await world.call("missing", as: world.keys.ingest, headers: Self.wanted),
                try await world.call("f", "{}", headers: Self.wanted), try await world.call("private", as: "sb_nothing", headers: Self.wanted),
            ]
            #expect(refused.allSatisfy { $0.status == 200 && $0.text.hasPrefix("data: {\"error\":") && $0.text.hasSuffix("}\n\n") })
            let words = try refused.map { try JSON(Array($0.body.dropFirst(6)))["error"]["status"].text }
            #expect(words == ["UNAUTHENTICATED", "NOT_FOUND", "INVALID_ARGUMENT", "UNAUTHENTICATED"])
        }
    }

    @Test func `a message arrives while the function goes on, and a client that leaves ends it`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        try await CallWorld.use({ _ in .drips(head + "data: {\"message\":1}\n\n") }) { world in
            try await world.define()
            let connection = try await world.send(headers: Self.wanted)
            #expect(try await connection.head().status == 200)
            let message = try #require(try await connection.chunk())
            #expect(String(decoding: message, as: UTF8.self) == "data: {\"message\":1}\n\n")
            #expect(try await world.reaches(underWay: 1))
            await connection.close()
            #expect(try await world.reaches(underWay: 0))
        }
    }
}
