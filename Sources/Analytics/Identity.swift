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
/// Presence knows times to the quarter-hour. Only for an installation that first named two users in the same quarter-hour (`Owners.tied`) the
/// events themselves are read. Of two users named in the same millisecond, the one with the lesser key wins, so the result does not depend
/// on the order of arrival.
struct Identity: Sendable {
    private struct Claim: Sendable {
        var installation: UInt64
        var user: UInt64
        var time: Int64
    }

    private var claims: [Claim] = []
    private var places = KeyTable(capacityBits: 4)

    /// Returns the person of an event; 0 for none.
    func person(user: UInt64, installation: UInt64) -> UInt64 {
        if user != 0 || installation == 0 { return user }
        return places[installation].map { claims[Int($0)].user } ?? installation
    }

    /// Notes that an installation named a user at a moment.
    mutating func claim(_ installation: UInt64, for user: UInt64, at time: Int64) {
        guard installation != 0, user != 0 else { return }
        guard let place = places[installation].map(Int.init) else {
            places.set(installation, UInt32(truncatingIfNeeded: claims.count))
            claims.append(Claim(installation: installation, user: user, time: time))
            return
        }
        let known = claims[place]
        if known.user == user {
            claims[place].time = min(time, known.time)
        } else if time < known.time || (time == known.time && user < known.user) {
            claims[place] = Claim(installation: installation, user: user, time: time)
        }
    }

    /// Returns the user that an installation belongs to, and when it named it; nil if it named none.
    func claim(of installation: UInt64) -> (user: UInt64, time: Int64)? {
        places[installation].map { (claims[Int($0)].user, claims[Int($0)].time) }
    }

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
        self.claim(claim.installation, for: claim.user, at: claim.time)
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
        let owners = try owners(in: table, isExact: false, askedBeyond: askedBeyond)
        return identity(owners, in: table, askedBeyond: askedBeyond)
    }

    /// Returns owners in the form of an identity.
    func identity(_ owners: Owners, in table: PresenceTable, askedBeyond: Bool) -> Identity {
        var isNeeded = [Bool](repeating: askedBeyond, count: owners.users.count)
        if !askedBeyond {
            for (place, pair) in table.people.pairs.enumerated() where pair.user == 0 && table.isPresent(at: place) {
                isNeeded[Int(pair.installation)] = true
            }
        }
        var identity = Identity()
        for (number, user) in owners.users.enumerated() where user != 0 && isNeeded[number] {
            let installation = table.people.installations.keys[number]
            identity.claim(installation, for: table.people.users.keys[Int(user)], at: owners.times[number])
        }
        return identity
    }

    /// Returns the owners of a table's installations, with ties settled by the events.
    ///
    /// - Parameter askedBeyond: Whether installations without anonymous events in the table count too.
    func owners(in table: PresenceTable, isExact: Bool, askedBeyond: Bool = false) throws -> Owners {
        var owners = Owners(table, isExact: isExact)
        if owners.tied.isEmpty { return owners }
        if !askedBeyond {
            var anonymous: Set<Int> = []
            for (place, pair) in table.people.pairs.enumerated() where pair.user == 0 && table.isPresent(at: place) {
                if owners.tied.contains(Int(pair.installation)) { anonymous.insert(Int(pair.installation)) }
            }
            owners.forgetTies { !anonymous.contains($0) }
        }
        let tied = owners.tied
        // The first naming is in the quarter-hour of the tie.
        guard let first = tied.map({ owners.times[$0] }).min(), let last = tied.map({ owners.times[$0] }).max() else { return owners }
        var clear = Identity()
        let (from, to) = (Timestamp(milliseconds: first), Timestamp(milliseconds: last + QuarterHour.milliseconds))
        try eachNaming(from: from, to: to) { installation, user, time in
            guard let number = table.people.installations.known(installation).map(Int.init), tied.contains(number) else { return }
            if time >= owners.times[number] { clear.claim(installation, for: user, at: time) }
        }
        for number in tied {
            guard let (user, time) = clear.claim(of: table.people.installations.keys[number]) else { continue }
            if let user = table.people.users.known(user) { owners.settle(number, user: user, at: time) }
        }
        return owners
    }

    /// Returns the identity of each bucket, which is a period of its own.
    func identities(in buckets: TimeBuckets) throws -> [Identity] {
        guard buckets.isOfQuarters else { return try identities(in: buckets) { _ in true } }
        let table = try presence(buckets)
        var named: [UInt64: [Int]] = [:]
        for place in 0..<table.count where table.isPresent(at: place) {
            let keys = table.keys(at: place)
            if keys.user != 0 && keys.installation != 0 { named[keys.installation, default: []].append(place) }
        }
        var identities = [Identity](repeating: Identity(), count: buckets.count)
        var unclear = KeySet()
        for (place, pair) in table.people.pairs.enumerated() where pair.user == 0 && table.isPresent(at: place) {
            let installation = table.keys(at: place).installation
            guard let others = named[installation] else { continue }
            table.lines.each(at: place) { bucket in
                let users = others.filter { table.lines.contains(at: $0, bucket) }.map { table.keys(at: $0).user }
                if users.count == 1 { identities[bucket].claim(installation, for: users[0], at: 0) }
                if users.count > 1 { _ = unclear.insert(installation) }
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
            identities[bucket].claim(installation, for: user, at: time)
        }
        return identities
    }

    /// Calls a closure for each event and alias that names an installation and a user. Of several of a pair in a minute, only the first.
    private func eachNaming(from: Timestamp, to: Timestamp, _ body: (UInt64, UInt64, Int64) -> Void) throws {
        let request = EventRequest(app, [.time, .user, .installation], where: EventCondition.times(from, to) + [.isNamed])
        let parts = try session.each(of: days(from: from, to: to)) { file, _ in
            var first: [Naming: Int64] = [:]
            try file.source(request, withdrawn: .included).eachBatch { batch in
                for row in batch.rows {
                    let time = batch.times[row]
                    let naming = Naming(
                        installation: batch.installations[row], user: batch.users[row], minute: time.flooredQuotient(by: 60_000))
                    first[naming] = min(first[naming] ?? .max, time)
                }
            }
            try file.eachAlias(of: app, from: from, to: to) { installation, user, time in
                let naming = Naming(installation: installation, user: user, minute: time.flooredQuotient(by: 60_000))
                first[naming] = min(first[naming] ?? .max, time)
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
