// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// The persons that installations belong to within a period.
///
/// A person is a user, or an installation while it names no user. Events without a user belong to the user that their installation named
/// earliest in the period. The period is that of the query, so the same event may belong to different persons in two queries:
///
///     10:05  installation i, no user
///     10:20  installation i, user a
///     11:10  installation i, no user
///     11:40  installation i, user b
///
///     period        i belongs to   different people
///     10:00–12:00   a              a, b
///     10:00–10:15   nobody         i
///     11:00–12:00   b              b
///
/// Presence knows times to the quarter-hour. An installation that first named two users in the same quarter-hour is tied, and only then the
/// events themselves are read. Of two users named in the same millisecond, the one with the lesser key wins, so the result does not depend
/// on the order of arrival.
struct Identity: Sendable {
    private struct Claim: Sendable {
        var installation: UInt64
        var user: UInt64
        var time: Int64
        /// Whether another user was named in the same quarter-hour, so that presence cannot tell which was first.
        var isTied = false
    }

    private var claims: [Claim] = []
    private var places = KeyTable(capacityBits: 4)

    /// Returns the person of an event; 0 for none.
    func person(user: UInt64, installation: UInt64) -> UInt64 {
        if user != 0 || installation == 0 { return user }
        return places[installation].map { claims[Int($0)].user } ?? installation
    }

    /// Notes that an installation named a user.
    ///
    /// - Parameter exact: Whether `time` is a moment. Otherwise it is the start of a quarter-hour, in which two users are tied.
    mutating func claim(_ installation: UInt64, for user: UInt64, at time: Int64, exact: Bool) {
        guard installation != 0, user != 0 else { return }
        guard let place = places[installation].map(Int.init) else {
            places.set(installation, UInt32(truncatingIfNeeded: claims.count))
            claims.append(Claim(installation: installation, user: user, time: time))
            return
        }
        let known = claims[place]
        if known.user == user {
            claims[place].time = min(time, known.time)
        } else if time < known.time || (exact && time == known.time && user < known.user) {
            claims[place] = Claim(installation: installation, user: user, time: time)
        } else if time == known.time && !exact {
            claims[place].isTied = true
        }
    }

    /// The installations for which presence cannot tell the first user.
    var tied: [UInt64] { claims.filter(\.isTied).map(\.installation) }

    /// Returns a copy without some installations.
    func without(_ installations: KeySet) -> Identity {
        var rest = Identity()
        for claim in claims where !installations.contains(claim.installation) { rest.add(claim) }
        return rest
    }

    mutating func add(_ other: Identity) {
        for claim in other.claims { add(claim) }
    }

    /// Adds the claims of another identity for installations that have none here.
    mutating func fill(from other: Identity) {
        for claim in other.claims where places[claim.installation] == nil { add(claim) }
    }

    private mutating func add(_ claim: Claim) {
        self.claim(claim.installation, for: claim.user, at: claim.time, exact: true)
    }
}

extension QueryContext {
    /// Returns the identity of a period: from presence if the period consists of whole quarter-hours, otherwise from the events.
    ///
    /// It covers the installations with events without a user in the period.
    ///
    /// - Parameter askedBeyond: Whether it covers all installations, for a caller that also has events outside the period.
    func identity(from: Timestamp, to: Timestamp, askedBeyond: Bool = false) throws -> Identity {
        let period = TimeBuckets(edges: [from, to])
        guard period.isOfQuarters else { return try identities(in: period)[0] }
        return try identity(in: presence(period), from: from, to: to, askedBeyond: askedBeyond)
    }

    /// Returns the identity of the period that a presence table covers.
    func identity(in table: PresenceTable, from: Timestamp, to: Timestamp, askedBeyond: Bool = false) throws -> Identity {
        var anonymous = KeySet()
        for pair in table.pairs where pair.user == 0 { _ = anonymous.insert(pair.installation) }
        var identity = Identity()
        for pair in table.pairs where askedBeyond || anonymous.contains(pair.installation) {
            identity.claim(pair.installation, for: pair.user, at: pair.first, exact: false)
        }
        let tied = KeySet(identity.tied)
        if tied.count == 0 { return identity }
        var clear = identity.without(tied)
        try eachNaming(from: from, to: to) { installation, user, time in
            if tied.contains(installation) { clear.claim(installation, for: user, at: time, exact: true) }
        }
        return clear
    }

    /// Returns the identity of each bucket, which is a period of its own.
    func identities(in buckets: TimeBuckets) throws -> [Identity] {
        guard buckets.isOfQuarters else { return try identities(in: buckets) { _ in true } }
        let table = try presence(buckets)
        var named: [UInt64: [Int]] = [:]
        for (place, pair) in table.pairs.enumerated() where pair.user != 0 && pair.installation != 0 {
            named[pair.installation, default: []].append(place)
        }
        var identities = [Identity](repeating: Identity(), count: buckets.count)
        var unclear = KeySet()
        for (place, pair) in table.pairs.enumerated() where pair.user == 0 {
            guard let others = named[pair.installation] else { continue }
            table.each(at: place) { bucket in
                let users = others.filter { table.contains(at: $0, bucket) }.map { table.pairs[$0].user }
                if users.count == 1 { identities[bucket].claim(pair.installation, for: users[0], at: 0, exact: true) }
                if users.count > 1 { _ = unclear.insert(pair.installation) }
            }
        }
        if unclear.count == 0 { return identities }
        let clear = try self.identities(in: buckets) { unclear.contains($0) }
        for bucket in identities.indices {
            identities[bucket] = identities[bucket].without(unclear)
            identities[bucket].add(clear[bucket])
        }
        return identities
    }

    /// Returns the identities from the events, for some installations.
    private func identities(in buckets: TimeBuckets, where isWanted: (UInt64) -> Bool) throws -> [Identity] {
        var identities = [Identity](repeating: Identity(), count: buckets.count)
        try eachNaming(from: buckets.from, to: buckets.to) { installation, user, time in
            guard isWanted(installation), let bucket = buckets.index(of: Timestamp(milliseconds: time)) else { return }
            identities[bucket].claim(installation, for: user, at: time, exact: true)
        }
        return identities
    }

    /// Calls a closure for each event that names an installation and a user. Of several events of a pair in a minute, only the first.
    private func eachNaming(from: Timestamp, to: Timestamp, _ body: (UInt64, UInt64, Int64) -> Void) throws {
        let request = EventRequest(app, [.time, .user, .installation], where: EventCondition.times(from, to) + [.isNamed])
        let parts = try session.each(of: days(from: from, to: to)) { file, _ in
            var first: [Naming: Int64] = [:]
            try file.source(request).eachBatch { batch in
                for row in batch.rows {
                    let time = batch.times[row]
                    let naming = Naming(
                        installation: batch.installations[row], user: batch.users[row], minute: time.flooredQuotient(by: 60_000))
                    first[naming] = min(first[naming] ?? .max, time)
                }
            }
            return first
        }
        for part in parts {
            for (naming, time) in part { body(naming.installation, naming.user, time) }
        }
    }

    /// The minute in which an installation named a user.
    private struct Naming: Hashable {
        var installation: UInt64
        var user: UInt64
        var minute: Int64
    }
}
