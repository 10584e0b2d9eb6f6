// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct TimeTests {
    private static let now = Timestamp(milliseconds: 1_790_000_000_000)

    /// Timestamps as JSON and the resulting rejection.
    private static let hostile: [(claim: String, code: String?)] = [
        (#""0001-01-01T00:00:00Z""#, "too_old"), (#""0000-01-01T00:00:00Z""#, "too_old"), ("-1", "too_old"), ("-62135596800", "too_old"),
        ("-99999999999999999", "too_old"), ("0", "too_old"), (#""9999-12-31T23:59:59.999Z""#, nil), ("99999999999", nil), ("99999999999999", nil),
        ("100000000000000000", "bad_timestamp"), ("9223372036854775807", "bad_timestamp"), ("-9223372036854775808", "bad_timestamp"),
        ("18446744073709551615", "bad_timestamp"), ("1e17", "bad_timestamp"), ("1e300", "bad_timestamp"), ("-1e300", "bad_timestamp"),
        (#""yesterday""#, "bad_timestamp"), (#""""#, "bad_timestamp"), ("true", "bad_timestamp"), ("{}", "bad_timestamp"), ("[1]", "bad_timestamp"),
        (#""2026-02-30T00:00:00Z""#, "bad_timestamp"), (#""2026-11-21T25:00:00Z""#, "bad_timestamp"), ("null", nil),
    ]

    @Test func `an extreme timestamp neither opens a day file nor stops the daemon`() async throws {
        try await withDaemon(clock: ManualClock(Self.now).clock) { live in
            let keys = try await live.api.makeApp()
            for (number, (claim, code)) in Self.hostile.enumerated() {
                let answer = try await live.api.post(
                    "/v1/events", key: keys.ingest, #"[{"id": "\#(number)", "name": "a", "timestamp": \#(claim)}]"#)
                #expect(answer.status == 200)
                let found = try JSON(answer)["results"][0]["code"]
                #expect((found.exists ? found.text : nil) == code, "\(claim)")
            }
            #expect(try live.dayFiles == ["\(Day(of: Self.now).text).db"])
            let lines = try await live.api.get("/v1/export", key: keys.read).text.split(separator: "\n")
            #expect(lines.count == Self.hostile.count { $0.code == nil })
            #expect(lines.allSatisfy { $0.contains(#""timestamp":"\#(Self.now.rfc3339)""#) })
            #expect(try await live.api.get("/readyz").status == 200)
        }
    }

    @Test func `an extreme sent_at moves no event out of the retention window`() async throws {
        try await withDaemon(clock: ManualClock(Self.now).clock) { live in
            let keys = try await live.api.makeApp()
            for claim in ["-99999999999999999", "99999999999999999", #""0001-01-01T00:00:00Z""#, #""9999-12-31T23:59:59Z""#, #""soon""#, "{}"] {
                let body = #"{"sent_at": \#(claim), "events": [{"name": "a", "timestamp": \#(Self.now.milliseconds)}]}"#
                #expect(try await live.api.post("/v1/events", key: keys.ingest, body).status == 200)
            }
            #expect(try live.dayFiles.count == 1)
            let export = try await live.api.get("/v1/export", key: keys.read).text
            for line in export.split(separator: "\n") {
                let time = try #require(Timestamp(rfc3339: Array(try JSON(Array(line.utf8))["timestamp"].text.utf8).span))
                #expect(time > Self.now - .days(90) && time < Self.now + .hours(23))
            }
        }
    }

    @Test func `an event older than the retention is quarantined, to the millisecond`() async throws {
        try await withDaemon(clock: ManualClock(Self.now).clock) { live in
            let keys = try await live.api.makeApp()
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"retention_days": 10}"#.utf8)).status == 200)
            let edge = Self.now - .days(10)
            let body = #"[{"name": "kept", "timestamp": \#(edge.milliseconds)}, {"name": "gone", "timestamp": \#(edge.milliseconds - 1)}]"#
            let answer = try await live.api.post("/v1/events", key: keys.ingest, body)
            #expect(try Taken(answer) == Taken(accepted: 1, quarantined: 1))
            #expect(try JSON(answer)["results"][0]["code"].text == "too_old")
            #expect(try await live.api.get("/v1/export", key: keys.read).text.contains(#""flags":["late"]"#))
        }
    }
}
