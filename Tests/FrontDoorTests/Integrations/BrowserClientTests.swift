// SPDX-License-Identifier: Apache-2.0

import Compression
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Requests as clients for web pages send them, which differ from those of other programs.
@Suite struct BrowserClientTests {
    private static let origin = "https://shop.example"
    /// A type that a page may send without a preflight.
    private static let plain = ["Origin": origin, "Content-Type": "text/plain"]

    private static func names(_ live: LiveDaemon, _ keys: AppKeys) async throws -> [String: Double] {
        let top = try JSON(await live.api.get("/v1/query/top?field=name&from=-1d", key: keys.read))["items"].items
        return Dictionary(uniqueKeysWithValues: top.map { ($0["name"].text, Double($0["value"].number)) })
    }

    /// Sends twice, as after a lost response, and checks that the page may read both responses.
    private static func send(_ live: LiveDaemon, _ target: String, headers: [String: String] = plain, _ body: [UInt8]) async throws -> Reply {
        _ = try await live.api.request("POST", target, headers: headers, body: body)
        let answer = try await live.api.request("POST", target, headers: headers, body: body)
        #expect(answer.headers["access-control-allow-origin"] == origin, "\(target)")
        #expect(answer.headers["access-control-allow-credentials"] == "true", "\(target)")
        return answer
    }

