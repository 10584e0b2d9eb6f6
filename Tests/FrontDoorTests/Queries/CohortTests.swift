// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Cohorts and the queries that name them.
@Suite struct CohortTests {
    private static func put(_ name: String, _ body: String, _ live: LiveDaemon, _ keys: AppKeys) async throws -> Reply {
        try await live.api.request(
            "PUT", "/v1/cohorts/\(name)", key: keys.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    private static func fill(_ live: LiveDaemon, _ keys: AppKeys) async throws {
        let events = [("ann", "buy", 20), ("ann", "open", 0), ("bob", "buy", 5), ("bob", "open", 0), ("cyd", "open", 0)].map { user, name, value in
            #"{"name": "\#(name)", "user_id": "\#(user)", "params": {"value": \#(value)}}"#
        }
        #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, "[\(events.joined(separator: ","))]")) == Taken(accepted: 5))
        let users = #"{"users": [{"user_id": "bob", "properties": {"tier": "pro"}}, {"user_id": "cyd", "properties": {"tier": "pro"}}]}"#
        #expect(try Taken(await live.api.post("/v1/users", key: keys.ingest, users)) == Taken(accepted: 2))
    }

    private static func opens(_ filter: String, _ live: LiveDaemon, _ keys: AppKeys) async throws -> Int {
        let answer = try await live.api.get("/v1/query/series?event=open&filter=\(filter)", key: keys.read)
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        return try JSON(answer)["series"][0]["total"].number
    }

    @Test func `queries count the members of cohorts, which are found anew each time`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            try await Self.fill(live, keys)
            let cohorts = [
                ("buyers", #"{"event": "buy"}"#), ("big", #"{"event": "buy", "event_filter": ["params.value>=10"], "from": "-1d"}"#),
                ("pro", #"{"filter": "user.tier=pro"}"#), ("pro-buyers", #"{"filter": ["user.tier=pro"], "event": "buy"}"#),
                ("old", #"{"event": "buy", "from": "-30d", "to": "-29d"}"#),
            ]
            for (name, body) in cohorts { #expect(try await Self.put(name, body, live, keys).status == 201) }
            let expected = [
                "cohort=buyers": 2, "cohort!=buyers": 1, "cohort=big": 1, "cohort=pro": 2, "cohort!=pro": 1, "cohort=pro-buyers": 1, "cohort=old": 0,
                "cohort=big%7Cpro": 3, "cohort!=big%7Cpro-buyers": 1, "cohort=buyers&filter=cohort=pro": 1,
            ]
            for (filter, count) in expected { #expect(try await Self.opens(filter, live, keys) == count, "\(filter)") }
            let steps = "steps=open;cohort=pro&steps=buy"
            let funnel = try JSON(await live.api.get("/v1/query/funnel?\(steps)", key: keys.read))
            #expect(funnel["steps"][0]["people"].number == 2)
            for query in ["top", "retention", "revenue", "sessions", "crash-free"] {
                #expect(try await live.api.get("/v1/query/\(query)?filter=cohort=buyers", key: keys.read).status == 200)
            }
            // The definition and the members follow changes.
            #expect(try await Self.put("buyers", #"{"event": "open"}"#, live, keys).status == 200)
            #expect(try await Self.opens("cohort=buyers", live, keys) == 3)
            #expect(try await live.api.request("DELETE", "/v1/users/bob", key: keys.admin).status == 200)
            #expect(try await Self.opens("cohort=pro", live, keys) == 1)
            #expect(try await live.api.request("DELETE", "/v1/cohorts/buyers", key: keys.admin).status == 204)
            #expect(try await live.api.get("/v1/query/top?filter=cohort=buyers", key: keys.read).status == 422)
            #expect(live.log.text.contains("cohort saved") && live.log.text.contains("cohort deleted"))
        }
    }

    @Test func `cohorts belong to their app and have names of their own beside saved queries`() async throws {
        try await withDaemon { live in
            let (keys, other) = (try await live.api.makeApp("one"), try await live.api.makeApp("other"))
            try await Self.fill(live, other)
            #expect(try await Self.put("a", #"{"event": "buy"}"#, live, keys).status == 201)
            #expect(try await live.api.get("/v1/query/top?filter=cohort=a", key: other.read).status == 422)
            #expect(try await live.api.get("/v1/saved-queries/a", key: keys.read).status == 404)
            #expect(try JSON(await live.api.get("/v1/cohorts", key: keys.read))["items"].items.map { $0["name"].text } == ["a"])
            #expect(try JSON(await live.api.get("/v1/cohorts", key: other.read))["items"].items.isEmpty)
            let saved = #"{"query": "series", "parameters": {"filter": "cohort=a"}}"#
            let put = try await live.api.request("PUT", "/v1/saved-queries/a", key: keys.admin, body: Array(saved.utf8))
            #expect(put.status == 201)
            #expect(try await live.api.get("/v1/saved-queries/a/result", key: keys.read).status == 200)
            #expect(try await live.api.request("DELETE", "/v1/cohorts/a", key: keys.admin).status == 204)
            #expect(try await live.api.get("/v1/saved-queries/a/result", key: keys.read).status == 422)
        }
    }

    private static let wrongCohorts: [(String, String)] = [
        (#"{}"#, "filter"), (#"{"filter": "params.n=1"}"#, "filter"), (#"{"filter": "cohort=a"}"#, "filter"), (#"{"event": ""}"#, "event"),
        (#"{"event_filter": "params.n=1"}"#, "event"), (#"{"event": "a", "event_filter": "cohort=a"}"#, "event_filter"),
        (#"{"event": "a", "from": "now"}"#, "from"), (#"{"event": "a", "from": "yesterday"}"#, "from"), (#"{"event": "a", "limit": 1}"#, "limit"),
        (#"{"event": "a", "from": "0001-01-01T00:00:00Z"}"#, "from"),
    ]

    @Test func `a wrong cohort is rejected by field`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for (body, field) in Self.wrongCohorts {
                let answer = try await Self.put("a", body, live, keys)
                #expect(answer.status == 422, "\(body)")
                #expect(try JSON(answer)["errors"][0]["field"].text == field, "\(body)")
            }
        }
    }

    private static let wrongFilters: [String] = [
        "cohort=", "cohort=a%20b", "cohort%3E1", "cohort~a", "cohort=none", "cohort=" + Array(repeating: "a", count: 11).joined(separator: "%7C"),
    ]

    @Test func `a filter with a wrong cohort is rejected`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for filter in Self.wrongFilters {
                let answer = try await live.api.get("/v1/query/series?filter=\(filter)", key: keys.read)
                #expect(answer.status == 422, "\(filter)")
                #expect(try JSON(answer)["errors"][0]["field"].text == "filter", "\(filter)")
            }
            for path in ["series?breakdown=cohort", "top?field=cohort", "series?metric=crashes&filter=cohort=a"] {
                #expect(try await live.api.get("/v1/query/\(path)", key: keys.read).status == 422)
            }
            #expect(try await live.api.get("/v1/tail?filter=cohort=a", key: keys.read).status == 422)
        }
    }
}
