// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

@Suite struct GoogleAnalyticsTests {
    private static let instance = "0123456789abcdef0123456789abcdef"

    private static func body(_ events: String, _ more: String = "") -> String {
        #"{"app_instance_id": "\#(instance)", \#(more)"events": [\#(events)]}"#
    }

    @Test func `server events are stored, and invalid ones are quarantined and can be replayed`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let target = "/mp/collect?firebase_app_id=1:1:android:aa&api_secret=\(keys.ingest)"
            let events = #"{"name": "level_up", "params": {"session_id": 5, "level": 3}}, {"name": "session_start"}, {"name": "bad name"}"#
            let answer = try await live.api.post(target, Self.body(events, #""user_properties": {"plan": {"value": "gold"}}, "#))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try Taken(answer) == Taken(accepted: 2, quarantined: 2))
            #expect(try JSON(answer)["results"].items.map(\.["code"].text) == ["reserved_event_name", "bad_event_name"])
            let top = try JSON(await live.api.get("/v1/query/top?field=context.platform&from=-1h", key: keys.read))
            #expect(top["items"][0]["name"].text == "android" && top["items"][0]["value"].number == 1)
            let person = try JSON(await live.api.get("/v1/users/\(Self.instance)?by=installation", key: keys.read))
            #expect(person["properties"].exists && person["items"].items.count == 1)
            let replay = try JSON(await live.api.post("/v1/quarantine/replay", key: keys.admin, ""))
            #expect(replay["accepted"].number == 0 && replay["quarantined"].number == 2)
        }
    }

    @Test func `enforced recommendations quarantine events that violate them`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let body = Self.body(
                #"{"name": "search"}, {"name": "search", "params": {"search_term": "x"}}"#, #""validationBehavior": "ENFORCE_RECOMMENDATIONS", "#)
            let answer = try await live.api.post("/mp/collect?firebase_app_id=1:1:ios:a", key: keys.ingest, body)
            #expect(try Taken(answer) == Taken(accepted: 1, quarantined: 1))
            let kept = try JSON(await live.api.get("/v1/quarantine", key: keys.read))["items"][0]
            #expect(kept["field"].text == "params.search_term" && kept["raw"].text.contains("search"))
            // A replay applies our own rules, without Google's recommendations.
            #expect(try JSON(await live.api.post("/v1/quarantine/replay", key: keys.admin, ""))["accepted"].number == 1)
        }
    }

    @Test(arguments: ["/mp/collect", "/debug/mp/collect"])
    func `during shutdown clients get 429 with Retry-After`(path: String) async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let connection = try live.api.connect()
            let bytes = TestClient.bytes("POST", "\(path)?api_secret=\(keys.ingest)", body: Array(Self.body(#"{"name": "x"}"#).utf8))
            // Begun before, so that the connection is there afterwards.
            try await connection.send(bytes.prefix(20))
            #expect(try await live.api.get("/healthz").status == 200)
            live.daemon.beginDrain()
            try await connection.send(bytes.dropFirst(20))
            let refused = try await connection.reply()
            #expect(refused.status == 429 && refused.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
            #expect(try JSON(refused)["status"].number == 429)
        }
    }

    @Test func `the validation endpoint reports problems and stores nothing`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let target = "/debug/mp/collect?firebase_app_id=1:1:ios:a&api_secret="
            let bad = try await live.api.post(target + keys.ingest, Self.body(#"{"name": "_x"}"#))
            #expect(bad.status == 200)
            #expect(try JSON(bad)["validationMessages"][0]["validationCode"].text == "NAME_INVALID")
            let good = try await live.api.post(target + keys.ingest, Self.body(#"{"name": "x"}"#))
            #expect(good.text == #"{"validationMessages":[]}"#)
            let stranger = try await live.api.post(target, Self.body(#"{"name": "x"}"#))
            #expect(stranger.status == 401 && stranger.text.contains("VALUE_REQUIRED"))
            let many = Array(repeating: #"{"name": "x"}"#, count: 26).joined(separator: ",")
            #expect(try await live.api.post(target + keys.ingest, Self.body(many)).text.contains("EXCEEDED_MAX_ENTITIES"))
            #expect(try JSON(await live.api.get("/v1/system", key: keys.read))["events"]["accepted"].number == 0)
        }
    }
}