    @Test func `posthog-js sends compressed, in forms and as beacons`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            func event(_ name: String, _ number: Int) -> String {
                let id = "00000000-0000-4000-8000-00000000000\(number)"
                return #"{"uuid": "\#(id)", "event": "\#(name)", "properties": {"token": "\#(keys.ingest)", "distinct_id": "ann"}}"#
            }
            func form(_ text: String) -> [UInt8] { Array("data=\(text.base64.replacing("+", with: "%2B").replacing("=", with: "%3D"))".utf8) }
            let coded = ["Origin": Self.origin, "Content-Type": "application/x-www-form-urlencoded"]
            let query = "?ip=1&_=\(WallClock.system.now().milliseconds)&ver=1.173.0"
            let sent = [
                (query + "&compression=gzip-js", Self.plain, gzip(Array("[\(event("zipped", 1))]".utf8))),
                (query, ["Origin": Self.origin, "Content-Type": "application/json"], Array(event("plain", 2).utf8)),
                (query + "&compression=base64", coded, form(event("coded", 3))),
                (query + "&beacon=1", coded, form("[\(event("beacon", 4))]")),
                (query + "&compression=gzip-js&beacon=1", Self.plain, gzip(Array(event("zipped_beacon", 5).utf8))),
            ]
            for path in ["/e/", "/i/v0/e/"] {
                for (query, headers, body) in sent {
                    let answer = try await Self.send(live, path + query, headers: headers, body)
                    #expect(answer.status == 200 && answer.text == #"{"status":1}"#, "\(path)\(query): \(answer.text)")
                }
            }
            #expect(try await Self.names(live, keys) == ["zipped": 1, "plain": 1, "coded": 1, "beacon": 1, "zipped_beacon": 1])
        }
    }

    @Test func `posthog-js learns that there are no flags, lists and recordings`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let asked = gzip(Array(#"{"token": "\#(keys.ingest)", "distinct_id": "ann"}"#.utf8))
            let flags = try await Self.send(live, "/flags/?v=2&config=true&ip=0&_=1760000000000&ver=1.314.0&compression=gzip-js", asked)
            #expect(try flags.status == 200 && JSON(flags)["flags"].names == [] && !JSON(flags)["sessionRecording"].bool)
            let lists = [
                ("/api/surveys", "surveys"), ("/api/early_access_features", "earlyAccessFeatures"), ("/api/web_experiments", "experiments"),
                ("/api/product_tours", "product_tours"),
            ]
            for (path, name) in lists {
                for end in ["", "/"] {
                    let answer = try await live.api.request("GET", "\(path)\(end)?token=\(keys.ingest)", headers: Self.plain)
                    #expect(
                        answer.status == 200 && answer.text == #"{"\#(name)":[]}"# && answer.headers["access-control-allow-origin"] == Self.origin)
                    #expect(try await live.api.get("\(path)\(end)?token=nonsense").status == 401)
                }
            }
            let snapshot = #"[{"event": "$snapshot", "properties": {"token": "\#(keys.ingest)", "$snapshot_data": []}}]"#
            for path in ["/s", "/s/", "/s/?ip=0&compression=gzip-js"] {
                let body = path.hasSuffix("js") ? gzip(Array(snapshot.utf8)) : Array(snapshot.utf8)
                let answer = try await Self.send(live, path, body)
                #expect(answer.status == 200 && answer.text == #"{"status":1,"quota_limited":["recordings"]}"#, "\(path)")
            }
            #expect(try await live.api.post("/s/", #"[{"properties": {"token": "nonsense"}}]"#).status == 401)
            #expect(live.stored == 0)
        }
    }

    @Test func `analytics js is told to send without TLS only where there is none`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let cases: [(host: String, fields: [String], scheme: String?)] = [
                ("localhost:8787", [], "http"), ("127.0.0.1:8787", [], "http"), ("[::1]", [], "http"), ("signalbox.example", [], nil),
                ("signalbox.example", ["Origin: https://shop.example"], nil), ("signalbox.example", ["Origin: http://shop.example"], "http"),
                ("signalbox.example", ["Origin: null"], nil), ("localhost", ["X-Forwarded-Proto: https"], nil),
                ("signalbox.example", ["Origin: http://shop.example", "X-Forwarded-Proto: https"], nil),
                ("signalbox.example", ["X-Forwarded-Proto: HTTP"], "http"),
                ("signalbox.example", ["Origin: http://shop.example", "X-Forwarded-For: 192.0.2.1"], nil),
            ]
            for (host, fields, scheme) in cases {
                let lines = ["GET /v1/projects/\(keys.ingest)/settings HTTP/1.1", "Host: \(host)"] + fields
                let own = try JSON(await live.exchange(lines.joined(separator: "\r\n") + "\r\n\r\n"))["integrations"]["Segment.io"]
                #expect(own["apiHost"].text == "\(host)/v1" && own["protocol"].exists == (scheme != nil), "\(host) \(fields)")
                if let scheme { #expect(own["protocol"].text == scheme) }
            }
            let call = #"{"messageId": "m1", "event": "a", "anonymousId": "page", "writeKey": "\#(keys.ingest)", "sentAt": "2026-11-21T08:00:00Z"}"#
            #expect(try await Self.send(live, "/v1/t", Array(call.utf8)).status == 200)
            #expect(live.stored == 1)
        }
    }

    @Test func `RudderStack's SDK gets a source without destinations, and sends calls and beacons`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let basic = ["Origin": Self.origin, "Authorization": "Basic " + (keys.ingest + ":").base64]
            for target in [
                "/sourceConfig/?p=cdn&v=3.26.0&build=modern&writeKey=\(keys.ingest)", "/sourceConfig?writeKey=\(keys.ingest)", "/sourceConfig",
            ] {
                let answer = try await live.api.request("GET", target, headers: target.contains("Key") ? Self.plain : basic)
                let source = try JSON(answer)["source"]
                #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == Self.origin)
                #expect(
                    source["id"].text == "\(keys.app)" && source["enabled"].bool && source["destinations"].items.isEmpty && source["config"].exists)
                #expect(
                    !source["config"]["statsCollection"]["errors"]["enabled"].bool && !source["config"]["statsCollection"]["metrics"]["enabled"].bool)
            }
            let batch = Array(
                #"{"batch": [{"type": "track", "event": "b", "messageId": "m2", "anonymousId": "page"}], "sentAt": "2026-11-21T08:00:00Z"}"#.utf8)
            #expect(try await Self.send(live, "/beacon/v1/batch?writeKey=\(keys.ingest)", batch).status == 200)
            let track = Array(#"{"type": "track", "event": "c", "messageId": "m3", "anonymousId": "page"}"#.utf8)
            #expect(try await Self.send(live, "/v1/track", headers: basic.merging(["AnonymousId": "cGFnZQ=="]) { $1 }, track).status == 200)
            #expect(try await Self.names(live, keys) == ["b": 1, "c": 1])
            for (key, status) in [("nonsense", 401), ("", 401), ("%zz", 401), ("%00", 401), (keys.read, 403), (keys.admin, 403)] {
                #expect(try await live.api.request("GET", "/sourceConfig?writeKey=\(key)", headers: Self.plain).status == status, "\(key)")
                #expect(try await live.api.request("POST", "/beacon/v1/batch?writeKey=\(key)", headers: Self.plain, body: batch).status == status)
            }
        }
    }

    @Test func `the SDK of Sentry sends envelopes as plain text with the key in the query`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let target = "/api/\(keys.app)/envelope/?sentry_version=7&sentry_key=\(keys.ingest)&sentry_client=sentry.javascript.browser%2F8.55.2"
            let id = "0123456789abcdef0123456789abcdef"
            let event = #"{"event_id": "\#(id)", "exception": {"values": [{"type": "CartError", "value": "empty"}]}}"#
            let plain = ["Origin": Self.origin, "Content-Type": "text/plain;charset=UTF-8"]
            let answer = try await Self.send(live, target, headers: plain, Array("{\"event_id\":\"\(id)\"}\n{\"type\":\"event\"}\n\(event)\n".utf8))
            #expect(answer.status == 200 && answer.text.contains(id))
            let issues = try JSON(await live.api.get("/v1/issues", key: keys.read))["items"].items
            #expect(issues.count == 1 && issues[0]["count"].number == 1)
            for key in [keys.read, keys.send, keys.admin] {
                let other = try await live.api.post(target.replacing(keys.ingest, with: key), headers: plain, "{}")
                #expect(other.status == 403 && other.headers["access-control-allow-origin"] == Self.origin)
            }
        }
    }
}
