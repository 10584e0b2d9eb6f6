// SPDX-License-Identifier: Apache-2.0

import Delivery
import JSON
import Messaging
import Platform
import Testing

struct DeliveryBodyTests {
    private let sent = Timestamp(milliseconds: 1_796_000_000_123)

    private func text(_ content: MessageContent, token: String = "tok_1234") -> String {
        String(decoding: DeliveryBody(content).bytes(token: token), as: UTF8.self)
    }

    @Test func `all fields of a message are written`() {
        let content = MessageContent(
            id: "msg_1", topic: "news", notification: Array(#"{"title":"T\"","body":"B"}"#.utf8), data: Array(#"{"a":"1"}"#.utf8),
            platform: Array(#"{"apns":{}}"#.utf8), label: "spring", collapseKey: "k\n", priority: .high, sent: sent, expires: sent + .days(28))
        #expect(
            text(content)
                == #"{"type":"message","timestamp":"2026-11-30T00:53:20.123Z","data":{"message_id":"msg_1","token":"tok_1234","topic":"news","#
                + #""notification":{"title":"T\"","body":"B"},"data":{"a":"1"},"platform":{"apns":{}},"label":"spring","collapse_key":"k\n","priority":"high","#
                + #""sent_at":"2026-11-30T00:53:20.123Z","expires_at":"2026-12-28T00:53:20.123Z"}}"#)
    }

    @Test func `missing fields are omitted`() {
        #expect(
            text(MessageContent(id: "m", sent: sent, expires: sent))
                == #"{"type":"message","timestamp":"2026-11-30T00:53:20.123Z","data":{"message_id":"m","token":"tok_1234","priority":"normal","#
                + #""sent_at":"2026-11-30T00:53:20.123Z","expires_at":"2026-11-30T00:53:20.123Z"}}"#)
    }

    @Test func `an alert has a text at the top`() {
        let content = MessageContent(id: "m", topic: "$alerts.system", text: "The disk is \"full\".", sent: sent, expires: sent)
        #expect(
            text(content).hasPrefix(
                #"{"type":"message","timestamp":"2026-11-30T00:53:20.123Z","text":"The disk is \"full\".","data":{"message_id":"m","token":"#))
    }

    @Test(arguments: ["", "tok_1234", #"a"b\c"#, "é\u{1}\n", String(repeating: "t", count: 2_048)])
    func `any token is written unchanged`(token: String) throws {
        let content = MessageContent(id: "m", condition: "'a' in topics && !('b' in topics)", sent: sent, expires: sent)
        let data = try #require(try JSONValue(DeliveryBody(content).bytes(token: token)).fields.last)
        #expect(data.name == "data" && data.value["token"]?.text == token && data.value["condition"]?.text == content.condition)
        #expect(data.value.fields.map(\.name) == ["message_id", "token", "condition", "priority", "sent_at", "expires_at"])
    }
}
