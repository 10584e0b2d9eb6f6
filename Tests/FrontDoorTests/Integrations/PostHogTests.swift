// SPDX-License-Identifier: Apache-2.0

import Compression
import TestSupport
import Testing

@testable import ingestd

@Suite struct PostHogTests {
    private static func events(_ live: LiveDaemon, _ keys: AppKeys) async throws -> [String: Double] {
        let top = try JSON(await live.api.get("/v1/query/top?field=name&from=-1h", key: keys.read))["items"].items
        return Dictionary(uniqueKeysWithValues: top.map { ($0["name"].text, Double($0["value"].number)) })
    }

    @Test func `events are accepted at every path in every encoding`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let event = #"{"event": "a", "distinct_id": "ann", "api_key": "\#(keys.ingest)"}"#
            for path in [
                "/capture", "/capture/", "/e", "/e/", "/i/v0/e", "/i/v0/e/", "/track", "/track/", "/engage", "/engage/", "/batch", "/batch/",
            ] {
                let answer = try await live.api.post(path, event)
                #expect(answer.status == 200 && answer.text == #"{"status":1}"#, "\(path) \(answer.text)")
            }
            let text = event.base64.replacing("+", with: "%2B").replacing("=", with: "%3D")
            #expect(try await live.api.post("/e/?compression=base64", "data=\(text)&compression=base64").status == 200)
            #expect(try await live.api.get("/e/?compression=base64&data=\(text)").status == 200)
            let zipped = gzip(Array(event.utf8))
            let page = ["Content-Type": "text/plain", "Origin": "https://shop.example"]
            let zip = try await live.api.request("POST", "/e/?compression=gzip-js&_=1760000000000", headers: page, body: zipped)
            #expect(zip.status == 200 && zip.headers["access-control-allow-origin"] == "https://shop.example")
            #expect(try await live.api.post("/e/?token=\(keys.ingest)", #"{"event": "a"}"#).status == 200)
            #expect(try await Self.events(live, keys) == ["a": 16])
            for broken in ["data=%00", "data=???"] { #expect(try await live.api.post("/e/", broken).status == 400, "\(broken)") }
            #expect(try await live.api.post("/e/", "other=1").status == 401, "the body has no key")
            #expect(try await live.api.request("POST", "/e/", body: Array(zipped.dropLast(9))).status == 400)
        }
    }

    @Test func `capture with results reports each event's result by ID`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let events = [
                #"{"event": "a", "uuid": "00000000-0000-4000-8000-000000000001"}"#, #"{"event": "", "uuid": "00000000-0000-4000-8000-000000000002"}"#,
                #"{"event": "a", "uuid": "00000000-0000-4000-8000-000000000001"}"#, #"{"event": "b"}"#,
                #"{"event": "c", "uuid": "00000000-0000-4000-8000-000000000003", "properties": {"x": 1e999}}"#,
            ]
            let body = #"{"created_at": "2026-01-01T00:00:00Z", "batch": [\#(events.joined(separator: ","))]}"#
            for _ in 0..<2 {
                let answer = try await live.api.post("/i/v1/analytics/events", key: keys.ingest, body)
                let results = try JSON(answer)["results"]
                #expect(answer.status == 200 && answer.text.split(separator: "-000000000001").count == 2)
                #expect(results["00000000-0000-4000-8000-000000000001"]["result"].text == "ok")
                #expect(results["00000000-0000-4000-8000-000000000002"]["result"].text == "drop")
                #expect(["warning", "ok"].contains(results["00000000-0000-4000-8000-000000000003"]["result"].text))
            }
            #expect(try await Self.events(live, keys) == ["a": 1, "b": 2, "c": 1])
            #expect(try await live.api.post("/i/v1/analytics/events", key: "nonsense", body).status == 401)
        }
    }

    @Test func `identify and alias link IDs to one person, and $set_once keeps the first value`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let events = [
                #"{"event": "a", "distinct_id": "phone", "properties": {"$device_id": "phone"}}"#, #"{"event": "a", "distinct_id": "ann"}"#,
                #"{"event": "a", "distinct_id": "tablet", "properties": {"$is_identified": false}}"#,
                #"{"event": "$identify", "distinct_id": "ann", "properties": {"$anon_distinct_id": "phone"}, "$set": {"tier": "gold"}, "$set_once": {"from": "ad", "tier": "no"}}"#,
                #"{"event": "$create_alias", "distinct_id": "tablet", "properties": {"distinct_id": "tablet", "alias": "ann"}}"#,
                #"{"event": "$set_once", "distinct_id": "ann", "timestamp": "2026-01-01T00:00:00Z", "$set_once": {"seen": "first"}}"#,
                #"{"event": "$set_once", "distinct_id": "ann", "timestamp": "2026-01-02T00:00:00Z", "$set_once": {"seen": "later"}}"#,
                #"{"event": "b", "distinct_id": "made-up", "properties": {"$process_person_profile": false}}"#,
                #"{"event": "b", "distinct_id": "undefined"}"#,
            ]
            let clock = #"{"api_key": "\#(keys.ingest)", "batch": [\#(events.joined(separator: ","))]}"#
            #expect(try await live.api.post("/batch/", clock).status == 200)
            let people = try JSON(await live.api.get("/v1/query/active-users?from=-1h", key: keys.read))
            #expect(people["total"].number == 1, "\(people)")
            let person = try JSON(await live.api.get("/v1/users/ann", key: keys.read))["properties"]
            #expect(person["tier"].exists && "\(person)".contains("gold") && "\(person)".contains("ad") && "\(person)".contains("first"), "\(person)")
        }
    }

    @Test func `an exception becomes an issue with its cause`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let frames = #"{"type": "raw", "frames": [{"function": "main", "in_app": true}, {"function": "boom", "in_app": true}]}"#
            let body = #"""
                {"api_key": "\#(keys.ingest)", "batch": [{"event": "$exception", "distinct_id": "ann", "uuid": "aecdcc24-3d23-4268-a9d3-382948190455", "properties": {
                "$exception_list": [{"type": "ValueError", "value": "outer", "stacktrace": \#(frames)}, {"type": "KeyError", "value": "inner"}]}}]}
                """#
            for _ in 0..<2 { #expect(try await live.api.post("/batch/", body).status == 200) }
            let issues = try JSON(await live.api.get("/v1/issues", key: keys.read))["items"]
            #expect(issues.items.count == 1 && issues[0]["count"].number == 1 && issues[0]["title"].text.contains("ValueError"), "\(issues)")
        }
    }

    @Test func `flags, surveys and configuration are empty`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for path in ["/flags", "/flags/?v=2", "/flags/?v=4", "/decide/?v=3"] {
                let answer = try await live.api.post(path, #"{"distinct_id": "ann", "api_key": "\#(keys.ingest)"}"#)
                #expect(try answer.status == 200 && JSON(answer)["flags"].exists && answer.text.contains(#""errorsWhileComputingFlags":false"#))
                #expect(try await live.api.post(path, #"{"distinct_id": "ann", "api_key": "nonsense"}"#).status == 401)
            }
            let page = ["Origin": "https://shop.example"]
            let configuration = try await live.api.request("GET", "/array/\(keys.ingest)/config", headers: page)
            #expect(try configuration.status == 200 && !JSON(configuration)["surveys"].bool)
            #expect(configuration.headers["access-control-allow-origin"] == "https://shop.example")
            let script = try await live.api.get("/array/\(keys.ingest)/config.js")
            #expect(script.status == 200 && script.headers["content-type"]?.hasPrefix("text/javascript") == true)
            #expect(script.text.contains(#"{"\#(keys.ingest)":{"config":\#(configuration.text),"siteApps":[]}}"#), "\(script.text)")
            for path in ["/api/surveys/?token=\(keys.ingest)", "/api/surveys?token=\(keys.ingest)"] {
                #expect(try await live.api.get(path).text == #"{"surveys":[]}"#)
            }
            for path in ["/array/nonsense/config", "/array/nonsense/config.js", "/api/surveys/?token=nonsense", "/api/surveys/"] {
                #expect(try await live.api.get(path).status == 401, "\(path)")
            }
        }
    }

    @Test func `flag requests have a small body limit in every encoding`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for (length, status) in [(200_000, 200), (300_000, 413)] {
                let text = Array(#"{"api_key": "\#(keys.ingest)", "person_properties": {"text": "\#(String(repeating: "x", count: length))"}}"#.utf8)
                for path in ["/flags", "/flags/?v=2", "/decide", "/decide/?v=3"] {
                    let gzip = ["Content-Encoding": "gzip"]
                    #expect(try await live.api.request("POST", path, body: text).status == status)
                    #expect(try await live.api.request("POST", path, headers: gzip, body: Compression.gzip(text)).status == status)
                    #expect(try await live.api.request("POST", path, body: Compression.gzip(text)).status == status)
                }
            }
        }
    }

    @Test func `a batch slightly above the SDK's limit is accepted, a larger one is not`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            func body(_ bytes: Int) -> String {
                let event = #"{"event": "a", "distinct_id": "ann", "properties": {"text": "\#(String(repeating: "x", count: 60_000))"}}"#
                return #"{"api_key": "\#(keys.ingest)", "batch": [\#(Array(repeating: event, count: bytes / 60_000).joined(separator: ","))]}"#
            }
            #expect(try await live.api.post("/batch/", body(6_000_000)).status == 200)
            #expect(try await live.api.post("/batch/", body(9_000_000)).status == 413)
            #expect(live.stored == 100)
        }
    }
}
