// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Quarantined crashes and their replay.
@Suite struct CrashQuarantineTests {
    @Test func `an invalid crash is quarantined and the others are stored`() async throws {
        try await CrashingWorld.use { world in
            // Exceptions are never cut.
            let name = String(repeating: "x", count: 1_000)
            let frames = Array(repeating: #"{"function": "\#(name)"}"#, count: 200).joined(separator: ",")
            let long = "[" + Array(repeating: #"{"type": "E", "frames": [\#(frames)]}"#, count: 8).joined(separator: ",") + "]"
            let nameless = ["type", "frames"].reduce(SentCrash("nameless")) { $0.with($1, json: nil) }
            let wrong: [(String, String, String)] = [
                ("missing_type", "type", nameless.json), ("bad_timestamp", "timestamp", SentCrash("timeless").with("timestamp", "yesterday").json),
                ("not_an_object", "crash", "7"), ("bad_user_id", "user_id", SentCrash("nobody").with("user_id", json: "[]").json),
                ("value_too_long", "crash", SentCrash("long").with("exceptions", json: long).json),
                ("duplicate_key", "type", SentCrash("twice").json.dropLast() + #", "type": "E"}"#),
                ("too_old", "timestamp", SentCrash("old").with("timestamp", "2001-01-01T00:00:00Z").json),
            ]
            let body = wrong.map(\.2) + [SentCrash("fine").json]
            let reply = try await world.post("/v1/crashes", #"{"release": "9.9", "crashes": [\#(body.joined(separator: ","))]}"#)
            #expect(try Taken(reply) == Taken(accepted: 1, quarantined: wrong.count))
            let results = try JSON(reply)["results"].items.dropLast()
            #expect(results.map { [$0["code"].text, $0["field"].text] } == wrong.map { [$0.0, $0.1] })
            #expect(results.allSatisfy { !$0["issue"].exists && $0["result"].text == "quarantined" && !$0["message"].text.isEmpty })
            let kept = try await world.get("/v1/quarantine")["items"].items
            #expect(kept.map(\.["code"].text) == wrong.map(\.0).reversed() && kept.allSatisfy { $0["source"].text == "crashes" })
            #expect(kept.allSatisfy { $0["envelope"]["release"].text == "9.9" } && kept.last?["raw"].text == wrong[0].2)
            #expect(try await world.get("/v1/quarantine?reason=missing_type")["items"].items.count == 1)
            #expect(try await world.issues()[0]["count"].number == 1)
        }
    }

    @Test func `a replay after a settings change stores a crash once and completely`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            #expect(try await world.patch("/v1/app", #"{"retention_days": 30}"#).status == 200)
            let then = (CrashingWorld.start - .days(60)).rfc3339
            let old = SentCrash("old").with("timestamp", then)
            let crashes = [old, SentCrash().with("timestamp", then), SentCrash("never").with("type", json: nil).with("frames", json: nil)]
            let sent = try await world.send(crashes, envelope: #""user_id": "ann", "release": "3.1", "#)
            #expect(try Taken(sent) == Taken(quarantined: 3))
            #expect(try Taken(await world.post("/v1/quarantine/replay", "")) == Taken(quarantined: 3))
            #expect(try await world.patch("/v1/app", #"{"retention_days": 400}"#).status == 200)
            #expect(try Taken(await world.post("/v1/quarantine/replay", "")) == Taken(accepted: 2, quarantined: 1))
            #expect(try Taken(await world.post("/v1/quarantine/replay", "")) == Taken(quarantined: 1))
            #expect(try Taken(await world.send(old)) == Taken(duplicates: 1))
            let issues = try await world.issues()
            #expect(issues.count == 1 && issues[0]["count"].number == 2 && issues[0]["users"].number == 1)
            let crash = try await world.crash("old", of: issues[0]["id"].text)
            #expect(crash["timestamp"].text == then && crash["release"].text == "3.1" && crash["late"].bool)
        }
    }
}
