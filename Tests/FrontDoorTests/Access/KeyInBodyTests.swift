// SPDX-License-Identifier: Apache-2.0

import Compression
import TestSupport
import Testing

@testable import ingestd

/// Keys in bodies, and bodies without a known key.
@Suite struct KeyInBodyTests {
    private static let unknown = "sbi_nobody_has_this_key"

    /// Bodies that are costly for a decoder. Those of members have more than an object may have.
    private static let costly: [(name: String, value: [UInt8])] = [
        ("members", filled("{", #""a":1"#, "}")), ("escaped members", filled("{", #""\u0061":1"#, "}", size: 750_000)),
        ("array", filled("[", "0", "]")), ("objects", filled("[", "{}", "]")), ("open", repeated("[")),
        ("text", Array("\"".utf8) + repeated("a") + Array("\"".utf8)),
        ("backslashes", Array("\"".utf8) + repeated("\\\\") + Array("\"".utf8)), ("escaped quotes", repeated(#"\""#)), ("digits", repeated("1")),
        ("minus", repeated("-")), ("NaN", filled("[", "NaN", "]")), ("blank", repeated(" ")), ("calls", filled("[", #"{"type":"track"}"#, "]")),
        ("events", filled("[", #"{"properties":{"a":{"token":"x"}}}"#, "]")),
    ]

    private static func repeated(_ piece: String, size: Int = 450_000) -> [UInt8] {
        Array(String(repeating: piece, count: size / piece.utf8.count).utf8)
    }

    private static func filled(_ start: String, _ piece: String, _ end: String, size: Int = 450_000) -> [UInt8] {
        Array(start.utf8) + repeated(piece + ",", size: size).dropLast() + Array(end.utf8)
    }

    @Test(arguments: ["/v1/batch", "/v1/track", "/batch", "/e/", "/i/v1/analytics/events", "/api/1/envelope/"])
    func `any body without a known key gets 401`(path: String) async throws {
        try await withDaemon { live in
            _ = try await live.api.makeApp()
            let expected = path.hasPrefix("/api/") ? 403 : 401
            for (name, value) in KeyInBodyTests.costly {
                for (key, rest) in [("", "}"), (#","writeKey":"\#(Self.unknown)","api_key":"\#(Self.unknown)""#, "}")] {
                    let body = Array(#"{"batch":"#.utf8) + value + Array((key + rest).utf8)
                    let plain = try await live.api.request("POST", path, body: body)
                    #expect(plain.status == expected, "\(name) \(plain.status) \(plain.text)")
                    let packed = try await live.api.request("POST", path, headers: ["Content-Encoding": "gzip"], body: gzip(body))
                    #expect(packed.status == expected, "\(name), packed: \(packed.status)")
                }
            }
            #expect(live.stored == 0)
        }
    }

    @Test func `a key is found before and after the entries, not inside them`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let calls = #""batch":[{"type":"track","event":"a","anonymousId":"i","properties":{"writeKey":"x","api_key":"y","token":"z"}}]"#
            let events = #""batch":[{"event":"a","distinct_id":"i","properties":{"api_key":"x","deep":{"token":"y"}}}]"#
            let filler = #""filler":["# + String(repeating: #"{"writeKey":"no","api_key":"no","token":"no"},"#, count: 20_000) + "0]"
            for (path, name, list) in [("/v1/batch", "writeKey", calls), ("/batch", "api_key", events), ("/batch", "token", events)] {
                let key = #""\#(name)":"\#(keys.ingest)""#
                for body in ["{\(key),\(list)}", "{\(list),\(key)}", "{ \(filler) , \(list) , \(key) }", #"{"\#(name)":null,\#(list),\#(key)}"#] {
                    let answer = try await live.api.post(path, body)
                    let isKnown = !body.hasPrefix(#"{"\#(name)":null"#)
                    #expect(answer.status == (isKnown ? 200 : 401), "\(path) \(body.prefix(60)) \(answer.text)")
                }
            }
            for event in [#"{"event":"a","properties":{"token":"\#(keys.ingest)"}}"#, #"{"event":"a","$token":"\#(keys.ingest)"}"#] {
                for body in [event, "[\(event)]", #"[{"event":"b"},\#(event)]"#, #"{"batch":[{"event":"b"},\#(event)]}"#] {
                    #expect(try await live.api.post("/batch", body).status == 200, "\(body)")
                }
            }
            // With a known key an unreadable body gets 400.
            #expect(try await live.api.post("/v1/batch", #"{"writeKey":"\#(keys.ingest)","batch":[}"#).status == 400)
        }
    }

    @Test func `a flood of bodies without a key does not block health checks and other clients`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let body = gzip(Array(#"{"batch":"#.utf8) + Self.filled("[", #"{"event":"a"}"#, "]", size: 1_000_000) + Array("}".utf8))
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<48 {
                    group.addTask { try await live.api.request("POST", "/batch", headers: ["Content-Encoding": "gzip"], body: body).status }
                }
                for _ in 0..<20 {
                    #expect(try await live.api.get("/healthz").status == 200)
                    #expect(try await live.api.post("/v1/events", key: keys.ingest, #"[{"name":"a"}]"#).status == 200)
                }
                // One address may have a limited number of waiting requests; the others get 429.
                for try await status in group { #expect([401, 429].contains(status), "\(status)") }
            }
        }
    }
}
