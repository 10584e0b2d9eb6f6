// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

@Suite struct CorrectionTests {
    @Test(arguments: ["/v1/events", "/v1/debug/events"])
    func `unknown fields are one correction of their event`(path: String) async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let body = #"""
                {"context": {"platform": "ios", "carrier": "x"}, "events": [
                  {"id": "1", "name": "a"}, {"id": "2", "name": "b", "userid": "u", "Params": {}, "context": {"os": "17"}}, {"id": "3", "name": "c"}]}
                """#
            let answer = try await live.api.post(path, key: keys.ingest, body)
            #expect(try Taken(answer) == Taken(accepted: 3))
            let results = try JSON(answer)["results"].items
            #expect(results.map(\.["field"].text) == ["context.carrier", "userid"] && results.map(\.["index"].number) == [0, 1])
            #expect(results.allSatisfy { $0["result"].text == "corrected" && $0["code"].text == "unknown_field" && !$0["number"].exists })
            #expect(results[1]["message"].text.contains("2 others") && results[1]["id"].text == "2")
            guard path == "/v1/events" else { return }
            let lines = try await live.api.get("/v1/export", key: keys.read).text.split(separator: "\n").map { try JSON(Array($0.utf8)) }
            #expect(lines.map { $0["flags"].items.map(\.text) } == [["corrected"], ["corrected"], []])
            #expect(!lines[1]["user_id"].exists && lines[1]["context"]["platform"].text == "ios")
        }
    }

    private static let refunds = #"""
        [{"name": "purchase", "params": {"value": 20, "currency": "EUR"}}, {"name": "purchase", "params": {"value": -3, "currency": "EUR"}},
         {"name": "refund", "params": {"value": -5, "currency": "EUR"}}, {"name": "refund", "params": {"value": 2, "currency": "EUR"}}]
        """#

    private static func revenue(_ live: LiveDaemon, _ keys: AppKeys) async throws -> [String] {
        let figures = try JSON(await live.api.get("/v1/query/revenue?from=-1h", key: keys.read))["currencies"][0]
        return ["gross", "refunds", "net"].map { figures[$0].text } + ["\(figures["purchase_count"].number)", "\(figures["refund_count"].number)"]
    }

    @Test func `a refund with a negative value counts as a refund, a negative purchase has no amount`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let answer = try await live.api.post("/v1/events", key: keys.ingest, Self.refunds)
            #expect(try Taken(answer) == Taken(accepted: 4))
            let results = try JSON(answer)["results"].items
            #expect(results.map(\.["index"].number) == [1, 2] && results.allSatisfy { $0["code"].text == "negative_amount" })
            #expect(try await Self.revenue(live, keys) == ["20", "7", "13", "1", "2"])
            let lines = try await live.api.get("/v1/export", key: keys.read).text.split(separator: "\n").map { try JSON(Array($0.utf8)) }
            #expect(!lines[1]["params"]["value"].exists && lines[2]["params"]["value"].number == 5)
        }
    }

    @Test func `amounts of integrations follow the same rule`() async throws {
        try await withDaemon { live in
            let segment = try await live.api.makeApp("segment")
            let order = #""userId": "ann", "properties": {"order_id""#
            let batch = #"""
                {"batch": [{"type": "track", "event": "Order Completed", \#(order): "1", "total": 20, "currency": "EUR"}},
                  {"type": "track", "event": "Order Completed", \#(order): "2", "total": -3, "currency": "EUR"}},
                  {"type": "track", "event": "Order Refunded", \#(order): "1", "total": -5, "currency": "EUR"}},
                  {"type": "track", "event": "Order Refunded", \#(order): "1", "total": 2, "currency": "EUR"}}]}
                """#
            let credentials = ["Authorization": "Basic " + (segment.ingest + ":").base64]
            #expect(try await live.api.post("/v1/batch", headers: credentials, batch).status == 200)
            #expect(try await Self.revenue(live, segment) == ["20", "7", "13", "1", "2"], "Segment")

            let google = try await live.api.makeApp("google")
            let body = #"{"app_instance_id": "0123456789abcdef0123456789abcdef", "events": \#(Self.refunds)}"#
            let target = "/mp/collect?firebase_app_id=1:1:android:aa&api_secret=\(google.ingest)"
            #expect(try Taken(await live.api.post(target, body)) == Taken(accepted: 4))
            #expect(try await Self.revenue(live, google) == ["20", "7", "13", "1", "2"], "Google Analytics")

            let posthog = try await live.api.makeApp("posthog")
            for (name, value) in [("purchase", 20), ("purchase", -3), ("refund", -5), ("refund", 2)] {
                let properties = #"{"value": \#(value), "currency": "EUR"}"#
                let event = #"{"event": "\#(name)", "distinct_id": "ann", "api_key": "\#(posthog.ingest)", "properties": \#(properties)}"#
                #expect(try await live.api.post("/capture", event).status == 200)
            }
            #expect(try await Self.revenue(live, posthog) == ["20", "7", "13", "1", "2"], "PostHog")
        }
    }
}
