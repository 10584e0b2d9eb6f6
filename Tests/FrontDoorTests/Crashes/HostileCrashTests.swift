// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// Hostile reports are cut or rejected with a reason, and the stored part can be shown.
@Suite struct HostileCrashTests {
    private static let many = 10_000
    private static let long = String(repeating: "x", count: 1 << 20)
    private static let frames = list(many) { #"{"function": "f\#($0)", "lineno": \#($0)}"# }

    private static func list(_ count: Int, _ item: (Int) -> String) -> String { "[" + (0..<count).map(item).joined(separator: ",") + "]" }

    private static func object(_ count: Int, _ item: (Int) -> String) -> String { "{" + (0..<count).map(item).joined(separator: ",") + "}" }

    private static func deep(_ levels: Int) -> String {
        String(repeating: #"{"a":["#, count: levels) + "1" + String(repeating: "]}", count: levels)
    }

    /// Each report may be cut, quarantined or rejected.
    static let bodies: [(String, SentCrash)] = [
        ("tag bomb", SentCrash().with("custom_keys", json: object(many) { #""key\#($0)": "\#($0)""# })),
        ("pairs", SentCrash().with("custom_keys", json: list(many) { #"["k\#($0)", \#($0)]"# })),
        ("frames", SentCrash().with("frames", json: frames)), ("no frames", SentCrash().with("frames", json: list(many) { _ in "{}" })),
        ("threads", SentCrash().with("threads", json: list(1_000) { #"{"id": \#($0), "crashed": true, "frames": [{"function": "f"}]}"# })),
        ("a long type", SentCrash().with("type", String(long.dropLast(1_000)))),
        ("a long reason", SentCrash().with("reason", String(long.dropLast(1_000)))),
        ("a long function", SentCrash(in: String(long.dropLast(1_000)))), ("too much", SentCrash().with("logs", long)),
        ("a long log", SentCrash().with("logs", String(long.dropLast(1_000)))),
        ("exceptions", SentCrash().with("exceptions", json: list(1_000) { #"{"type": "E\#($0)", "value": "v", "frames": [{"function": "g"}]}"# })),
        ("deep data", SentCrash().with("breadcrumbs", json: "[{\"data\": \(deep(500))}]")),
        ("deep key", SentCrash().with("custom_keys", json: deep(20))),
        ("deep frames", SentCrash().with("frames", json: deep(20))),
        ("control characters", SentCrash().with("type", #"\u0000\u0001\u001b[31m\u007f"#)),
        ("lone surrogates", SentCrash(#"id\ud800"#).with("reason", #"\udfff\ud800"#).with("user_id", #"\ud800"#)),
        ("surrogates in keys", SentCrash().with("custom_keys", json: #"{"\ud800": "\udc00"}"#).with("fingerprint", json: #"["\ud800"]"#)),
        (
            "broken images",
            SentCrash().with(
                "images",
                json: #"""
                    [{"debug_id": "zz", "image_addr": "0x", "image_size": -1}, 7, null, "x", {"debug_id": [], "image_addr": 1e999},
                     {"debug_id": "4c4c4414-5555-3144-a1e5-d672487d359b", "image_addr": "0xffffffffffffffff", "image_size": 18446744073709551615}]
                    """#
            ).with("frames", json: #"[{"instruction_addr": "0xffffffffffffffff"}, {"instruction_addr": 0, "addr_mode": "rel:99999999999999999999"}]"#)
        ),
        (
            "images",
            SentCrash().with("images", json: list(many) { #"{"debug_id": "\#(DebugIDs.made($0))", "image_addr": \#($0 * 16), "image_size": 16}"# })
                .with("frames", json: list(200) { #"{"instruction_addr": \#($0 * 16 + 8)}"# })
        ),
        ("wrong types", ["exceptions", "threads", "frames", "images", "breadcrumbs", "logs"].reduce(SentCrash()) { $0.with($1, json: "7") }),
        ("nothing", ["exceptions", "threads", "frames", "images", "breadcrumbs", "custom_keys"].reduce(SentCrash()) { $0.with($1, json: "null") }),
        ("fingerprints", SentCrash().with("fingerprint", json: list(many) { #""{{ default }} \#($0)""# })),
        (
            "numbers",
            SentCrash().with(
                "frames", json: #"[{"lineno": -9223372036854775808}, {"lineno": 1e308, "colno": 99999999999999999999, "instruction_addr": -1}]"#)
        ),
    ]

    @Test(arguments: bodies.map(\.0)) func `a hostile report is cut or rejected, and its issue can be shown`(name: String) async throws {
        let crash = try #require(Self.bodies.first { $0.0 == name }).1
        try await CrashingWorld.use { world in
            let reply = try await world.send(crash)
            let answer = try JSON(reply)
            #expect(reply.status == 200 || ((400..<500).contains(reply.status) && !answer["detail"].text.isEmpty), "\(reply.status)")
            #expect(reply.body.count < 100_000)
            for issue in try await world.issues() {
                _ = try await world.issue(issue["id"].text)
                let shown = try await world.crash("latest", of: issue["id"].text)
                #expect(shown["report"]["frames"].items.count <= 250 && shown["report"]["exceptions"].items.count <= 50)
                #expect(shown["report"]["custom_keys"].names.count <= 64 && shown["report"]["fingerprint"].items.count <= 20)
            }
            _ = try await world.get("/v1/quarantine")
            _ = try await world.get("/v1/symbols/missing")
            #expect(try Taken(await world.send(SentCrash("next", in: "Next.f()"))) == Taken(accepted: 1))
        }
    }

    @Test func `invalid UTF-8 and control bytes are rejected or replaced`() async throws {
        try await CrashingWorld.use { world in
            let broken: [[UInt8]] = [
                Array(#"{"crashes": [{"type": ""#.utf8) + [0xff, 0xfe, 0xc0, 0x80] + Array(#""}]}"#.utf8),
                Array(#"{"crashes": [{"type": ""#.utf8) + [0x00, 0x07, 0x1b] + Array(#""}]}"#.utf8), [0xef, 0xbb, 0xbf] + Array("[]".utf8),
                Array(String(repeating: "[", count: 100_000).utf8), Array(#"{"crashes": 7}"#.utf8), Array("7".utf8), [],
            ]
            for body in broken {
                let reply = try await world.api.request(
                    "POST", "/v1/crashes", key: world.ours.ingest, headers: ["Content-Type": "application/json"], body: body)
                #expect((200..<500).contains(reply.status))
                _ = try JSON(reply)
            }
            #expect(try Taken(await world.send(SentCrash("next"))) == Taken(accepted: 1))
        }
    }

    @Test func `cuts are reported to the sender and in the report`() async throws {
        try await CrashingWorld.use { world in
            let crash = SentCrash("1").with("custom_keys", json: Self.object(Self.many) { #""key\#($0)": "\#($0)""# }).with(
                "frames", json: Self.frames)
            let reply = try await world.send(crash)
            #expect(try Taken(reply) == Taken(accepted: 1))
            let results = try JSON(reply)["results"].items
            #expect(Set(results.map(\.["field"].text)) == ["custom_keys", "frames"])
            #expect(results.allSatisfy { $0["result"].text == "corrected" && $0["code"].text == "too_many_entries" })
            let report = try await world.crash("1", of: results[0]["issue"].text)["report"]
            #expect(report["cuts"].items.count == 2 && report["custom_keys"].names.count == 64)
            // Both ends of a stack are kept.
            let kept = report["frames"].items.map(\.["function"].text)
            #expect(kept.count == 250 && kept.first == "f0" && kept.last == "f9999")
        }
    }
}

private enum DebugIDs {
    static func made(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "4c4c4414-5555-3144-a1e5-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}
