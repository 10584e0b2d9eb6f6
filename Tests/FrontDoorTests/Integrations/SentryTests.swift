// SPDX-License-Identifier: Apache-2.0

import Compression
import Crypto
import Platform
import TestSupport
import Testing

@testable import ingestd

/// The Sentry integration over real sockets.
@Suite struct SentryTests {
    private static func envelope(_ fields: String = #""message":"m""#, id: String = "7fd08401fdfb4f35babf279a338aec19") -> String {
        #"{"event_id":"\#(id)"}"# + "\n" + #"{"type":"event"}"# + "\n{\(fields)}\n"
    }

    private static func session(_ id: String, _ status: String, user: String? = nil) -> String {
        let did = user.map { #","did":"\#($0)""# } ?? ""
        let start = CrashingWorld.start.rfc3339
        return "{}\n{\"type\":\"session\"}\n"
            + #"{"sid":"\#(id)","status":"\#(status)","started":"\#(start)","timestamp":"\#(start)"\#(did),"attrs":{"release":"shop@2.0"}}"#
    }

    private static func auth(_ key: String) -> [String: String] {
        ["X-Sentry-Auth": "Sentry sentry_version=7,sentry_client=sentry.cocoa/9.26.0,sentry_key=\(key)"]
    }

    private static func send(_ text: String, _ world: CrashingWorld, _ headers: [String: String]? = nil, to path: String? = nil) async throws -> Reply
    {
        try await world.api.request(
            "POST", path ?? "/api/\(world.ours.app)/envelope/", headers: headers ?? auth(world.ours.ingest), body: Array(text.utf8))
    }

    @Test func `an event counts once through every path and authentication`() async throws {
        try await CrashingWorld.use { world in
            let (app, key) = (world.ours.app, world.ours.ingest)
            let ways: [(String, [String: String])] = [
                ("/api/\(app)/envelope/", Self.auth(key)), ("/api/ours/envelope", ["X-Sentry-Auth": "Sentry sentry_key=\(key), sentry_version=7"]),
                ("/api/\(app)/envelope/?sentry_version=7&sentry_key=\(key)", ["Content-Type": "text/plain"]),
                ("/api/\(app)/envelope/", ["Authorization": "Sentry sentry_key=\(key), sentry_timestamp=1.5"]),
                ("/api/\(app)/envelope/", ["Authorization": "Bearer \(key)", "Content-Type": "application/x-www-form-urlencoded"]),
                ("/api/\(app)/envelope/", ["Authorization": "Basic " + (key + ":").base64]),
            ]
            for (path, headers) in ways {
                let answer = try await Self.send(Self.envelope(), world, headers, to: path)
                #expect(answer.status == 200 && answer.text == #"{"id":"7fd08401fdfb4f35babf279a338aec19"}"#)
            }
            let named = "{\"dsn\":\"https://\(key)@example.com/1\"," + Self.envelope().dropFirst()
            #expect(try await Self.send(named, world, [:]).status == 200)
            let plain = #"{"event_id":"7fd08401-fdfb-4f35-babf-279a338aec19","message":"m"}"#
            #expect(try await Self.send(plain, world, to: "/api/\(app)/store/").status == 200)
            let issues = try await world.get("/v1/issues")["items"].items
            #expect(issues.map(\.["count"].number) == [1])
        }
    }

    @Test func `every content coding is decoded, and a compressed event too`() async throws {
        try await CrashingWorld.use { world in
            let body = Array(Self.envelope().utf8)
            let path = "/api/\(world.ours.app)/envelope/"
            let zipped = gzip(body), raw = Array(zipped.dropFirst(10).dropLast(8))
            // A zlib header and checksum around the same data, and the output of brotli's encoder.
            let zlib = [0x78, 0x9c] + raw + [0x0e, 0x31, 0x19, 0x22]
            let brotli = try #require(
                Hex.decode(
                    "1b500000c4c06b3ec1035ab4c93e2a7b104364614952d7b9bdc88f7cd8429dc1c31419b592b2222b12590895c449c18d8b85b0719e32879fbcd8ee29874f41af88c2a3c7"
                        + "4f00"))
            for (coding, bytes) in [
                ("gzip", zipped), ("x-gzip", zipped), ("deflate", zlib), ("deflate", raw), ("br", brotli), ("zstd", compress(body)),
                ("identity", body), ("", body),
            ] {
                let headers = Self.auth(world.ours.ingest).merging(["Content-Encoding": coding]) { $1 }
                let answer = try await world.api.request("POST", path, headers: headers, body: bytes)
                #expect(answer.status == 200 && answer.text.contains("7fd08401fdfb4f35babf279a338aec19"), "\(coding)")
                let cut = try await world.api.request("POST", path, headers: headers, body: Array(bytes.dropLast(bytes == body ? 8 : 5)))
                #expect(cut.status == 400, "\(coding)")
            }
            for (coding, bomb) in LimitTests.bombs {
                let headers = Self.auth(world.ours.ingest).merging(["Content-Encoding": coding]) { $1 }
                // Only the beginning of an envelope is decoded, and that of a bomb is none.
                for (path, status) in [(path, 400), ("/api/\(world.ours.app)/store/", 413)] {
                    let answer = try await world.api.request("POST", path, headers: headers, body: bomb)
                    #expect(try answer.status == status && !JSON(answer)["detail"].text.isEmpty, "\(coding) \(path)")
                }
            }
            // zlib.compress(b'{"message":"packed"}') as Base64.
            let packed = "eJyrVspNLS5OTE9VslIqSEzOTk1RqgUASsQHCA=="
            #expect(try await Self.send(packed, world, to: "/api/\(world.ours.app)/store").status == 200)
            for broken in ["eJyrVg==", "zzz", "{", ""] {
                let answer = try await Self.send(broken, world, to: "/api/\(world.ours.app)/store/")
                #expect(answer.status == 400)
                #expect(try !JSON(answer)["detail"].text.isEmpty)
            }
            let issues = try await world.get("/v1/issues")["items"].items
            #expect(Set(issues.map { "\($0["title"].text) \($0["count"].number)" }) == ["m 1", "packed 1"])
        }
    }

