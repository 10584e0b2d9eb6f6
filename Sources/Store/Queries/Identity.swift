import Events
import Platform
import SQLite

/// To whom an installation's events without a user belong within a period: the user that it named earliest there, of two in the same millisecond
/// the one with the lesser key.
struct Identity: Sendable {
    private struct Claim: Sendable {
        var user: UInt64
        var time: Int64
        /// Another user was named in the same quarter-hour, so presence cannot tell who came first.
        var isTied = false
    }

    private var claims: [UInt64: Claim] = [:]

    /// The person an event is of; 0 for nobody.
    func person(user: UInt64, installation: UInt64) -> UInt64 {
        if user != 0 { return user }
        return claims[installation]?.user ?? installation
    }

    /// Whom an installation belongs to, if to anybody.
    func user(of installation: UInt64) -> UInt64? { claims[installation]?.user }

    var installations: [UInt64: UInt64] { claims.mapValues(\.user) }

    /// Takes in that an installation named a user, in a quarter-hour or at a moment.
    mutating func claim(_ installation: UInt64, for user: UInt64, at time: Int64, exact: Bool) {
        guard installation != 0, user != 0 else { return }
        guard let known = claims[installation], known.user != user else {
            claims[installation] = Claim(
                user: user, time: min(time, claims[installation]?.time ?? time), isTied: claims[installation]?.isTied ?? false)
            return
        }
        if time < known.time || (exact && time == known.time && user < known.user) {
            claims[installation] = Claim(user: user, time: time)
        } else if time == known.time && !exact {
            claims[installation]?.isTied = true
        }
    }

    /// Installations of which presence does not know whom they named first.
    var tied: Set<UInt64> { Set(claims.filter(\.value.isTied).keys) }

    mutating func add(_ other: Identity) {
        claims.merge(other.claims) { $1 }
    }

    mutating func forget(_ installations: Set<UInt64>) {
        for installation in installations { claims[installation] = nil }
    }
}

extension Asking {
    /// Who is who in a period, from presence where the period is one of whole quarter-hours, else from the events.
    ///
    /// Ties are broken for installations with events in the period that name no user, and for all where it is asked beyond the period.
    func identity(from: Timestamp, to: Timestamp, askedBeyond: Bool = false) throws -> Identity {
        let period = TimeBuckets(edges: [from, to])
        guard period.isOfQuarters else { return try identities(in: period)[0] }
        return try identity(in: presence(period), from: from, to: to, askedBeyond: askedBeyond)
    }

    /// Who is who in the period that a table of presence is about.
    func identity(in table: PresenceTable, from: Timestamp, to: Timestamp, askedBeyond: Bool = false) throws -> Identity {
        var identity = Identity()
        var anonymous: Set<UInt64> = []
        for (place, pair) in table.pairs.enumerated() {
            if pair.user == 0 { anonymous.insert(pair.installation) }
            identity.claim(pair.installation, for: pair.user, at: table.firsts[place], exact: false)
        }
        let tied = askedBeyond ? identity.tied : identity.tied.intersection(anonymous)
        if tied.isEmpty { return identity }
        identity.forget(tied)
        try eachNaming(from: from, to: to) { installation, user, time in
            if tied.contains(installation) { identity.claim(installation, for: user, at: time, exact: true) }
        }
        return identity
    }

    /// Who is who in each of some periods.
    func identities(in buckets: TimeBuckets) throws -> [Identity] {
        guard buckets.isOfQuarters else { return try identities(in: buckets) { _, _ in true } }
        let table = try presence(buckets)
        var named: [UInt64: [Int]] = [:]
        for (place, pair) in table.pairs.enumerated() where pair.user != 0 && pair.installation != 0 {
            named[pair.installation, default: []].append(place)
        }
        var identities = [Identity](repeating: Identity(), count: buckets.count)
        var unclear: Set<UInt64> = []
        for (place, pair) in table.pairs.enumerated() where pair.user == 0 {
            guard let others = named[pair.installation] else { continue }
            table.line(place).each { bucket in
                let users = others.filter { table.line($0).contains(bucket) }.map { table.pairs[$0].user }
                if users.count == 1 { identities[bucket].claim(pair.installation, for: users[0], at: 0, exact: true) }
                if users.count > 1 { unclear.insert(pair.installation) }
            }
        }
        if unclear.isEmpty { return identities }
        for bucket in identities.indices { identities[bucket].forget(unclear) }
        let clear = try self.identities(in: buckets) { installation, _ in unclear.contains(installation) }
        for bucket in identities.indices { identities[bucket].add(clear[bucket]) }
        return identities
    }

    /// The same from the events themselves, for some installations.
    private func identities(in buckets: TimeBuckets, where isWanted: (UInt64, UInt64) -> Bool) throws -> [Identity] {
        var identities = [Identity](repeating: Identity(), count: buckets.count)
        try eachNaming(from: buckets.from, to: buckets.to) { installation, user, time in
            guard isWanted(installation, user), let bucket = buckets.index(of: Timestamp(milliseconds: time)) else { return }
            identities[bucket].claim(installation, for: user, at: time, exact: true)
        }
        return identities
    }

    /// Every event that names both an installation and a user.
    private func eachNaming(from: Timestamp, to: Timestamp, _ body: (UInt64, UInt64, Int64) -> Void) throws {
        let sql = """
            SELECT installation, user, min(time), time / 60000 FROM events NOT INDEXED
            WHERE app = ?1 AND time >= ?2 AND time < ?3 AND user != 0 AND installation != 0 GROUP BY 1, 2, 4
            """
        let values: [Value] = [.integer(app.rawValue), .integer(from.milliseconds), .integer(to.milliseconds)]
        let parts = try session.each(of: days(from: from, to: to)) { file, _ in
            var rows: [(UInt64, UInt64, Int64)] = []
            try file.statement(sql).each(values) { rows.append(($0.key(0), $0.key(1), $0.integer(2))) }
            return rows
        }
        for part in parts {
            for (installation, user, time) in part { body(installation, user, time) }
        }
    }
}
