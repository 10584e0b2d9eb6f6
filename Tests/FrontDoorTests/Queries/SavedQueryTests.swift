// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite
import TestSupport
import Testing

@testable import ingestd

/// Queries that are kept under a name.
@Suite struct SavedQueryTests {
    private static func put(_ name: String, _ body: String, _ live: LiveDaemon, key: String) async throws -> Reply {
        try await live.api.request(
            "PUT", "/v1/saved-queries/\(name)", key: key, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    @Test func `a saved query is stored, listed, run and deleted`() async throws {
        let clock = ManualClock(Day(year: 2026, month: 11, day: 18).start + .hours(9))
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, #"[{"name": "a", "user_id": "u"}, {"name": "b"}]"#)).accepted == 2)
            let body = #"{"query": "series", "parameters": {"metric": "events", "from": "-1d", "filter": ["name=a"], "limit": 5}}"#
            #expect(try await Self.put("open.a", body, live, key: keys.admin).status == 201)
            clock.advance(by: .hours(1))
            let again = try await Self.put("open.a", body, live, key: keys.admin)
            #expect(again.status == 200)
            let shown = try await live.api.get("/v1/saved-queries/open.a", key: keys.read)
            #expect(shown.body == again.body)
            let one = try JSON(shown)
            #expect(one["created_at"].text == "2026-11-18T09:00:00.000Z" && one["changed_at"].text == "2026-11-18T10:00:00.000Z")
            #expect(one["parameters"]["limit"].number == 5 && one["parameters"]["filter"][0].text == "name=a")
            let result = try await live.api.get("/v1/saved-queries/open.a/result", key: keys.read)
            #expect(try JSON(result)["series"][0]["total"].number == 1)
            #expect(result.body == (try await live.api.get("/v1/query/series?from=-1d&filter=name=a&limit=5", key: keys.read)).body)
            #expect(live.log.text.contains("query saved") && live.log.text.contains("name=open.a"))
            #expect(try await live.api.request("DELETE", "/v1/saved-queries/open.a", key: keys.admin).status == 204)
            #expect(live.log.text.contains("query deleted"))
            for target in ["/v1/saved-queries/open.a", "/v1/saved-queries/open.a/result"] {
                #expect(try await live.api.get(target, key: keys.read).status == 404)
            }
            #expect(try await live.api.request("DELETE", "/v1/saved-queries/open.a", key: keys.admin).status == 404)
        }
    }

    @Test func `saved queries belong to their app and leave with it`() async throws {
        let folder = TemporaryFolder()
        try await withDaemon(in: folder) { live in
            let (keys, other) = (try await live.api.makeApp("one"), try await live.api.makeApp("other"))
            for name in ["b", "a", "c"] {
                #expect(try await Self.put(name, #"{"query": "realtime"}"#, live, key: keys.admin).status == 201)
            }
            #expect(try await Self.put("a", #"{"query": "sessions"}"#, live, key: other.admin).status == 201)
            var (names, after) = ([String](), "")
            repeat {
                let page = try JSON(await live.api.get("/v1/saved-queries?limit=1&after=\(after)", key: keys.read))
                names += page["items"].items.map { $0["name"].text }
                after = page["next"].text
            } while !after.isEmpty
            #expect(names == ["a", "b", "c"])
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/\(keys.app)").status == 204)
        }
        try await withDaemon(in: folder) { live in
            let rows = try Connection(live.mainFile, .read).statement("SELECT query FROM saved_definitions").all { $0.text(0) }
            #expect(rows == ["sessions"])
        }
    }

    private static let wrongQueries: [(String, String, String)] = [
        ("a", #"{"query": "sql"}"#, "query"), ("a", #"{"parameters": {}}"#, "query"), ("a", #"{"query": "series", "parameters": []}"#, "parameters"),
        ("a", #"{"query": "series", "parameters": {"metric": "mistakes"}}"#, "metric"),
        ("a", #"{"query": "series", "parameters": {"limit": "5"}}"#, "limit"),
        ("a", #"{"query": "funnel"}"#, "steps"), ("a", #"{"query": "series", "other": 1}"#, "other"),
        ("a%20b", #"{"query": "series"}"#, "name"), ("caf%C3%A9", #"{"query": "series"}"#, "name"),
        (String(repeating: "a", count: 65), #"{"query": "series"}"#, "name"),
        ("a", #"{"query": "series", "parameters": {"event": "\#(String(repeating: "\\u00e9", count: 32 << 10))"}}"#, "parameters"),
    ]

    @Test func `a wrong saved query is rejected by field`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for (name, body, field) in Self.wrongQueries {
                let answer = try await Self.put(name, body, live, key: keys.admin)
                #expect(answer.status == 422, "\(name) \(body.prefix(100))")
                #expect(try JSON(answer)["errors"][0]["field"].text == field, "\(name) \(body.prefix(100))")
            }
            #expect(try JSON(await live.api.get("/v1/saved-queries", key: keys.read))["items"].items.isEmpty)
        }
    }
}
