// SPDX-License-Identifier: Apache-2.0

import Ingest
import Messaging
import Platform
import Testing

private let decoder = FirebaseMessages(parser: Given.parser)

private func message(_ fields: String) throws -> Publication {
    try decoder.message(Array(#"{"message": {\#(fields)}}"#.utf8), now: Given.received).publication
}

private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

/// Returns the field and code of the error.
private func wrong(_ fields: String) -> String {
    do {
        _ = try message(fields)
        return ""
    } catch let refusal as Refusal {
        return refusal.fields.first.map { "\($0.field) \($0.code)" } ?? refusal.code.rawValue
    } catch {
        return "\(error)"
    }
}

struct FirebaseMessagesTests {
    private static let whole = #"""
        {"validateOnly": true, "message": {"topic": "/topics/news", "notification": {"title": "T", "body": null, "image": "i"}, "data": {"k": "v"},
         "android": {"ttl": "3600.5s", "priority": "high", "collapseKey": "c", "notification": {"channel_id": "x", "n": [1, 2.50, {}]}},
         "apns": {"headers": {"apns-priority": "5", "apns-expiration": "0"}, "payload": {"aps": {"badge": 3}, "Own Key": "\u00fc"}},
         "webpush": {"fcmOptions": {"link": "https://a"}}, "fcmOptions": {"analyticsLabel": "autumn"}}}
        """#

    @Test func `common fields become native ones, platform sections are passed on`() throws {
        let read = try decoder.message(Array(Self.whole.utf8), now: Given.received)
        let draft = read.publication.draft
        #expect(draft.target == .topic(try TopicName("news")) && draft.validateOnly && !read.isToInstallation)
        #expect(text(read.publication.notification) == #"{"title":"T","image":"i"}"# && text(read.publication.data) == #"{"k":"v"}"#)
        #expect(draft.ttl == .seconds(3_601) && draft.priority == .high && draft.collapseKey?.text == "c" && draft.label?.text == "autumn")
        #expect(
            text(read.publication.platform)
                == #"{"android":{"ttl":"3600.5s","priority":"high","collapseKey":"c","notification":{"channel_id":"x","n":[1,2.50,{}]}},"#
                + #""apns":{"headers":{"apns-priority":"5","apns-expiration":"0"},"payload":{"aps":{"badge":3},"Own Key":"\u00fc"}},"#
                + #""webpush":{"fcmOptions":{"link":"https://a"}},"fcm_options":{"analyticsLabel":"autumn"}}"#)
    }

    @Test func `the last of duplicate fields counts in either spelling`() throws {
        let read = try message(#""topic": "a", "topic": "b", "fcm_options": {"analytics_label": "x"}, "fcmOptions": {"analyticsLabel": "y"}"#)
        #expect(read.draft.target == .topic(try TopicName("b")) && read.draft.label?.text == "y")
    }

    @Test(arguments: [
        (#""android": {"ttl": "0s"}"#, Int64(0)), (#""android": {"ttl": "0.001s"}"#, 1), (#""android": {"ttl": "2419200s"}"#, 2_419_200),
        (#""apns": {"headers": {"apns-expiration": "0"}}"#, 0), (#""apns": {"headers": {"APNS-Expiration": "9223372036854775807"}}"#, 2_419_200),
        (#""webpush": {"headers": {"TTL": "15"}}"#, 15), (#""apns": {"headers": {"apns-expiration": "1"}}"#, 0), ("\"name\": \"\"", 2_419_200),
    ])
    func `the TTL comes from one of the platforms`(_ fields: String, _ seconds: Int64) throws {
        #expect(try message(#""topic": "t", \#(fields)"#).draft.ttl == .seconds(seconds))
    }

    @Test(arguments: [
        (#""apns": {"headers": {"apns-priority": "10"}}"#, MessagePriority.high), (#""webpush": {"headers": {"Urgency": "high"}}"#, .high),
        (#""android": {"priority": "NORMAL"}"#, .normal),
        (#""android": {"priority": "NORMAL"}, "apns": {"headers": {"apns-priority": "10"}}"#, .high),
    ])
    func `the priority is high if any platform asks for it`(_ fields: String, _ priority: MessagePriority) throws {
        #expect(try message(#""topic": "t", \#(fields)"#).draft.priority == priority)
    }

    @Test(arguments: [
        ("", "message missing"), (#""topic": null"#, "message missing"), (#""topic": "a", "token": "token-0001""#, "message.topic two_targets"),
        (#""fid": "short""#, "message.fid bad_token"), (#""token": 5"#, "message.token wrong_type"), (#""topic": "a b""#, "message.topic bad_topic"),
        (#""topic": "$alerts.system""#, "message.topic reserved_topic"), (#""condition": "'a' in topics &&""#, "message.condition unexpected"),
        (#""topic": "a", "unknown": 1"#, "message.unknown unknown"), (#""topic": "a", "notification": {"x": 1}"#, "message.notification.x unknown"),
        (#""topic": "a", "notification": []"#, "message.notification wrong_type"), (#""topic": "a", "data": {"a": 1}"#, "message.data.a wrong_type"),
        (#""topic": "a", "data": {"from": "x"}"#, "message.data reserved_key"),
        (#""topic": "a", "data": {"google.x": "x"}"#, "message.data reserved_key"),
        (#""topic": "a", "android": {"ttl": "5"}"#, "message.android.ttl bad_ttl"),
        (#""topic": "a", "android": {"ttl": "-1s"}"#, "message.android.ttl bad_ttl"),
        (#""topic": "a", "android": {"ttl": "1e3s"}"#, "message.android.ttl bad_ttl"),
        (#""topic": "a", "android": {"ttl": "nans"}"#, "message.android.ttl bad_ttl"),
        (#""topic": "a", "android": {"ttl": "2419201s"}"#, "message.android.ttl bad_ttl"),
        (#""topic": "a", "android": 5"#, "message.android wrong_type"),
        (#""topic": "a", "android": {"priority": "urgent"}"#, "message.android.priority unknown"),
        (#""topic": "a", "android": {"collapse_key": ""}"#, "message.android.collapse_key bad_collapse_key"),
        (#""topic": "a", "apns": {"headers": 5}"#, "message.apns.headers wrong_type"),
        (#""topic": "a", "apns": {"headers": {"apns-expiration": "soon"}}"#, "message.apns.headers.apns-expiration bad_time"),
        (#""topic": "a", "fcm_options": {"analytics_label": "a b"}"#, "message.fcm_options.analytics_label bad_label"),
        (#""topic": "a", "data": {"a": "\#(String(repeating: "x", count: 4_090))"}"#, "message.data payload_too_large"),
        (#""topic": "a", "apns": {"payload": {"a": "\#(String(repeating: "x", count: 12_290))"}}"#, "message payload_too_large"),
        (#""topic": "a", "apns": {"payload": {"a": "\ud800"}}"#, "invalid_json"),
        (#""topic": "a", "apns": {"payload": {"\ud800": 1}}"#, "invalid_json"),
    ])
    func `errors name the path of the field`(_ fields: String, _ expected: String) {
        #expect(wrong(fields) == expected)
    }

    @Test func `truncated input and wrong types are rejected and never trap`() {
        let bytes = Array(Self.whole.utf8)
        let last = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
        for length in 0..<last { #expect(throws: Refusal.self) { try decoder.message(Array(bytes[..<length]), now: Given.received) } }
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        for value in ["null", "5", "-1e400", "[]", "\"\"", "\"\\u0000\"", "true", "{}", deep] {
            for name in ["message", "validate_only"] { _ = try? decoder.message(Array(#"{"\#(name)": \#(value)}"#.utf8), now: Given.received) }
            for name in ["token", "fid", "topic", "condition", "notification", "data", "android", "apns", "webpush", "fcm_options"] {
                _ = try? message(#""topic": "a", "\#(name)": \#(value)"#)
                _ = try? message(#""topic": "a", "android": {"\#(name)": \#(value), "ttl": \#(value)}, "apns": {"headers": \#(value)}"#)
            }
        }
        #expect(throws: Refusal.self) { try decoder.message(Array(repeating: 0x20, count: 70_000), now: Given.received) }
    }

    @Test func `an Instance ID batch has a topic and up to 1,000 tokens`() throws {
        let change = try decoder.topicChange(Array(#"{"to": "/topics/news", "registration_tokens": ["a", "b"]}"#.utf8))
        #expect(change.topic.text == "news" && change.tokens == ["a", "b"])
        let many = Array(repeating: #""t""#, count: 1_001).joined(separator: ",")
        for bad in [
            "{}", #"{"to": "/topics/a b", "registration_tokens": ["a"]}"#, #"{"to": "/topics/a", "registration_tokens": []}"#,
            #"{"to": "/topics/a", "registration_tokens": [5]}"#, #"{"to": "/topics/a", "registration_tokens": [\#(many)]}"#,
        ] {
            #expect(throws: Refusal.self) { try decoder.topicChange(Array(bad.utf8)) }
        }
    }
}
