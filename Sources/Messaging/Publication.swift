// SPDX-License-Identifier: Apache-2.0

import Platform

/// A message as it is kept and handed on: what somebody wants sent, with its parts as the JSON that receivers get.
package struct Publication: Sendable {
    package var draft: MessageDraft
    /// Compact JSON objects.
    package var notification: [UInt8]?
    package var data: [UInt8]?
    /// What only some platforms understand, as the sender wrote it: a compact JSON object that is handed on and not looked at.
    package var platform: [UInt8]?
    /// A sentence at the top of the body; only the daemon's own messages have one.
    package var text: ChatText?

    package init(_ draft: MessageDraft, notification: [UInt8]? = nil, data: [UInt8]? = nil, platform: [UInt8]? = nil, text: ChatText? = nil) {
        self.draft = draft
        self.notification = notification
        self.data = data
        self.platform = platform
        self.text = text
    }
}

/// What was accepted.
package struct Published: Sendable, Equatable {
    package var id: String
    package var audience: Int
    /// The places of tokens that reach nobody.
    package var unregistered: [Int]

    package init(id: String, audience: Int, unregistered: [Int]) {
        self.id = id
        self.audience = audience
        self.unregistered = unregistered
    }
}

/// How far a message is. The numbers are stored.
package enum MessageStage: Int, StoredWord {
    /// Waits for the time it is to be sent at.
    case scheduled = 1
    /// Its deliveries are being made.
    case spreading = 2
    /// Called back; what was not sent yet is being taken back.
    case cancelling = 3
    /// Each of its receivers has a delivery.
    case spread = 4
    case cancelled = 5
    /// It has expired: nothing will become of it any more.
    case over = 6
}
