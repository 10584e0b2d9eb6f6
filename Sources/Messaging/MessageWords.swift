// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A key that identifies messages that replace each other. A registration receives the newest of those still waiting.
package struct CollapseKey: Hashable, Sendable {
    /// The limit of APNs.
    package static let mostBytes = 64

    package let text: String

    package init(_ text: String) throws(Refusal) {
        let isPrintable = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard (1...CollapseKey.mostBytes).contains(text.utf8.count), isPrintable else {
            throw .field("collapse_key", "bad_collapse_key", "must be 1 to \(CollapseKey.mostBytes) bytes without control characters")
        }
        self.text = text
    }
}

/// A campaign name for statistics, with FCM's rule for analytics labels.
package struct MessageLabel: Hashable, Sendable {
    package static let longest = 50

    package let text: String

    package init(_ text: String) throws(Refusal) {
        guard (1...MessageLabel.longest).contains(text.utf8.count), text.utf8.allSatisfy(TopicName.isCharacter) else {
            throw .field("label", "bad_label", "must be 1 to \(MessageLabel.longest) of the characters a-z A-Z 0-9 - _ . ~ %")
        }
        self.text = text
    }
}
