// SPDX-License-Identifier: Apache-2.0

package import Platform
import SQLite

/// What is known of a person besides events.
package struct PersonProfile: Sendable {
    package struct Property: Sendable {
        package var name: String
        /// A string, number or boolean as JSON.
        package var value: [UInt8]
        package var time: Timestamp
    }

    /// A user of an installation, or an installation of a user.
    package struct Partner: Sendable {
        package var id: String?
        /// When the two were seen in one event, to the quarter-hour; nil where only an alias says that they belong together.
        package var firstSeen: Timestamp?
        package var lastSeen: Timestamp?
        package var isAlias: Bool
    }

    package var firstSeen: Timestamp?
    package var lastSeen: Timestamp?
    package var properties: [Property] = []
    package var partners: [Partner] = []
}

/// Which of a person's records are asked for, found once and good for all pages.
package struct PersonRecords: Sendable {
    let keys: PersonKeys
    let days: [Day]
}

extension Store {
    /// Who somebody is of whom nothing was taken in.
    package func stranger(_ id: PersonID, of app: AppID) -> (profile: PersonProfile, records: PersonRecords) {
        let key = id.key(in: app, hash)
        let keys = id.kind == .user ? PersonKeys(app: app, user: key) : PersonKeys(app: app, installations: [key])
        return (PersonProfile(), PersonRecords(keys: keys, days: []))
    }

    /// Who a person is and where the records are; nil where nothing is known.
    package func person(_ id: PersonID, of app: AppID) async throws -> (profile: PersonProfile, records: PersonRecords)? {
        let hash = hash
        return try await readers.read(.large, seconds: 30) { session in
            let key = id.key(in: app, hash)
            let own = id.kind == .user ? PersonKeys(app: app, user: key) : PersonKeys(app: app, installations: [key])
            let presence = try PersonPresence(of: own, session)
            var profile = try session.withMain { try $0.profile(of: key, app: app) }
            let aliases = try session.withMain { try $0.aliases(of: id.kind, key, app: app) }
            let isKnown =
                try profile != nil || !presence.pairs.isEmpty || !aliases.isEmpty || session.isRegistered(id, app: app) || session.hasCrash(of: own)
            guard isKnown else { return nil }
            let stay = presence.whole
            var found = profile ?? PersonProfile()
            found.firstSeen = [found.firstSeen, stay.map { Timestamp(milliseconds: $0.first) }].compactMap(\.self).min()
            found.lastSeen = stay.map { Timestamp(milliseconds: $0.last) }
            let partners = Partners(id.kind, presence, aliases: aliases)
            found.partners = try partners.listed(session, app)
            profile = found
            var keys = own
            if id.kind == .user { (keys.installations, keys.onlyAnonymous) = (partners.keys, true) }
            let days = try keys.installations.isEmpty || id.kind == .installation ? presence.days : PersonPresence(of: keys, session).days
            return (found, PersonRecords(keys: keys, days: days))
        }
    }
}

/// Whom a person was seen with.
private struct Partners {
    private var stays: [UInt64: PersonPresence.Stay] = [:]
    private let aliases: Set<UInt64>

    init(_ kind: PersonID.Kind, _ presence: PersonPresence, aliases: Set<UInt64>) {
        self.aliases = aliases
        for (pair, stay) in presence.pairs {
            let partner = kind == .user ? pair.installation : pair.user
            if partner != 0 { stays[partner, default: stay].add(stay) }
        }
    }

    var keys: Set<UInt64> { aliases.union(stays.keys) }

    func listed(_ session: ReadSession, _ app: AppID) throws -> [PersonProfile.Partner] {
        let texts = try session.texts(of: keys, app: app)
        return keys.map { key in
            PersonProfile.Partner(
                id: texts[key], firstSeen: stays[key].map { Timestamp(milliseconds: $0.first) },
                lastSeen: stays[key].map { Timestamp(milliseconds: $0.last) }, isAlias: aliases.contains(key))
        }.sorted { ($0.id ?? "") < ($1.id ?? "") }
    }
}

extension ReadSession {
    /// The ids behind keys of persons: from the main file, or where that has not heard of them yet from the days'.
    func texts(of keys: Set<UInt64>, app: AppID) throws -> [UInt64: String] {
        var texts: [UInt64: String] = [:]
        if keys.isEmpty { return texts }
        try withMain { main in
            try main.uncached("SELECT key, id FROM people WHERE app = ? AND key IN \(keys.list) AND id != ''").each([.integer(app.rawValue)]) {
                texts[$0.key(0)] = $0.text(1)
            }
        }
        for day in try days().reversed() where texts.count < keys.count {
            let missing = keys.subtracting(texts.keys)
            if let found = try self.day(day)?.texts(of: missing) { texts.merge(found) { one, _ in one } }
        }
        return texts
    }
}

extension MainDB {
    fileprivate func profile(of key: UInt64, app: AppID) throws -> PersonProfile? {
        var profile = PersonProfile()
        let seen = "SELECT first_seen FROM people WHERE app = ? AND key = ?"
        let firstSeen = try statement(seen).first(.integer(app.rawValue), .key(key)) { Timestamp(milliseconds: $0.integer(0)) }
        let read = "SELECT name, value, time FROM properties WHERE app = ? AND person = ? AND value IS NOT NULL ORDER BY name"
        profile.properties = try statement(read).all(.integer(app.rawValue), .key(key)) {
            PersonProfile.Property(name: $0.text(0), value: $0.bytes(1), time: Timestamp(milliseconds: abs($0.integer(2))))
        }
        profile.firstSeen = firstSeen
        return firstSeen == nil && profile.properties.isEmpty ? nil : profile
    }

    func aliases(of kind: PersonID.Kind, _ key: UInt64, app: AppID) throws -> Set<UInt64> {
        let sql =
            kind == .user
            ? "SELECT installation FROM aliases WHERE app = ? AND user = ?" : "SELECT user FROM aliases WHERE app = ? AND installation = ?"
        return Set(try statement(sql).all(.integer(app.rawValue), .key(key)) { $0.key(0) })
    }
}
