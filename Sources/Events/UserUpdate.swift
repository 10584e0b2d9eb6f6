// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A change to a user: properties to set or remove, and an optional link from an installation to the user.
package struct UserUpdate: Sendable, Equatable {
    /// The position of the entry in its request.
    package var index: Int
    /// The installation ID; nil, with key 0, if the entry has none.
    package var installation: String?
    package var installationKey: UInt64
    package var user: String?
    package var userKey: UInt64
    package var properties: [UserProperty]
    /// The time of the change. The newest change of a property wins.
    package var time: Timestamp
    /// Whether the entry links the installation to the user. Only set if both are named.
    package var alias: Bool
    /// Whether only unset properties are set. The oldest such change of a property wins.
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

/// The changes to users in one request.
package struct UserSubmission: Sendable {
    package let app: AppID
    package let received: Timestamp
    package let body: [UInt8]
    package let updates: [UserUpdate]
    /// Invalid entries. Their raw bytes are in `body`.
    package let quarantined: [QuarantinedEvent]
    /// Properties that were removed from entries in `updates`.
    package let corrections: [Verdict]

    /// The approximate memory in use.
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

    /// The result for the sender once the updates are stored.
    package var outcome: EventOutcome { outcome(except: quarantined.map(\.verdict)) }

    /// Returns the result if the entries of `rejected` were quarantined.
    package func outcome(except rejected: [Verdict]) -> EventOutcome {
        let gone = Set(rejected.map(\.index))
        let verdicts = Verdict.inOrder(corrections.filter { !gone.contains($0.index) } + rejected)
        return EventOutcome(
            accepted: updates.count { !gone.contains($0.index) }, duplicates: 0, quarantined: rejected.count, verdicts: verdicts)
    }
}
