// SPDX-License-Identifier: Apache-2.0

package import Platform
import SQLite

/// A person who is taken out of an app, and everything that goes by their keys.
package struct Departure: Sendable {
    package enum Kind: Sendable {
        /// Nothing of theirs stays.
        case erasure
        /// Their events stay under new keys that the salt makes, less some parameters.
        case anonymity(salt: UInt64, privateParams: Set<String>)
    }

    package let app: AppID
    /// Who was asked about.
    package let person: UInt64
    package var kind: Kind
    package var keys: PersonKeys
    package var members: [Member]

    package init(app: AppID, person: UInt64, kind: Kind, keys: PersonKeys, members: [Member]) {
        self.app = app
        self.person = person
        self.kind = kind
        self.keys = keys
        self.members = members
    }

    /// A key that goes, with its text.
    package struct Member: Sendable {
        package var key: UInt64
        package var kind: PersonID.Kind
        package var id: String

        package init(key: UInt64, kind: PersonID.Kind, id: String) {
            self.key = key
            self.kind = kind
            self.id = id
        }
    }

    package var texts: PersonTexts {
        members.filter { !$0.id.isEmpty }.reduce(into: PersonTexts()) { $0.add($1.kind, $1.id) }
    }

    /// The new key of one of the person's users, installations or sessions; nil where they keep none.
    package func newKey(for key: UInt64) -> UInt64? {
        guard case .anonymity(let salt, _) = kind, key != 0 else { return nil }
        return KeyedHash(seed: salt)(.user, app: app, UUID128(high: key, low: 0))
    }

    package mutating func add(_ member: Member) {
        guard !keys.all.contains(member.key) else { return }
        members.append(member)
        switch member.kind {
        case .user: keys.user = member.key
        case .installation: keys.installations.insert(member.key)
        }
    }
}

/// How much was removed, or would be.
package struct DepartureReport: Sendable, Equatable {
    package var events = 0
    package var purchases = 0
    package var quarantined = 0
    package var properties = 0
    package var pairs = 0
    /// Days of receipt that had something.
    package var days = 0
    /// Installations that go with their user, because they never named another.
    package var installations = 0
    package var registrations = 0
    package var deliveries = 0
    package var crashes = 0

    package init() {}

    package mutating func add(_ other: DepartureReport) {
        events += other.events
        purchases += other.purchases
        quarantined += other.quarantined
        registrations += other.registrations
        deliveries += other.deliveries
        crashes += other.crashes
    }

    /// Whether a file had anything.
    package var isEmptyDay: Bool { events == 0 && quarantined == 0 }
}
