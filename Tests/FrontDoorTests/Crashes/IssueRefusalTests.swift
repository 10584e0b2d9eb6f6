// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// Invalid requests about issues and their errors.
@Suite struct IssueRefusalTests {
    private static let wrongParameters: [(String, Wrong)] = [
        ("?state=gone", Wrong(422, "state", "unknown")), ("?kind=bad", Wrong(422, "kind", "unknown")), ("?sort=title", Wrong(422, "sort", "unknown")),
        ("?limit=0", Wrong(422, "limit", "out_of_range")), ("?limit=1001", Wrong(422, "limit", "out_of_range")),
        ("?after=x", Wrong(422, "after", "bad_cursor")), ("?after=1.2.3", Wrong(422, "after", "bad_cursor")),
        ("?since=1", Wrong(422, "since", "unknown")),
        ("?text=\(String(repeating: "t", count: 201))", Wrong(422, "text", "bad_text")),
    ]

    @Test func `an invalid list parameter is rejected by name`() async throws {
        try await CrashingWorld.use { world async throws in
            for (query, wrong) in Self.wrongParameters {
                #expect(try Wrong(await world.api.get("/v1/issues\(query)", key: world.ours.read)) == wrong, "\(query)")
            }
        }
    }

    private static let changes: [(String, Wrong)] = [
        ("{}", Wrong(422, "state", "missing")), (#"{"state": "gone"}"#, Wrong(422, "state", "unknown")),
        (#"{"state": 7}"#, Wrong(422, "state", "wrong_type")), (#"{"state": "open", "why": "x"}"#, Wrong(422, "why", "unknown")),
        (#"{"state": "open", "state": "closed"}"#, Wrong(422, "state", "repeated")),
        (#"{"state": "open", "release": "1.0"}"#, Wrong(422, "release", "conflict")),
        (#"{"state": "muted", "release": "1.0"}"#, Wrong(422, "release", "conflict")),
        (#"{"state": "closed", "until": "+1d"}"#, Wrong(422, "until", "conflict")),
        (#"{"state": "open", "until_count": 3}"#, Wrong(422, "until_count", "conflict")),
        (#"{"state": "closed", "within": 60}"#, Wrong(422, "within", "conflict")),
        (#"{"state": "closed", "release": ""}"#, Wrong(422, "release", "bad_text")),
        (#"{"state": "closed", "release": "shop@+60"}"#, Wrong(422, "release", "bad_text")),
        (#"{"state": "closed", "release": 2}"#, Wrong(422, "release", "wrong_type")),
        (#"{"state": "closed", "release": "\#(String(repeating: "1", count: 201))"}"#, Wrong(422, "release", "bad_text")),
        (#"{"state": "muted", "until": "2001-01-01T00:00:00Z"}"#, Wrong(422, "until", "bad_time")),
        (#"{"state": "muted", "until": "-1d"}"#, Wrong(422, "until", "bad_time")),
        (#"{"state": "muted", "until": "soon"}"#, Wrong(422, "until", "bad_time")),
        (#"{"state": "muted", "until": "+99999999999999w"}"#, Wrong(422, "until", "bad_time")),
        (#"{"state": "muted", "until": "+1d", "until_count": 3}"#, Wrong(422, "until_count", "conflict")),
        (#"{"state": "muted", "until": "+1d", "within": 60}"#, Wrong(422, "within", "conflict")),
        (#"{"state": "muted", "within": 60}"#, Wrong(422, "within", "conflict")),
        (#"{"state": "muted", "until_count": 0}"#, Wrong(422, "until_count", "out_of_range")),
        (#"{"until_count": 3}"#, Wrong(422, "state", "missing")),
        (#"{"state": "muted", "until_count": 3, "within": 59}"#, Wrong(422, "within", "out_of_range")),
    ]

    @Test func `an invalid change is rejected by field and changes nothing`() async throws {
        try await CrashingWorld.use { world in
            let id = try await world.take(SentCrash())
            for (body, wrong) in Self.changes {
                #expect(try Wrong(await world.patch("/v1/issues/\(id)", body)) == wrong, "\(body)")
            }
            let issue = try await world.issue(id)
            #expect(issue["state"].text == "open" && issue["history"].items.count == 1)
            #expect(try await world.patch("/v1/issues/\(id)", "{}").text.contains("or assignee is required"))
            #expect(try await world.patch("/v1/issues/\(id)", "[]").status == 400)
            #expect(try await world.patch("/v1/issues/\(id)", "{").status == 400)
        }
    }

    @Test func `the body of regrouping is checked, and may ask for a dry run`() async throws {
        try await CrashingWorld.use { world async throws in
            for (body, field, code) in [(#"{"dry": true}"#, "dry", "unknown"), (#"{"dry_run": "true"}"#, "dry_run", "wrong_type")] {
                #expect(try Wrong(await world.post("/v1/issues/regroup", body)) == Wrong(422, field, code), "\(body)")
            }
            for body in ["{", "[]", "dry_run=true"] { #expect(try await world.post("/v1/issues/regroup", body).status == 400, "\(body)") }
            for body in ["", "{}", #"{"dry_run": true}"#, #"{"dry_run": false}"#] {
                #expect(try await world.post("/v1/issues/regroup", body).status == 200, "\(body)")
            }
        }
    }

    @Test func `invalid merges, splits and notes are rejected`() async throws {
        try await CrashingWorld.use { world in
            let (id, other) = (try await world.take(SentCrash("1")), try await world.take(SentCrash("2").with("kind", "anr")))
            let refused: [(String, String, Wrong)] = [
                ("merge", "{}", Wrong(422, "issues", "missing")), ("merge", #"{"issues": []}"#, Wrong(422, "issues", "missing")),
                ("merge", #"{"issues": "x"}"#, Wrong(422, "issues", "wrong_type")),
                ("merge", #"{"issues": [7]}"#, Wrong(422, "issues", "wrong_type")),
                ("merge", #"{"issues": ["x"], "force": true}"#, Wrong(422, "force", "unknown")), ("split", "{}", Wrong(422, "variant", "missing")),
                ("split", #"{"variant": "x"}"#, Wrong(422, "variant", "unknown")), ("split", #"{"variant": 7}"#, Wrong(422, "variant", "wrong_type")),
                ("notes", "{}", Wrong(422, "text", "missing")), ("notes", #"{"text": ""}"#, Wrong(422, "text", "bad_text")),
                ("notes", #"{"text": "\#(String(repeating: "t", count: 4_001))"}"#, Wrong(422, "text", "bad_text")),
                ("notes", #"{"text": "t", "author": ""}"#, Wrong(422, "author", "bad_text")),
            ]
            for (path, body, wrong) in refused {
                #expect(try Wrong(await world.post("/v1/issues/\(id)/\(path)", body)) == wrong, "\(path) \(body)")
            }
            #expect(try await world.post("/v1/issues/\(id)/merge", #"{"issues": ["nowhere"]}"#).status == 404)
            #expect(try await world.post("/v1/issues/\(id)/split", #"{"variant": "999999"}"#).status == 404)
            // Kinds cannot be merged, and the only variant cannot be split off.
            #expect(try await world.post("/v1/issues/\(id)/merge", #"{"issues": ["\#(other)"]}"#).status == 409)
            let variant = try await world.issue(id)["variants"][0]["id"].text
            #expect(try await world.post("/v1/issues/\(id)/split", #"{"variant": "\#(variant)"}"#).status == 409)
            // Merging an issue with itself changes nothing.
            #expect(try await world.post("/v1/issues/\(id)/merge", #"{"issues": ["\#(id)"]}"#).status == 200)
            #expect(try await world.issue(id)["history"].items.count == 1)
            #expect(try await world.issues().count == 2)
        }
    }

    @Test func `an unknown issue or crash gets 404`() async throws {
        try await CrashingWorld.use { world in
            let id = try await world.take(SentCrash("1"))
            for path in ["nowhere", "nowhere/events", "nowhere/events/1", "\(id)/events/2", "%00", "\(id)/events/%ff"] {
                let answer = try await world.api.get("/v1/issues/\(path)", key: world.ours.read)
                #expect(answer.status == 404, "\(path)")
                #expect(try !JSON(answer)["detail"].text.isEmpty)
            }
            #expect(try Wrong(await world.api.get("/v1/issues/\(id)/events?after=x", key: world.ours.read)) == Wrong(422, "after", "bad_cursor"))
            #expect(try Wrong(await world.api.get("/v1/issues/\(id)/events?variant=x", key: world.ours.read)) == Wrong(422, "variant", "unknown"))
        }
    }
}
