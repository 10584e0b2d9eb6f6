// SPDX-License-Identifier: Apache-2.0

import Events
import TestSupport
import Testing

@testable import ingestd

/// Invalid queries are rejected at once with field, limit and hint.
@Suite struct QueryRefusalTests {
    struct Wrong: Sendable, CustomTestStringConvertible {
        var question: String
        var field: String
        var code: String
        /// A part of the message or detail.
        var limit = ""
        /// The body of the query, if it is sent as a body.
        var body: String?

        /// The time until the response. A debug build takes longer for large bodies.
        var allowed: Duration { .milliseconds(100 + (body?.utf8.count ?? 0) / 250) }

        var testDescription: String { String((body.map { question + " " + $0 } ?? question).prefix(80)) }

        init(_ question: String, _ field: String, _ code: String, _ limit: String = "", body: String? = nil) {
            (self.question, self.field, self.code, self.limit, self.body) = (question, field, code, limit, body)
        }
    }

    private static let queries = [
        Wrong("series?intervall=day", "intervall", "unknown"), Wrong("realtime?from=-1d", "from", "unknown"),
        Wrong("series?interval=day&interval=week", "interval", "repeated", "once"), Wrong("top?limit=1&limit=1", "limit", "repeated", "once"),
        Wrong("series?from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z", "from", "range"),
        Wrong("top?from=2026-11-20T10:10:00Z&to=2026-11-20T10:05:00Z", "from", "range"), Wrong("sessions?from=now", "from", "range"),
        Wrong("top?from=0001-01-01T00:00:00Z", "from", "too_long", "18300"),
        Wrong("funnel?steps=a&steps=b&to=9999-12-31T00:00:00Z", "from", "too_long", "18300"),
        Wrong("revenue?from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z&interval=month", "from", "too_long", "18300"),
        Wrong("series?from=-3650d&interval=minute", "interval", "too_fine", "11000"),
        Wrong("series?interval=minute&breakdown=name&limit=100", "interval", "too_fine", "100000"),
        Wrong("active-users?from=-500d", "from", "too_long", "400"), Wrong("lifecycle?from=-500d", "from", "too_long", "400"),
        Wrong("retention?from=-500d", "from", "too_long", "400"), Wrong("series?from=yesterday", "from", "bad_time"),
        Wrong("series?to=-10000000w", "to", "bad_time"), Wrong("series?from=2026-02-30T00:00:00Z", "from", "bad_time"),
        Wrong("series?tz=Mars/Olympus", "tz", "unknown"), Wrong("series?tz=../../../etc/passwd", "tz", "unknown"),
        Wrong("series?tz=", "tz", "unknown"),
        Wrong("series?metric=mistakes", "metric", "unknown", "screen_views"),
        Wrong("series?metric=crashes&event=a", "event", "not_of_crashes"),
        Wrong("series?metric=crashes&breakdown=params.n", "breakdown", "not_of_crashes", "context.device_model"),
        Wrong("series?metric=crashes&filter=context.country=NZ", "filter", "not_of_crashes", "context.os_version"),
        Wrong("top?metric=crashes", "field", "not_of_crashes", "context.app_version"),
        Wrong("retention?interval=hour", "interval", "unknown", "week"),
        Wrong("lifecycle?interval=minute", "interval", "unknown", "week"), Wrong("retention?cohort=all", "cohort", "unknown", "first_time"),
        Wrong("series?limit=0", "limit", "out_of_range", "100"), Wrong("series?limit=101", "limit", "out_of_range", "100"),
        Wrong("realtime?limit=ten", "limit", "out_of_range", "100"), Wrong("retention?periods=61", "periods", "out_of_range", "60"),
        Wrong("series?filter=platform", "filter", "bad_filter"), Wrong("series?filter=", "filter", "bad_filter"),
        Wrong("series?filter=name!x", "filter", "bad_filter"), Wrong("series?filter=%3Dx", "filter", "bad_field"),
        Wrong("series?filter=colour=red", "filter", "bad_field"), Wrong("series?filter=context.planet=x", "filter", "unknown_field", "platform"),
        Wrong("series?" + [String](repeating: "filter=name=a", count: 21).joined(separator: "&"), "filter", "too_many", "20"),
        Wrong("series?filter=name=" + [String](repeating: "a", count: 101).joined(separator: "%7C"), "filter", "too_many", "100"),
        Wrong("series?metric=p98(params.n)", "metric", "unknown", "p95"), Wrong("series?metric=sum(n)", "metric", "unknown", "params"),
        Wrong("series?metric=sum(user.n)", "metric", "unknown"), Wrong("top?metric=sum(params.)", "metric", "unknown"),
        Wrong("series?metric=sum(params.n", "metric", "unknown"), Wrong("series?metric=SUM(params.n)", "metric", "unknown"),
        Wrong(
            "series?" + ["name", "params.a", "params.b", "params.c"].map { "breakdown=\($0)" }.joined(separator: "&"), "breakdown", "too_many", "3"),
        Wrong("series?breakdown=params.a&breakdown=params.a", "breakdown", "repeated", "twice"),
        Wrong("series?breakdown=name&breakdown=params.", "breakdown", "bad_field"),
        Wrong("series?metric=crashes&breakdown=context.platform&breakdown=name", "breakdown", "not_of_crashes"),
        Wrong("series?breakdown=items.item_id", "breakdown", "items", "quantity"), Wrong("top?field=items.item_id", "field", "items", "revenue"),
        Wrong("series?metric=revenue&breakdown=items.item_id&breakdown=name", "breakdown", "items", "other fields"),
        Wrong("top?metric=sum(params.n)&field=items.item_id", "field", "items"), Wrong("series?filter=items.item_id=a", "filter", "items"),
        Wrong("funnel?steps=a&steps=b&breakdown=items.item_id", "breakdown", "items"),
        Wrong("funnel?steps=a&steps=b&limit=101", "limit", "out_of_range", "100"), Wrong("top?breakdown=name", "breakdown", "unknown"),
        Wrong("series", "breakdown", "wrong_type", body: #"{"breakdown": [1]}"#),
        Wrong("series", "metric", "wrong_type", body: #"{"metric": ["users"]}"#),
        Wrong("series?filter=name=" + [String](repeating: "%5C%7C%7C", count: 100).joined() + "a", "filter", "too_many", "100"),
        Wrong("series?breakdown=", "breakdown", "bad_field"), Wrong("series?breakdown=params.", "breakdown", "bad_field"),
        Wrong("series?breakdown=context.planet", "breakdown", "unknown_field", "platform"), Wrong("top?field=colour", "field", "bad_field"),
        Wrong("series?event=", "event", "bad_name"), Wrong("series?event=" + String(repeating: "a", count: 1_001), "event", "bad_name"),
        Wrong("funnel", "steps", "count", "20"), Wrong("funnel?steps=a", "steps", "count", "20"), Wrong("funnel?steps=a&steps=", "steps", "bad_name"),
        Wrong("funnel?steps=a&steps=b;n%3E1", "steps", "bad_field"), Wrong("funnel?steps=a&steps=b&window=0d", "window", "bad_span", "366d"),
        Wrong("funnel?steps=a&steps=b&window=400d", "window", "bad_span", "366d"), Wrong("funnel?steps=a&steps=b&window=1y", "window", "bad_span"),
        Wrong("funnel?steps=a&steps=b&order=any", "order", "unknown", "strict"),
    ]

    private static let bodies = [
        Wrong("funnel", "steps", "count", "20", body: #"{"steps": [\#([String](repeating: #""a""#, count: 1_000).joined(separator: ","))]}"#),
        Wrong("funnel", "steps", "count", "20", body: #"{"steps": [{"event": "a"}]}"#),
        Wrong("funnel", "steps", "wrong_type", body: #"{"steps": [5, 6]}"#),
        Wrong("funnel", "steps", "wrong_type", body: #"{"steps": [["a"], "b"]}"#),
        Wrong("funnel", "steps", "wrong_type", body: #"{"steps": [{"event": "a", "filter": [null]}, "b"]}"#),
        Wrong("funnel", "event", "wrong_type", body: #"{"steps": [{"event": 5}, "b"]}"#),
        Wrong("funnel", "event", "missing", body: #"{"steps": [{}, "b"]}"#),
        Wrong("funnel", "evnt", "unknown", body: #"{"steps": [{"evnt": "a"}, "b"]}"#),
        Wrong("funnel", "steps", "too_long", "250000", body: #"{"steps": ["a", "\#(String(repeating: "b;", count: 150_000))"]}"#),
        Wrong("series", "event", "wrong_type", body: #"{"event": 5}"#), Wrong("series", "event", "wrong_type", body: #"{"event": "\ud800"}"#),
        Wrong("series", "event", "wrong_type", body: #"{"event": ["a", "b"]}"#),
        Wrong("series", "event", "wrong_type", body: #"{"event": {"event": "a"}}"#), Wrong("series", "tz", "wrong_type", body: #"{"tz": null}"#),
        Wrong("series", "from", "wrong_type", body: #"{"from": 17}"#), Wrong("series", "metric", "wrong_type", body: #"{"metric": true}"#),
        Wrong("series", "limit", "wrong_type", body: #"{"limit": "5"}"#), Wrong("series", "limit", "wrong_type", body: #"{"limit": 1.5}"#),
        Wrong("series", "limit", "out_of_range", "100", body: #"{"limit": -1}"#),
        Wrong("series", "filter", "wrong_type", body: #"{"filter": {"a": 1}}"#),
        Wrong("series", "filter", "wrong_type", body: #"{"filter": ["name=a", 5]}"#),
        Wrong("series", "colour", "unknown", body: #"{"colour": "red"}"#),
        Wrong("series", "from", "repeated", body: #"{"from": "-1d", "from": "-2d"}"#), Wrong("series?from=-1d", "from", "unknown", body: "{}"),
    ]

    @Test func `an invalid query is rejected by field within 100 ms`() async throws {
        let folder = TemporaryFolder()
        let daemon = try await DaemonProcess.start(in: folder.path, environment: ["INGESTD_SERVER_LISTEN": "127.0.0.1:0"])
        let keys = try await daemon.api.makeApp()
        for wrong in Self.queries + Self.bodies {
            let (reply, time) = try await Self.ask(wrong, daemon.api, keys)
            let problem = try JSON(reply)
            let error = problem["errors"][0]
            #expect(reply.status == 422 && problem["code"].text == "invalid", "\(wrong.testDescription)")
            #expect([error["field"].text, error["code"].text] == [wrong.field, wrong.code], "\(wrong.testDescription)")
            #expect((problem["detail"].text + error["message"].text).contains(wrong.limit), "\(wrong.testDescription)")
            let isOfQuestion = QueryName.allCases.contains { name in
                wrong.question.hasPrefix(name.rawValue) && name.fields.contains { $0.name == wrong.field }
            }
            #expect(!isOfQuestion || problem["hint"].exists, "\(wrong.testDescription)")
            // On a machine on which anything takes long, a request that does nothing does, too.
            let plain = time < wrong.allowed ? .zero : try await Self.plainTime(daemon.api) * 10
            #expect(time < wrong.allowed + plain, "\(wrong.testDescription)")
        }
        #expect(await daemon.stop() == 0)
    }

    /// The duration of a request that does nothing.
    private static func plainTime(_ api: TestClient) async throws -> Duration {
        try await api.connect().timedExchange(TestClient.bytes("GET", "/healthz")).time
    }

    /// The response and its duration. A slow query is repeated, because other processes may have delayed it.
    private static func ask(_ wrong: Wrong, _ api: TestClient, _ keys: AppKeys) async throws -> (reply: Reply, time: Duration) {
        let target = "/v1/query/" + wrong.question
        let connection = try api.connect()
        let request =
            wrong.body.map { TestClient.bytes("POST", target, key: keys.read, headers: ["Content-Type": "application/json"], body: Array($0.utf8)) }
            ?? TestClient.bytes("GET", target, key: keys.read)
        var answer = try await connection.timedExchange(request)
        for _ in 0..<20 where answer.time >= wrong.allowed { answer = try await connection.timedExchange(request) }
        return answer
    }

    @Test(arguments: [
        ("GET", "series?filter=%zz", nil), ("GET", "series?filter=%4", nil), ("GET", "series?%ff=a", nil), ("POST", "series", "{"),
        ("POST", "series", "[]"), ("POST", "series", ""),
    ])
    func `a malformed query gets 400`(_ method: String, _ question: String, _ body: String?) async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let reply = try await live.api.request(method, "/v1/query/" + question, key: keys.read, body: body.map { Array($0.utf8) })
            #expect(reply.status == 400)
            #expect(try ["bad_request", "invalid_json"].contains(JSON(reply)["code"].text))
        }
    }

    @Test func `an event name restricts a metric and never extends it`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let body = #"""
                [{"name": "open", "user_id": "u"}, {"name": "screen_view", "user_id": "u"},
                 {"name": "purchase", "user_id": "u", "params": {"value": 1, "currency": "EUR", "transaction_id": "t"}}]
                """#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 3))
            for (metric, event, total) in [
                ("events", "open", 1), ("users", "open", 1), ("screen_views", "screen_view", 1), ("screen_views", "open", 0),
                ("purchases", "purchase", 1), ("purchases", "open", 0), ("purchases", "in_app_purchase", 0),
            ] {
                for more in ["", "&filter=name!=x"] {
                    let reply = try await live.api.get("/v1/query/series?metric=\(metric)&event=\(event)\(more)", key: keys.read)
                    #expect(try Series(reply).total == total, "\(metric) \(event) \(more)")
                }
            }
        }
    }

    @Test func `a combining character at the start of a value does not hide the operator`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let body = #"[{"name": "a", "params": {"p": "\u0301x"}}, {"name": "a", "params": {"p": "\u0301y;"}}, {"name": "b"}]"#
            #expect(try Taken(await live.api.post("/v1/events", key: keys.ingest, body)) == Taken(accepted: 3))
            for filter in [#""params.p=\u0301x""#, #""params.p=z|\u0301x""#, #""params.p~\u0301x""#, #""params.p!=\u0301y;|b""#] {
                let reply = try await live.api.post("/v1/query/series", key: keys.read, #"{"event": "a", "filter": \#(filter)}"#)
                #expect(try Series(reply).total == 1, "\(filter)")
            }
        }
    }
}
