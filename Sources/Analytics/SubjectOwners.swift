// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// The persons that the subjects of sessions belong to in a query's range: users, or installations that named none.
///
/// Presence is looked up as it is in memory, because a copy by key would cost more than the sessions.
struct SubjectOwners: Sendable {
    private var identity = Identity()
    private var presence: (owners: Owners, table: PresenceTable)?
    /// The users that crash reports name, for installations that named none in events.
    private var reported = Identity()

    init(_ identity: Identity) {
        self.identity = identity
    }

    init(_ owners: Owners, _ table: PresenceTable) {
        presence = (owners, table)
    }

    func person(of subject: UInt64) -> UInt64 {
        if let presence, let number = presence.table.people.installations.known(subject).map(Int.init) {
            let user = presence.owners.users[number]
            if user != 0 { return presence.table.people.users.keys[Int(user)] }
        }
        return identity.claim(of: subject)?.user ?? reported.claim(of: subject)?.user ?? subject
    }

    /// Adds the users that crash reports in the range name.
    mutating func add(_ scan: SessionScan) {
        let crashes = scan.crashes
        for row in crashes.rows where scan.buckets.index(of: Timestamp(milliseconds: crashes.times[row])) != nil {
            reported.claim(crashes.installations[row], for: crashes.users[row], at: crashes.times[row])
        }
    }
}

extension QueryContext {
    /// Returns the owners of a range, from presence if the range consists of whole quarter-hours.
    func subjectOwners(_ scan: SessionScan) throws -> SubjectOwners {
        let period = TimeBuckets(edges: [scan.buckets.from, scan.buckets.to])
        var owners: SubjectOwners
        if period.isOfQuarters {
            let table = try presence(period)
            owners = SubjectOwners(try self.owners(in: table, isExact: false, askedBeyond: true), table)
        } else {
            owners = SubjectOwners(try identity(from: scan.buckets.from, to: scan.buckets.to, askedBeyond: true))
        }
        owners.add(scan)
        return owners
    }
}
