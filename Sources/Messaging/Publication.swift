// SPDX-License-Identifier: Apache-2.0

import Platform

/// A message as it is stored and delivered: the draft, with its parts as JSON.
package struct Publication: Sendable {
    package var draft: MessageDraft
    /// Compact JSON objects.
    package var notification: [UInt8]?
    package var data: [UInt8]?
    /// The platform sections exactly as sent: a compact JSON object that is passed on without interpretation.
    package var platform: [UInt8]?
    /// A sentence at the top of the body. Only the daemon's own alerts have one.
    package var text: ChatText?
    /// The user that an event of `$accounts` is about. It is erased with the user.
    package var about: String?

    package init(_ draft: MessageDraft, notification: [UInt8]? = nil, data: [UInt8]? = nil, platform: [UInt8]? = nil, text: ChatText? = nil) {
        self.draft = draft
        self.notification = notification
        self.data = data
        self.platform = platform
        self.text = text
    }
}

/// The result of publishing a message.
package struct Published: Sendable, Equatable {
    package var id: String
    package var audience: Int
    /// The indices of tokens without an active registration.
    package var unregistered: [Int]

    package init(id: String, audience: Int, unregistered: [Int]) {
        self.id = id
        self.audience = audience
        self.unregistered = unregistered
    }
}

/// The progress of a message. The numbers are stored.
package enum MessageStage: Int, StoredWord {
    /// Waits for its scheduled time.
    case scheduled = 1
    /// Its deliveries are being created.
    case spreading = 2
    /// Cancelled; pending deliveries are being withdrawn.
    case cancelling = 3
    /// All deliveries have been created.
    case spread = 4
    case cancelled = 5
    /// Expired. No delivery can change any more.
    case over = 6
}
