// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import Testing

struct MessageDraftTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    @Test func `a draft defaults to four weeks and immediate delivery`() throws {
        let draft = MessageDraft(to: .topic(try TopicName("news")))
        #expect(draft.ttl == .seconds(2_419_200) && draft.sendAt == nil && draft.priority == .normal && !draft.validateOnly)
    }

    @Test func `a TTL is at most four weeks`() throws {
        for seconds in [0, 1, 2_419_200] { #expect(try MessageLimits.ttl(seconds: seconds) == .seconds(Int64(seconds))) }
        for seconds in [-1, 2_419_201, .min, .max] {
            #expect(fault(try MessageLimits.ttl(seconds: seconds)) == "ttl out_of_range")
        }
    }

    @Test func `send_at is at most thirty days ahead, and a past time means now`() throws {
        #expect(try MessageLimits.sendAt(now + .days(30), now: now) == now + .days(30))
        #expect(try MessageLimits.sendAt(now + .init(milliseconds: 1), now: now) == now + .init(milliseconds: 1))
        for past in [now, now - .days(400), Timestamp(milliseconds: .min)] { #expect(try MessageLimits.sendAt(past, now: now) == nil) }
        for late in [now + .days(30) + .init(milliseconds: 1), Timestamp(milliseconds: .max)] {
            #expect(fault(try MessageLimits.sendAt(late, now: now)) == "send_at too_far")
        }
    }

    @Test func `a message has 1 to 1,000 tokens`() throws {
        for count in [1, 1_000] { try MessageLimits.tokens(count) }
        for count in [0, 1_001] { #expect(fault(try MessageLimits.tokens(count)) == "tokens bad_count") }
    }

    @Test func `notification and data share 4096 bytes`() throws {
        for (notification, data) in [(0, 0), (4_096, 0), (0, 4_096), (96, 4_000)] {
            try MessageLimits.payload(notificationBytes: notification, dataBytes: data)
        }
        #expect(fault(try MessageLimits.payload(notificationBytes: 97, dataBytes: 4_000)) == "data payload_too_large")
        #expect(fault(try MessageLimits.payload(notificationBytes: 4_097, dataBytes: 0)) == "notification payload_too_large")
    }

    @Test(arguments: ["fro", "From", "message_types", "gcmx", "gcm.notificatio", "collapse_key", "x.google", "é"])
    func `valid data keys`(key: String) throws {
        #expect(try MessageData([.init(key, ""), .init("z", "1")]).fields.map(\.key) == [key, "z"])
    }

    @Test(arguments: [
        "from", "message_type", "gcm", "google", "google.c.a", "googleish", "google\u{301}", "gcm.notification.", "gcm.notification.title",
    ])
    func `FCM's reserved keys are rejected`(key: String) {
        #expect(fault(try MessageData([.init(key, "1")])) == "data reserved_key")
    }

    @Test func `keys are unique and not empty`() {
        #expect(fault(try MessageData([.init("a", "1"), .init("b", "1"), .init("a", "2")])) == "data duplicate_key")
        #expect(fault(try MessageData([.init("", "1")])) == "data empty_key")
    }

    @Test func `a collapse key is short and printable`() throws {
        for text in ["a", "Spielstand 1:0 – é", String(repeating: "k", count: 64)] { #expect(try CollapseKey(text).text == text) }
        for text in ["", "a\nb", "\u{9f}", String(repeating: "é", count: 33)] {
            #expect(fault(try CollapseKey(text)) == "collapse_key bad_collapse_key")
        }
    }

    @Test func `a label follows FCM's rule`() throws {
        for text in ["a", "spring_2026.A-b~%", String(repeating: "l", count: 50)] { #expect(try MessageLabel(text).text == text) }
        for text in ["", "a b", "a/b", String(repeating: "l", count: 51)] {
            #expect(fault(try MessageLabel(text)) == "label bad_label")
        }
    }
}
