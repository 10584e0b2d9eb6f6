// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
import HTTPClient
import Platform
import Testing

@testable import ingestd

/// Compares a daemon's responses with the OpenAPI document.
@Suite(.serialized)
struct ResponseTests {
    private static let events = #"""
        [{"name": "screen_view", "user_id": "ann", "installation_id": "i1", "context": {"platform": "ios"}, "params": {"screen_name": "Home"}},
         {"name": "screen_view", "user_id": "ann", "installation_id": "i1", "params": {"screen_name": "Cart"}},
         {"name": "purchase", "user_id": "ann", "params": {"value": 20.5, "currency": "EUR", "transaction_id": "1"}},
         {"name": "refund", "user_id": "ann", "params": {"value": 30, "currency": "EUR"}},
         {"name": "purchase", "installation_id": "i2", "params": {"value": 0.000001, "currency": "USD", "transaction_id": "2"}}]
        """#

    /// The default queries, and those with another response shape.
    private static let questions: [(QueryName, String, String?)] =
        QueryName.allCases.filter { $0 != .funnel }.flatMap { [($0, "", nil), ($0, "", "{}")] } + [
            (.series, "?breakdown=context.platform&interval=minute&from=-1h", nil), (.series, "?metric=revenue&breakdown=name&limit=1", nil),
            (.series, "?metric=users&event=purchase", nil), (.series, "?metric=sessions&filter=name=purchase", nil),
            (.top, "", #"{"field": "params.screen_name", "metric": "users", "limit": 1}"#), (.top, "?metric=revenue&field=name", nil),
            (.retention, "", #"{"start": "screen_view", "return": "purchase", "cohort": "recurring", "interval": "week", "periods": 60}"#),
            (.funnel, "?steps=screen_view&steps=purchase;params.value%3E1&window=2h", nil), (.funnel, "?steps=a&steps=b&order=strict", nil),
            (
                .funnel, "",
                #"{"steps": [{"event": "screen_view", "filter": "params.screen_name=Home"}, {"event": "purchase", "filter": []}, "refund"]}"#
            ),
            (.revenue, "?filter=params.value%3E25", nil), (.sessions, "?interval=month", nil), (.lifecycle, "?interval=week&tz=Asia/Kathmandu", nil),
        ]

    @Test func `query responses match their schemas exactly`() async throws {
        let schema = try JSONSchema()
        try await RunningDaemon.use { daemon in
            #expect(try await daemon.send("POST", "/v1/events", as: .ingest, Array(Self.events.utf8)).status == 200)
            for (question, query, body) in Self.questions {
                let path = "/v1/query/\(question.rawValue)"
                let answer =
                    if let body { try await daemon.send("POST", path + query, as: .read, Array(body.utf8)) } else {
                        try await daemon.get(path + query, as: .read)
                    }
                #expect(answer.status == 200, "\(path)\(query) \(body ?? "")")
                let value = try JSONValue(answer.body)
                let method = body == nil ? "get" : "post"
                let described = schema.value("paths", path, method, "responses", "200", "content", "application/json", "schema")
                #expect(described["properties"] != nil)
                #expect(schema.problems(of: value, described) == [], "\(path)\(query) \(body ?? "")")
                let type = try #require(ResponseTypes.byOperation["\(method.uppercased()) \(path)"])
                #expect(try ResponseTypes.losses(of: answer.body, as: type) == [], "\(path)\(query) \(body ?? "")")
            }
        }
    }
}