    @Test func `local variables and source lines are kept, cut and removed by setting and anonymisation`() async throws {
        try await CrashingWorld.use { world in
            func event(_ id: String) async throws -> JSON {
                let vars = (0..<40).map { "\"v\($0)\":\($0 == 1 ? "{\"a\":[1]}" : "\"\(String(repeating: "x", count: 300))\"")" }.joined(
                    separator: ",")
                let lines = (0..<9).map { "\"line \($0)\"" }.joined(separator: ",")
                let frame = #""function":"pay","module":"shop","vars":{\#(vars)},"context_line":"now","#
                let context = #""pre_context":[\#(lines)],"post_context":[\#(lines)]"#
                let stack = #"{"frames":[{"function":"lib","in_app":false,"vars":{"a":"1"}},{\#(frame)\#(context),"in_app":true}]}"#
                let body = #""platform":"python","user":{"id":"ann"},"exception":{"values":[{"type":"E","value":"v","stacktrace":\#(stack)}]}"#
                #expect(try await Self.send(Self.envelope(body, id: id), world).status == 200)
                let issue = try await world.issues()[0]["id"].text
                return try await world.crash(id, of: issue)["report"]["exceptions"][0]["frames"]
            }
            let kept = try await event("7fd08401-fdfb-4f35-babf-279a338aec19")
            #expect(!kept[0]["vars"].exists && kept[1]["vars"].names.count == 32 && kept[1]["vars"]["v1"].text == #"{"a":[1]}"#)
            #expect(kept[1]["vars"]["v0"].text.count == 256)
            #expect(kept[1]["pre_context"].items.map(\.text) == (4..<9).map { "line \($0)" })
            #expect(kept[1]["post_context"].items.map(\.text) == (0..<5).map { "line \($0)" } && kept[1]["context_line"].text == "now")
            #expect(try await world.api.request("POST", "/v1/users/ann/anonymise", key: world.ours.admin).status == 200)
            let issue = try await world.issues()[0]["id"].text
            let anonymous = try await world.crash("7fd08401-fdfb-4f35-babf-279a338aec19", of: issue)["report"]["exceptions"][0]["frames"]
            #expect(!anonymous[1]["vars"].exists && anonymous[1]["context_line"].text == "now")
            let setting = try await world.api.request("PATCH", "/v1/app", key: world.ours.admin, body: Array(#"{"local_variables":false}"#.utf8))
            #expect(setting.status == 200, "\(setting.text)")
            let without = try await event("8fd08401-fdfb-4f35-babf-279a338aec19")
            #expect(!without[1]["vars"].exists && without[1]["context_line"].text == "now")
            let source = try await world.api.request("PATCH", "/v1/app", key: world.ours.admin, body: Array(#"{"source_context":false}"#.utf8))
            #expect(try source.status == 200 && JSON(source)["source_context"].bool == false)
            let bare = try await event("9fd08401-fdfb-4f35-babf-279a338aec19")[1]
            #expect(bare["function"].text == "pay" && !["context_line", "pre_context", "post_context"].contains { bare[$0].exists })
        }
    }

    @Test func `a wrong key, another app's key and an invalid envelope get errors that the SDKs understand`() async throws {
        try await CrashingWorld.use { world in
            for headers in [[:], Self.auth("nonsense"), Self.auth(world.ours.read), Self.auth(world.theirs.ingest)] {
                let answer = try await Self.send(Self.envelope(), world, headers)
                #expect(answer.status == 403 && answer.headers["content-type"] == "application/json")
                #expect(try !JSON(answer)["detail"].text.isEmpty)
            }
            #expect(try await Self.send("nonsense", world).status == 400)
            let large = Self.envelope(#""message":"\#(String(repeating: "a", count: 1 << 20))""#)
            #expect(try await Self.send(large, world).status == 413)
            #expect(try await world.get("/v1/issues")["items"].items.isEmpty)
        }
    }

    @Test func `errors beyond the rate get a rate limit in whole seconds, sessions do not`() async throws {
        try await CrashingWorld.use { world in
            let body = Array(#"{"events_per_minute": 2}"#.utf8)
            #expect(try await world.api.request("PATCH", "/v1/app", key: world.ours.admin, body: body).status == 200)
            for _ in 0..<2 { #expect(try await Self.send(Self.envelope(), world).status == 200) }
            let refused = try await Self.send(Self.envelope(), world)
            #expect(refused.status == 429)
            let seconds = try #require(refused.headers["retry-after"].flatMap { Int($0) })
            #expect(seconds > 0 && refused.headers["x-sentry-rate-limits"] == "\(seconds):error;default:key")
            let metrics = try await world.api.get("/metrics").text
            #expect(metrics.contains(#"signalbox_sentry_items_total{type="event",outcome="refused"} 1"#))
        }
    }

    @Test func `on a full disk every category is rate limited`() async throws {
        try await CrashingWorld.use(configure: { $0.storage.minFreeDisk = 1 << 60 }) { world in
            let refused = try await Self.send(Self.envelope(), world)
            #expect(refused.status == 429 && refused.headers["x-sentry-rate-limits"] == "10::organization" && refused.headers["retry-after"] == "10")
        }
    }

    @Test func `pages of allowed origins may send and read the rate limits`() async throws {
        try await CrashingWorld.use(configure: { $0.server.corsOrigins = [.any] }) { world in
            let wish = ["Origin": "https://shop.example", "Access-Control-Request-Method": "POST"]
            let path = "/api/\(world.ours.app)/envelope/"
            let allowed = try await world.api.request("OPTIONS", path, headers: wish)
            #expect(allowed.status == 204 && allowed.headers["access-control-allow-headers"]?.contains("X-Sentry-Auth") == true)
            let sent = try await Self.send(Self.envelope(), world, wish, to: path + "?sentry_key=\(world.ours.ingest)")
            #expect(sent.headers["access-control-allow-origin"] == "https://shop.example")
            #expect(sent.headers["access-control-expose-headers"]?.contains("X-Sentry-Rate-Limits") == true)
        }
    }

    @Test func `a session counts once and crashes by its error or its status`() async throws {
        let clock = ManualClock(CrashingWorld.start + .hours(1))
        try await CrashingWorld.use(clock: clock.clock) { world in
            for (id, status, user) in [
                ("s1", "ok", "ann"), ("s1", "exited", "ann"), ("s2", "crashed", "bob"), ("s2", "crashed", "bob"), ("s3", "abnormal", nil),
            ] {
                #expect(try await Self.send(Self.session(id, status, user: user), world).text == "{}")
            }
            // The crash has no session ID; person and time identify the session.
            let time = (CrashingWorld.start + .minutes(1)).rfc3339
            let crash =
                #""exception":[{"type":"E","mechanism":{"type":"x","handled":false}}],"release":"shop@2.0","timestamp":"\#(time)","user":{"id":"bob"}"#
            #expect(try await Self.send(Self.envelope(crash), world).status == 200)
            let total = try await world.get("/v1/query/crash-free?from=-1d")["total"]
            #expect(["sessions", "crashed_sessions", "users", "crashed_users"].map { total[$0].number } == [3, 1, 3, 1])
            let releases = try await world.get("/v1/query/crash-free?from=-1d")["releases"].items
            #expect(releases.map(\.["release"].text) == ["2.0"])
        }
    }

    @Test func `skipped items are counted by type and do not affect others`() async throws {
        try await CrashingWorld.use { world in
            let report = #"{"discarded_events":[{"reason":"before_send","category":"error","quantity":2}]}"#
            let sums = #"{"aggregates":[{"exited":3,"errored":1}],"attrs":{"release":"shop@2.0"}}"#
            let items =
                Self.envelope() + "{\"type\":\"attachment\",\"length\":4}\na\r\n\0\n{\"type\":\"log\"}\n{}\n{\"type\":\"client_report\"}\n\(report)\n"
                + "{\"type\":\"sessions\"}\n\(sums)\n"
            #expect(try await Self.send(items, world).text == #"{"id":"7fd08401fdfb4f35babf279a338aec19"}"#)
            let metrics = try await world.api.get("/metrics").text
            for line in [
                #"items_total{type="event",outcome="taken"} 1"#, #"items_total{type="attachment",outcome="taken"} 1"#,
                #"items_total{type="log",outcome="skipped"} 1"#, #"lost_total{reason="before_send",category="error"} 2"#,
                #"counted_sessions_total{status="exited"} 3"#, #"counted_sessions_total{status="errored"} 1"#,
            ] { #expect(metrics.contains("signalbox_sentry_" + line + "\n"), "\(line)") }
        }
    }

    @Test func `during shutdown the connection is closed without a response`() async throws {
        try await CrashingWorld.use { world in
            let connection = try world.api.connect()
            let path = "/api/\(world.ours.app)/envelope/"
            let bytes = TestClient.bytes("POST", path, headers: Self.auth(world.ours.ingest), body: Array(Self.envelope().utf8))
            #expect(try await connection.exchange(bytes).status == 200)
            world.live.daemon.beginDrain()
            await #expect(throws: (any Error).self) { try await connection.exchange(bytes) }
        }
    }
}
