// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ingestd

/// Invalid devices, subscriptions and messages are rejected by field and store nothing.
@Suite struct MessagingRefusalTests {
    struct Case: Sendable {
        var body: String
        var wrong: Wrong

        init(_ body: String, _ field: String, _ code: String, status: Int = 422) {
            (self.body, wrong) = (body, Wrong(status, field, code))
        }
    }

    private static let devices =
        [
            Case(#"{}"#, "endpoint", "missing"), Case(#"{"endpoint": {"type": "stream"}}"#, "platform", "missing"),
            Case(#"{"platform": "web"}"#, "endpoint", "missing"),
        ]
        + [
            (#""platform": "amiga""#, "platform", "unknown"), (#""platform": 5"#, "platform", "wrong_type"),
            (#""plattform": "web""#, "plattform", "unknown"),
            (#""user_id": 7"#, "user_id", "wrong_type"), (#""installation_id": null"#, "installation_id", "wrong_type"),
            (#""user_id": """#, "user_id", "bad_text"),
            (#""user_id": "a\u0000b""#, "user_id", "bad_text"),
            (#""installation_id": "\#(String(repeating: "i", count: 257))""#, "installation_id", "bad_text"),
            (#""app_version": "\#(String(repeating: "1", count: 101))""#, "app_version", "bad_text"),
            (#""user_id": "\ud800""#, "user_id", "wrong_type"),
            (#""user_id": "a", "user_id": "b""#, "user_id", "repeated"), (#""token": "short""#, "token", "bad_token"),
            (#""token": "with a blank""#, "token", "bad_token"), (#""token": "\#(String(repeating: "t", count: 2_049))""#, "token", "bad_token"),
            (#""kind": "fid""#, "token", "missing"), (#""kind": "apns", "token": "a-token-1""#, "kind", "unknown"),
            (#""endpoint": "stream""#, "endpoint", "wrong_type"), (#""endpoint": {}"#, "endpoint.type", "missing"),
            (#""endpoint": {"type": "pigeon"}"#, "endpoint.type", "unknown"),
            (#""endpoint": {"type": "stream", "url": "http://a"}"#, "endpoint.url", "unknown"),
            (#""endpoint": {"type": "webhook"}"#, "endpoint.url", "missing"),
            (#""endpoint": {"type": "webhook", "url": 5}"#, "endpoint.url", "wrong_type"),
            (#""endpoint": {"type": "webhook", "url": "ftp://a"}"#, "endpoint.url", "unsupported_scheme"),
            (#""endpoint": {"type": "webhook", "url": "http://u:p@a"}"#, "endpoint.url", "userinfo"),
            (#""endpoint": {"type": "webhook", "url": "http://a/#b"}"#, "endpoint.url", "fragment"),
            (#""endpoint": {"type": "webhook", "url": "http://2130706433/"}"#, "endpoint.url", "bad_host"),
            (#""endpoint": {"type": "webhook", "url": "http://a", "secret": "whsec_c2hvcnQ="}"#, "endpoint.secret", "bad_secret"),
            (#""endpoint": {"type": "webhook", "url": "http://a", "scheme": "v2"}"#, "endpoint.scheme", "unknown"),
            (
                #""endpoint": {"type": "webhook", "url": "http://a", "scheme": "v1", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}"#,
                "endpoint.scheme", "not_with_secret"
            ),
        ].map { Case("{\($0.0)}", $0.1, $0.2) }

    private static let topics = [
        Case("{}", "subscribe", "missing"), Case(#"{"subscribe": []}"#, "subscribe", "missing"),
        Case(#"{"subscribe": "a"}"#, "subscribe", "wrong_type"),
        Case(#"{"subscribe": ["a", 5]}"#, "subscribe[1]", "wrong_type"), Case(#"{"subscribe": ["a", "b/c"]}"#, "subscribe[1]", "bad_topic"),
        Case(#"{"subscribe": ["a"], "unsubscribe": ["b", "a"]}"#, "unsubscribe[1]", "contradicts"), Case(#"{"topics": ["a"]}"#, "topics", "unknown"),
        Case(#"{"subscribe": ["a", ""]}"#, "subscribe[1]", "bad_topic"), Case(#"{"subscribe": ["a", "$mine"]}"#, "subscribe[1]", "unknown_topic"),
        Case(#"{"subscribe": [\#([String](repeating: #""a""#, count: 2_001).joined(separator: ","))]}"#, "subscribe", "too_many"),
        Case(#"{"unsubscribe": ["\#(String(repeating: "a", count: 901))"]}"#, "unsubscribe[0]", "bad_topic"),
    ]

    private static let lists = [
        Case("{}", "tokens", "missing"), Case(#"{"tokens": []}"#, "tokens", "bad_count"),
        Case(#"{"tokens": ["a-token-1", "short"]}"#, "tokens[1]", "bad_token"),
        Case(#"{"tokens": "a-token-1"}"#, "tokens", "wrong_type"), Case(#"{"tokens": ["a-token-1"], "topic": "a"}"#, "topic", "unknown"),
        Case(#"{"tokens": [\#([String](repeating: #""a-token-1""#, count: 1_001).joined(separator: ","))]}"#, "tokens", "too_many"),
    ]

    private static let messages =
        [
            Case(#"{"data": {"a": "b"}}"#, "topic", "missing"),
            Case(#"{"topic": "a", "token": "a-token-1", "data": {"a": "b"}}"#, "token", "two_targets"),
            Case(#"{"topic": "a"}"#, "notification", "missing"), Case(#"{"topic": "a", "data": {}}"#, "notification", "missing"),
            Case(#"{"topic": 5, "data": {"a": "b"}}"#, "topic", "wrong_type"), Case(#"{"topic": "a b", "data": {"a": "b"}}"#, "topic", "bad_topic"),
            Case(#"{"topic": "$alerts.system", "data": {"a": "b"}}"#, "topic", "reserved_topic", status: 403),
            Case(#"{"tokens": [], "data": {"a": "b"}}"#, "tokens", "bad_count"),
            Case(#"{"token": "short", "data": {"a": "b"}}"#, "token", "bad_token"),
            Case(#"{"condition": "'a' in topics && 'b'", "data": {"a": "b"}}"#, "condition", "unexpected"),
            Case(#"{"condition": "", "data": {"a": "b"}}"#, "condition", "empty"),
            Case(#"{"condition": "'$alerts.system' in topics", "data": {"a": "b"}}"#, "condition", "reserved_topic"),
            Case(#"{"condition": "'a' in topics && 'b' in topics || 'c' in topics", "data": {"a": "b"}}"#, "condition", "mixed_operators"),
        ]
        + [
            (#""notification": "hello""#, "notification", "wrong_type"), (#""notification": {}"#, "notification", "empty"),
            (#""notification": {"title": 5}"#, "notification.title", "wrong_type"),
            (#""notification": {"icon": "a"}"#, "notification.icon", "unknown"),
            (#""data": ["a"]"#, "data", "wrong_type"), (#""data": {"a": 5}"#, "data.a", "wrong_type"),
            (#""data": {"a": null}"#, "data.a", "wrong_type"),
            (#""data": {"": "b"}"#, "data", "empty_key"), (#""data": {"a": "b", "a": "c"}"#, "data", "duplicate_key"),
            (#""data": {"from": "b"}"#, "data", "reserved_key"), (#""data": {"google.x": "b"}"#, "data", "reserved_key"),
            (#""data": {"a": "\#(String(repeating: "b", count: 4_089))"}"#, "data", "payload_too_large"),
            (#""notification": {"title": "\#(String(repeating: "€", count: 1_400))"}"#, "notification", "payload_too_large"),
            (#""data": {"a": "b"}, "ttl": -1"#, "ttl", "out_of_range"), (#""data": {"a": "b"}, "ttl": 2419201"#, "ttl", "out_of_range"),
            (#""data": {"a": "b"}, "ttl": 1.5"#, "ttl", "wrong_type"), (#""data": {"a": "b"}, "ttl": "1h""#, "ttl", "wrong_type"),
            (#""data": {"a": "b"}, "ttl": "99999999999999999999s""#, "ttl", "wrong_type"),
            (#""data": {"a": "b"}, "collapse_key": """#, "collapse_key", "bad_collapse_key"),
            (#""data": {"a": "b"}, "priority": "urgent""#, "priority", "unknown"),
            (#""data": {"a": "b"}, "send_at": "tomorrow""#, "send_at", "bad_time"),
            (#""data": {"a": "b"}, "send_at": "2199-01-01T00:00:00Z""#, "send_at", "too_far"),
            (#""data": {"a": "b"}, "label": "a b""#, "label", "bad_label"),
            (#""data": {"a": "b"}, "validate_only": "yes""#, "validate_only", "wrong_type"),
            (#""data": {"a": "b"}, "to": "x""#, "to", "unknown"), (#""data": {"a": "b"}, "data": {}"#, "data", "repeated"),
        ].map { Case(#"{"topic": "a", \#($0.0)}"#, $0.1, $0.2) }

    @Test func `the hint for an invalid token depends on the route`() async throws {
        try await MessagingWorld.use { world in
            let made = "Omit it to have one generated."
            let device = #"{"token": "x", "platform": "web", "endpoint": {"type": "stream"}}"#
            #expect(try JSON(await world.post("/v1/devices", device))["hint"].text == made)
            for target in [#""token": "x""#, #""tokens": ["a-token-1", "x"]"#] {
                let hint = try JSON(await world.post("/v1/messages", #"{\#(target), "data": {"a": "b"}}"#))["hint"].text
                #expect(!hint.isEmpty && hint != made)
            }
        }
    }

    @Test func `every invalid field is reported by name, and nothing is stored`() async throws {
        try await MessagingWorld.use { world in
            let token = try await world.stream()
            for (target, cases) in [
                ("/v1/devices", Self.devices), ("/v1/devices/\(token)/topics", Self.topics), ("/v1/topics/news/subscribe", Self.lists),
                ("/v1/topics/news/unsubscribe", Self.lists), ("/v1/messages", Self.messages),
            ] {
                for wrong in cases {
                    let reply = try await world.post(target, wrong.body)
                    #expect(try Wrong(reply) == wrong.wrong, "\(target) \(wrong.body.prefix(100))")
                    #expect(reply.body.count < 2_000, "\(target) \(wrong.body.prefix(100))")
                }
                for broken in ["", "{", "[]", "5", #"{"a": "#, "\u{0}"] {
                    #expect(try await world.post(target, broken).status == 400, "\(target) \(broken)")
                }
            }
            #expect(try await world.get("/v1/devices")["items"].items.map(\.["token"].text) == [token])
            #expect(try await world.get("/v1/topics")["items"].items.isEmpty)
            #expect(try await world.get("/v1/messages")["items"].items.isEmpty)
        }
    }

    @Test(arguments: [
        ("'a' in topics &&", "at character 17"), ("'a' in topic", "at character 8"), ("('a' in topics", "at character 1"),
        ("'a' in topics 'b' in topics", "at character 15"), ("'a b' in topics", "at character 3"),
    ])
    func `a condition error has its position`(_ condition: String, _ place: String) async throws {
        try await MessagingWorld.use { world in
            let problem = try JSON(await world.post("/v1/messages", #"{"condition": "\#(condition)", "data": {"a": "b"}}"#))
            #expect(problem["detail"].text.contains(place + "."), "\(problem["detail"].text)")
            #expect(problem["hint"].exists)
        }
    }

    @Test func `all maximum lengths fit together`() async throws {
        try await MessagingWorld.use { world in
            let tokens = (0..<1_000).map { "\($0)-" + String(repeating: "t", count: 2_043) }
            let device = #"{"token": "\#(tokens[7])", "platform": "web", "endpoint": {"type": "stream"}}"#
            #expect(try await world.post("/v1/devices", device).status == 201)
            // Together with its key and quotes this is 4,096 bytes.
            let list = tokens.map { #""\#($0)""# }.joined(separator: ",")
            let body = #"{"tokens": [\#(list)], "data": {"a": "\#(String(repeating: "b", count: 4_088))"}}"#
            let sent = try JSON(await world.post("/v1/messages", body))
            #expect(sent["audience"].number == 1 && sent["unregistered"].items.count == 999)
            let joined = try JSON(await world.post("/v1/topics/news/subscribe", #"{"tokens": [\#(list)]}"#))
            #expect(joined["succeeded"].number == 1 && joined["results"][7]["result"].text == "subscribed")
        }
    }
}
