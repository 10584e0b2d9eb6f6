// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A topic name with FCM's rule. The daemon's own topics begin with a dollar sign.
package struct TopicName: Hashable, Sendable, CustomStringConvertible {
    package static let longest = 900

    package let text: String

    /// Reads a topic name. Publishing never allows reserved names; subscribing does for some callers.
    package init(_ text: String, allowingReserved: Bool = false, field: String = "topic") throws(Refusal) {
        if text.utf8.first == UInt8(ascii: "$") {
            guard allowingReserved else { throw TopicName.reserved(field) }
            guard DaemonTopic(rawValue: text) != nil else { throw TopicName.unknown(field) }
        } else {
            guard TopicName.isWellFormed(text) else { throw TopicName.malformed(field) }
        }
        self.text = text
    }

    package init(_ topic: DaemonTopic) {
        text = topic.rawValue
    }

    /// The daemon's topic with this name; nil for all other topics.
    package var reserved: DaemonTopic? { DaemonTopic(rawValue: text) }

    package var description: String { text }

    static func isWellFormed(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy(isCharacter)
    }

    /// Whether FCM allows the character in topics and labels: letters, digits and `-_.~%`.
    static func isCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x25, 0x2d, 0x2e, 0x5f, 0x7e: true
        default: false
        }
    }

    private static func reserved(_ field: String) -> Refusal {
        Refusal(
            .forbidden, "\(field) is reserved: topics that begin with $ belong to the daemon.",
            hint: "Publish to another topic. Subscribing to this one requires a key with the role send or admin.",
            fields: [.init(field, "reserved_topic", "begins with $, which is reserved for the daemon")])
    }

    private static func unknown(_ field: String) -> Refusal {
        .field(
            field, "unknown_topic", "begins with $ but is not one of the daemon's topics",
            hint: "Use one of \(DaemonTopic.allCases.map(\.rawValue).joined(separator: ", ")).")
    }

    private static func malformed(_ field: String) -> Refusal {
        .field(
            field, "bad_topic", "must be 1 to \(longest) of the characters a-z A-Z 0-9 - _ . ~ %", hint: "Use news.sport instead of news/sport.")
    }
}

/// The topics on which the daemon alone publishes.
package enum DaemonTopic: String, CaseIterable, Sendable {
    case crashes = "$alerts.crashes"
    case delivery = "$alerts.delivery"
    case ingest = "$alerts.ingest"
    case system = "$alerts.system"
    /// Events of accounts, for other servers.
    case accounts = "$accounts"
}
