// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// The members of the cohorts that a scan's filters name.
struct CohortMembers: Sendable {
    private struct Members: Sendable {
        var filters: [Filter]
        /// The people who sent the cohort's event; nil if any people may be members.
        var people: Set<UInt64>?
    }

    private var members: [String: Members] = [:]
    private let values: PeopleValues

    init(_ context: QueryContext, _ cohorts: [NamedCohort], _ values: PeopleValues) throws {
        self.values = values
        for cohort in cohorts where members[cohort.name] == nil {
            guard let definition = cohort.definition else { continue }
            members[cohort.name] = Members(filters: definition.filters, people: try context.people(of: definition))
        }
    }

    /// Returns whether an event's person is in one of the cohorts. An event without a person is in none.
    @Sendable func contain(_ cohorts: [NamedCohort], user: UInt64, installation: UInt64) -> Bool {
        let person = values.person(user: user, installation: installation)
        return person != 0
            && cohorts.contains { cohort in
                guard let members = members[cohort.name] else { return false }
                if let people = members.people, !people.contains(person) { return false }
                return members.filters.allSatisfy { filter in
                    guard case .user(let name) = filter.path else { return false }
                    return filter.holds(values.value(name, user: user, installation: installation))
                }
            }
    }
}

extension QueryContext {
    /// Returns the people who sent the event of a cohort within its range; nil without an event. Persons are those of that range.
    fileprivate func people(of cohort: Cohort) throws -> Set<UInt64>? {
        guard let event = cohort.event else { return nil }
        let range = TimeBuckets(edges: [cohort.from, cohort.to])
        let sightings = try scan(EventScan(range, names: [event], filters: cohort.eventFilters), into: Sightings()) {
            try $0.add($1, in: range)
        } joining: {
            try $0.add($1)
        }
        return sightings.persons(sightings.hasAnonymous ? try identity(from: cohort.from, to: cohort.to) : Identity())
    }
}
