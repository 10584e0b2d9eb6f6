// SPDX-License-Identifier: Apache-2.0

package import Platform
import SQLite

/// The erasure or anonymisation of a person: the keys whose rows are removed from all stores.
///
/// A user leaves together with the installations that named no other user:
///
///     ana used i; ana and bob both used j
///     erase user ana     keys: user ana, installation i
///       user ana, j      removed
///       no user, i       removed: only ana used i
///       no user, j       kept: may be bob's
///       user bob, j      kept
package struct PersonRemoval: Sendable {
    package enum Kind: Sendable {
        /// Removes all rows.
        case erasure
        /// Keeps events under new keys derived from a random salt, without private parameters and texts of keys.
        case anonymity(salt: UInt64, privateParams: Set<String>)
    }

    package let app: AppID
    /// The key of the person named in the request.
    package let person: UInt64
    package var kind: Kind
    package var keys: PersonKeys
    package var members: [Member]
    /// Sessions on devices of others that others took part in. They keep their keys, because a new one would make two sessions of one.
    package var sharedSessions: Set<DeviceSession> = []

    package init(app: AppID, person: UInt64, kind: Kind, keys: PersonKeys, members: [Member]) {
        self.app = app
        self.person = person
        self.kind = kind
        self.keys = keys
        self.members = members
    }

    /// A key to remove, with its text.
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

    /// Returns the new key of a user, an installation or a session of the person; nil for an erasure.
    ///
    /// Equal keys get equal new keys, so that figures stay as they are. The salt is deleted at the end, and the old keys cannot be computed
    /// without it.
    package func newKey(for key: UInt64) -> UInt64? {
        guard case .anonymity(let salt, _) = kind, key != 0 else { return nil }
        return KeyedHash(seed: salt)(.user, app: app, UUID128(high: key, low: 0))
    }

    /// Returns the key under which a row stays: the new one for a key of the person, otherwise the same.
    package func keyAfterRemoval(_ key: UInt64) -> UInt64 { keys.all.contains(key) ? newKey(for: key) ?? key : key }

    /// Returns the key of a row's session after the removal; 0 for none.
    ///
    ///     ana and bob used the kiosk in session 7; ana alone used it in session 8
    ///     anonymise ana      session 7   7
    ///                        session 8   a new key
    package func sessionAfterRemoval(_ session: UInt64, on installation: UInt64) -> UInt64 {
        sharedSessions.contains(DeviceSession(installation: installation, session: session)) ? session : newKey(for: session) ?? 0
    }

    /// The IDs of the users whose data is removed.
    package var users: [String] { members.filter { $0.kind == .user && !$0.id.isEmpty }.map(\.id) }

    package mutating func add(_ member: Member) {
        guard !keys.all.contains(member.key) else { return }
        members.append(member)
        switch member.kind {
        case .user: keys.user = member.key
        case .installation: keys.installations.insert(member.key)
        }
    }
}

/// The keys of a session on an installation.
package struct DeviceSession: Hashable, Sendable {
    package var installation: UInt64
    package var session: UInt64

    package init(installation: UInt64, session: UInt64) {
        (self.installation, self.session) = (installation, session)
    }
}

/// The number of things of each kind that one store removed of a person, or would remove.
///
///     messages.db    registrations 2, deliveries 7
package struct RemovalCounts: Sendable, Equatable {
    /// A kind of thing that is counted, such as crash reports. The store that counts it declares it.
    package struct Kind: Hashable, Sendable {
        /// The field of the response.
        package let name: String

        package init(_ name: String) { self.name = name }
    }

    private var counts: [Kind: Int] = [:]

    package init() {}

    package subscript(kind: Kind) -> Int {
        get { counts[kind, default: 0] }
        set { counts[kind] = newValue == 0 ? nil : newValue }
    }

    package mutating func add(_ other: RemovalCounts) {
        for (kind, count) in other.counts { self[kind] += count }
    }
}

/// The counts of all stores for one removal.
package struct RemovalReport: Sendable, Equatable {
    /// The results in the order of the steps: of the events, then of the stores beside them.
    package let stores: [RemovalCounts]

    package init(stores: [RemovalCounts]) { self.stores = stores }

    package subscript(kind: RemovalCounts.Kind) -> Int { stores.reduce(0) { $0 + $1[kind] } }
}
