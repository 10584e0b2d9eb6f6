// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import Database
package import Events
package import Platform
import SQLite

/// A selection of the persons that an app knows.
///
///     newest sighting first, a page of 100            PersonSelection(.user, limit: 100)
///     IDs that begin with `ann`, by ID                prefix "ann"
package struct PersonSelection: Sendable {
    /// The place of the last person of a page.
    package enum Place: Sendable, Equatable {
        case seen(Int64, key: Int64)
        case id(String)

        package init?(_ text: String) {
            if text.hasPrefix("id:") {
                self = .id(String(text.dropFirst(3)))
                return
            }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
            guard parts.count == 2, let seen = parts[0], let key = parts[1] else { return nil }
            self = .seen(seen, key: key)
        }

        package var text: String {
            switch self {
            case .seen(let seen, let key): "\(seen).\(key)"
            case .id(let id): "id:" + id
            }
        }
    }

    package var kind: PersonID.Kind
    /// The beginning of the IDs; nil for all persons, by their last sighting.
    package var prefix: String?
    /// Conditions on user properties.
    package var filters: [Filter] = []
    package var limit: Int
    package var after: Place?

    package init(_ kind: PersonID.Kind, limit: Int) {
        (self.kind, self.limit) = (kind, limit)
    }
}

/// A page of persons. With filters it may have fewer than the limit and still not be the last.
package struct PersonPage: Sendable {
    package var items: [(id: PersonID, profile: PersonProfile)] = []
    package var next: PersonSelection.Place?
}

extension EventStore {
    /// Returns a page of persons.
    package func persons(_ selection: PersonSelection, of app: AppID) async throws -> PersonPage {
        try await readers.read(.large) { session in
            // Before the main file, so sightings that are folded in between are found in one of them.
            let recent = try RecentPersons(session, app)
            return try session.withMain { try PersonList($0, session, selection, app, recent).page() }
        }
    }

    /// Returns the profiles of users, the one seen last first.
    package func users(_ ids: [String], of app: AppID) async throws -> [(id: PersonID, profile: PersonProfile)] {
        let hash = hash
        return try await readers.read(.large) { session in
            let recent = try RecentPersons(session, app)
            return try session.withMain { main in
                let list = PersonList(main, session, PersonSelection(.user, limit: ids.count), app, recent)
                return try ids.map { id -> (id: PersonID, profile: PersonProfile) in
                    let person = PersonID(.user, id)
                    return (person, try list.profile(of: person.key(in: app, hash)))
                }.sorted { ($0.profile.lastSeen?.milliseconds ?? 0) > ($1.profile.lastSeen?.milliseconds ?? 0) }
            }
        }
    }
}
