// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What one entry says about a person: properties to set or remove, and whether an installation is theirs.
package struct UserUpdate: Sendable, Equatable {
    /// The entry's place in its request.
    package var index: Int
    /// Nil with key 0 where the entry names none.
    package var installation: String?
    package var installationKey: UInt64
    package var user: String?
    package var userKey: UInt64
    package var properties: [UserProperty]
    /// The newest per property wins.
    package var time: Timestamp
    /// Pairs the installation with the user; only where both are named.
    package var alias: Bool
    /// Sets only what nobody has set; the oldest such word per property wins.
    package var once: Bool

    package init(
        index: Int, installation: String?, installationKey: UInt64, user: String?, userKey: UInt64, properties: [UserProperty], time: Timestamp,
        alias: Bool, once: Bool = false
    ) {
        self.index = index
        self.installation = installation
        self.installationKey = installationKey
        self.user = user
        self.userKey = userKey
        self.properties = properties
        self.time = time
        self.alias = alias
        self.once = once
    }
}

package struct UserProperty: Sendable, Equatable {
    package var name: String
    /// A string, number or boolean as JSON text; nil removes the property.
    package var value: [UInt8]?

    package init(name: String, value: [UInt8]?) {
        self.name = name
        self.value = value
    }
}

/// What one request says about persons, entry by entry.
package struct UserSubmission: Sendable {
    package let app: AppID
    package let received: Timestamp
    package let body: [UInt8]
    package let updates: [UserUpdate]
    /// Entries that say nothing usable; their raw bytes stand in `body`.
    package let quarantined: [QuarantinedEvent]
    /// Properties that were left out of entries in `updates`.
    package let corrections: [Verdict]

    /// About what it holds of memory.
    package var bytesHeld: Int { body.count * 2 + updates.count * MemoryLayout<UserUpdate>.stride }

    package init(
        app: AppID, received: Timestamp, body: [UInt8], updates: [UserUpdate], quarantined: [QuarantinedEvent], corrections: [Verdict]
    ) {
        self.app = app
        self.received = received
        self.body = body
        self.updates = updates
        self.quarantined = quarantined
        self.corrections = corrections
    }

    /// What the sender is told once the updates are stored.
    package var outcome: EventOutcome { outcome(refused: quarantined.map(\.verdict)) }

    /// The same where these entries were set apart.
    package func outcome(refused: [Verdict]) -> EventOutcome {
        let gone = Set(refused.map(\.index))
        let verdicts = Verdict.inOrder(corrections.filter { !gone.contains($0.index) } + refused)
        return EventOutcome(
            accepted: updates.count { !gone.contains($0.index) }, duplicates: 0, quarantined: refused.count, verdicts: verdicts)
    }
}
