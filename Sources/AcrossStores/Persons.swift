// SPDX-License-Identifier: Apache-2.0

import AccountStore
package import AppDirectory
import CrashStore
import Database
package import EventStore
import MessageStore
package import Platform

extension Stores {
    /// Returns the empty profile of a person without data.
    package func emptyPerson(_ id: PersonID, of app: AppID) -> (profile: PersonProfile, records: PersonRecords) {
        let key = id.key(in: app, events.hash)
        let keys = id.kind == .user ? PersonKeys(app: app, user: key) : PersonKeys(app: app, installations: [key])
        return (PersonProfile(), PersonRecords(keys: keys, days: []))
    }

    /// Returns a person's profile and the location of the records; nil if no store has data of the person.
    package func person(_ id: PersonID, of app: AppID) async throws -> (profile: PersonProfile, records: PersonRecords)? {
        let hash = events.hash
        return try await readers.read(.large, seconds: 30) { session -> (profile: PersonProfile, records: PersonRecords)? in
            let key = id.key(in: app, hash)
            let own = id.kind == .user ? PersonKeys(app: app, user: key) : PersonKeys(app: app, installations: [key])
            let presence = try PersonPresence(of: own, session)
            var profile = try session.withMain { try $0.profile(of: key, app: app) }
            let aliases = try session.withMain { try $0.aliases(of: id.kind, key, app: app) }
            let isKnown =
                try profile != nil || !presence.pairs.isEmpty || !aliases.isEmpty || session.isRegistered(id, app: app) || session.hasCrash(of: own)
                || id.kind == .user && session.hasAccount(id.text, app: app)
            guard isKnown else { return nil }
            let stay = presence.whole
            var found = profile ?? PersonProfile()
            found.firstSeen = [found.firstSeen, stay.map { Timestamp(milliseconds: $0.first) }].compactMap(\.self).min()
            found.lastSeen = try presence.lastSeen(own, session)
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

/// The users or installations that a person was seen with.
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

extension Stores {
    /// Returns the keys and IDs by which the quarantine is searched. For a user they include the installations that would leave with them.
    package func inQuarantine(_ person: PersonID, of app: AppID) async throws -> PersonInQuarantine {
        let removal = try await removal(of: person, from: app, .erasure)
        return PersonInQuarantine(keys: removal.keys, texts: removal.texts)
    }
}
