// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import Testing

struct TopicNameTests {
    @Test(arguments: ["a", "news.sport-2026_x~%41", String(repeating: "A", count: 900)])
    func `FCM's topic names are accepted`(text: String) throws {
        #expect(try TopicName(text).text == text && TopicName(text).reserved == nil)
    }

    @Test func `only FCM's ASCII characters are allowed`() {
        let taken = (0..<128).filter { byte in (try? TopicName("a\(Unicode.Scalar(UInt8(byte)))")) != nil }
        #expect(taken == Array("%-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~".utf8).map(Int.init))
    }

    @Test(arguments: ["", "a b", "/topics/a", "a$", "é", "a\0", String(repeating: "a", count: 901)])
    func `other names are rejected`(text: String) {
        #expect(fault(try TopicName(text)) == "topic bad_topic")
        #expect(fault(try TopicName(text, allowingReserved: true, field: "subscribe")) == "subscribe bad_topic")
    }

    @Test(arguments: DaemonTopic.allCases) func `the daemon's topics require permission`(alert: DaemonTopic) throws {
        let refused = refusal(try TopicName(alert.rawValue))
        #expect(refused?.code == .forbidden && refused?.fields.first?.code == "reserved_topic" && refused?.hint != nil)
        #expect(try TopicName(alert.rawValue, allowingReserved: true) == TopicName(alert))
        #expect(TopicName(alert).reserved == alert)
    }

    @Test(arguments: ["$", "$alerts", "$alerts.crashes2", "$ALERTS.CRASHES"]) func `there are no other reserved topics`(text: String) {
        #expect(fault(try TopicName(text, allowingReserved: true)) == "topic unknown_topic")
        #expect(refusal(try TopicName(text))?.code == .forbidden)
    }
}
