// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
import Platform

/// The sightings that are not folded into the main file yet: at most `EventStoreOptions.foldRows` of them.
struct RecentPersons: Sendable {
    private var sightings: [UInt64: LastSighting] = [:]

    init(_ session: ReadSession, _ app: AppID) throws {
        for day in try session.days().suffix(2) {
            for sighting in try session.day(day)?.lastSightings(of: app) ?? [] {
                sightings[sighting.key, default: sighting].stay.add(sighting.stay)
            }
        }
    }

    func stay(of key: UInt64) -> PersonPresence.Stay? { sightings[key]?.stay }

    func keys(_ kind: PersonID.Kind) -> [UInt64] {
        let kind = kind == .user ? IDRows.Kind.user : .installation
        return sightings.values.filter { $0.kind == kind }.map(\.key)
    }
}
