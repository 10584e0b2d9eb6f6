// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

@Suite struct SegmentTests {
    private static func post(_ live: LiveDaemon, _ path: String, _ key: String, _ body: String) async throws -> Reply {
        try await live.api.post(path, headers: ["Authorization": "Basic " + (key + ":").base64], body)
    }

    @Test func `every call at every path gets Segment's response, also with the key in the body`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let calls = [
                ("track", "t", #""event": "a""#), ("page", "p", #""name": "b""#), ("screen", "s", #""name": "c""#),
                ("identify", "i", #""traits": {"n": 1}"#),
                ("group", "g", #""groupId": "g""#), ("alias", "a", #""previousId": "old""#),
            ]
            for (name, letter, field) in calls {
                let body = #"{"userId": "ann", \#(field)"#
                let one = try await Self.post(live, "/v1/\(name)", keys.ingest, body + "}")
                let other = try await live.api.post("/v1/\(letter)", body + #", "writeKey": "\#(keys.ingest)"}"#)
                #expect(one.status == 200 && one.text == #"{"success":true}"# && other.text == one.text, "\(name)")
            }
            for path in ["/v1/batch", "/v1/b", "/v1/import"] {
                let answer = try await Self.post(live, path, keys.ingest, #"{"batch": [{"type": "track", "event": "d", "userId": "ann"}]}"#)
                #expect(answer.status == 200)
            }
            let top = try JSON(await live.api.get("/v1/query/top?field=name&from=-1h", key: keys.read))["items"].items
            #expect(
                Dictionary(uniqueKeysWithValues: top.map { ($0["name"].text, $0["value"].number) })
                    == ["a": 2, "page_view": 2, "screen_view": 2, "alias": 2, "d": 3])
        }
    }

    @Test func `a call counts once, an order is revenue, and linked IDs are one person`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let calls = [
                #"{"type": "track", "messageId": "1", "event": "Opened", "anonymousId": "phone"}"#,
                #"{"type": "track", "messageId": "2", "event": "Opened", "userId": "ann"}"#,
                #"{"type": "alias", "messageId": "3", "previousId": "tablet", "userId": "ann"}"#,
                #"{"type": "identify", "messageId": "4", "anonymousId": "phone", "userId": "ann", "traits": {"tier": "gold"}}"#,
                #"{"type": "track", "messageId": "5", "event": "Opened", "anonymousId": "tablet"}"#,
                #"{"type": "track", "messageId": "6", "event": "Order Completed", "userId": "ann", "properties": {"order_id": "o", "revenue": 19.99, "currency": "EUR"}}"#,
            ]
            let body = #"{"batch": [\#(calls.joined(separator: ","))]}"#
            for _ in 0..<2 { #expect(try await Self.post(live, "/v1/batch", keys.ingest, body).status == 200) }
            let people = try JSON(await live.api.get("/v1/query/active-users?from=-1h", key: keys.read))
            #expect(people["total"].number == 1, "\(people)")
            let revenue = try await live.api.get("/v1/query/revenue?from=-1h", key: keys.read)
            #expect(revenue.text.contains(#""gross":"19.99""#) && revenue.text.contains("EUR"), "\(revenue.text)")
            let person = try await live.api.get("/v1/users/ann", key: keys.read)
            #expect(person.text.contains("gold") && person.text.contains("phone") && person.text.contains("tablet"))
        }
    }

    @Test func `errors have the statuses that the SDKs handle`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            #expect(try await live.api.request("PATCH", "/v1/app", key: keys.admin, body: Array(#"{"events_per_minute": 1}"#.utf8)).status == 200)
            let call = #"{"event": "a", "userId": "ann"}"#
            for key in ["nonsense", keys.read + "x"] { #expect(try await Self.post(live, "/v1/track", key, call).status == 401) }
            #expect(try await live.api.post("/v1/track", call).status == 401)
            #expect(try await Self.post(live, "/v1/track", keys.read, call).status == 403)
            #expect(try await Self.post(live, "/v1/track", keys.ingest, "{").status == 400)
            #expect(try await Self.post(live, "/v1/track", keys.ingest, call).status == 200)
            let slowly = try await Self.post(live, "/v1/track", keys.ingest, call)
            #expect(slowly.status == 429 && slowly.headers["retry-after"].flatMap { Int($0) }.map { $0 > 0 } == true)
            #expect(try JSON(slowly)["message"].exists && JSON(slowly)["code"].text == "rate_limited")
        }
    }

    @Test func `the settings endpoint directs SDKs to this host`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let answer = try await live.api.request("GET", "/v1/projects/\(keys.ingest)/settings", headers: ["Origin": "https://shop.example"])
            #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == "https://shop.example")
            let settings = try JSON(answer)
            #expect(settings["integrations"].names == ["Segment.io"] && settings["plan"].exists)
            let own = settings["integrations"]["Segment.io"]
            #expect(own["apiKey"].text == keys.ingest && own["apiHost"].text == "localhost/v1")
            #expect(try await live.api.get("/v1/projects/nonsense/settings").status == 401)
            #expect(try await live.api.get("/v1/projects/\(keys.read)/settings").status == 403)
        }
    }

    @Test func `an unknown call is quarantined, and an invalid value does not reject other calls`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let body = #"{"batch": [{"type": "dance"}, {"type": "track", "event": "a", "properties": {"x": NaN}}, {"type": "track", "event": "b"}]}"#
            #expect(try await Self.post(live, "/v1/batch", keys.ingest, body).status == 200)
            #expect(live.stored == 2)
            let apart = try JSON(await live.api.get("/v1/quarantine", key: keys.read))["items"]
            #expect(apart.items.count == 1 && apart[0]["raw"].text.contains("dance"))
        }
    }
}
