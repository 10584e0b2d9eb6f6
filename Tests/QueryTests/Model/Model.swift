// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Synchronization

@testable import AppDirectory

/// The reference model of all queries: plain loops over plain lists.
struct Model: Sendable {
    /// The stored events, without duplicates.
    let stored: [LoggedEvent]
    /// The stored events without withdrawn purchases.
    let events: [LoggedEvent]
    /// Aliases, which count like events in figures of people.
    let aliases: [LoggedEvent]
    let crashes: [LoggedEvent]
    private let properties: [Person: [String: Property]]
    private let told: [Person: Timestamp]
    /// Orders two users named in the same millisecond. The store picks the one with the lesser key.
    let rank: @Sendable (Person) -> UInt64

    private let members = Members()

    /// The people of cohorts, which every event is compared with.
    private final class Members: Sendable {
        let known = Mutex<[String: Set<Person>]>([:])
    }

    private struct Property {
        var time: Timestamp
        var json: String?
        var text: String?
    }

    init(_ log: Log, rank: @escaping @Sendable (Person) -> UInt64) {
        self.rank = rank
        let (stored, withdrawn) = Model.once(log.events.flatMap(\.self))
        self.stored = stored
        events = stored.filter { !withdrawn.contains($0.id) }
        aliases = log.updates.flatMap(\.self).compactMap(\.naming)
        crashes = log.crashes.flatMap(\.self)
        properties = Model.properties(log.updates.flatMap(\.self))
        told = Model.told(stored, log.updates.flatMap(\.self))
    }

    /// Returns the newest value of each property. With equal times a removal wins, then the greater value.
    private static func properties(_ updates: [LoggedUpdate]) -> [Person: [String: Property]] {
        var all: [Person: [String: Property]] = [:]
        for update in updates {
            guard let person = update.user.map(Person.user) ?? update.installation.map(Person.installation) else { continue }
            let new = Property(time: update.time, json: update.value?.json, text: update.value?.text)
            if let old = all[person]?[update.name] {
                if new.time < old.time { continue }
                if new.time == old.time, let json = new.json, old.json.map({ !$0.utf8.lexicographicallyPrecedes(json.utf8) }) ?? true { continue }
            }
            all[person, default: [:]][update.name] = new
        }
        return all
    }

    /// Returns when each user and installation first appeared, in an event or a property update.
    private static func told(_ events: [LoggedEvent], _ updates: [LoggedUpdate]) -> [Person: Timestamp] {
        var first: [Person: Timestamp] = [:]
        let words = events.map { ($0.user, $0.installation, $0.time) } + updates.map { ($0.user, $0.installation, $0.time) }
        for (user, installation, time) in words {
            for person in [user.map(Person.user), installation.map(Person.installation)].compactMap(\.self) {
                first[person] = min(first[person] ?? time, time)
            }
        }
        return first
    }

    // MARK: People

    func events(from: Timestamp, to: Timestamp) -> [LoggedEvent] {
        events.filter { from <= $0.time && $0.time < to }
    }

    /// Returns the events and the aliases of a period. Withdrawn purchases are among them: the person was there.
    func presence(from: Timestamp, to: Timestamp) -> [LoggedEvent] {
        stored(from: from, to: to) + aliases.filter { from <= $0.time && $0.time < to }
    }

    /// Returns the owners of installations in a period.
    func owners(from: Timestamp, to: Timestamp) -> Owners {
        Owners(presence(from: from, to: to)) { rank(.user($0)) }
    }

    func owners(_ buckets: TimeBuckets) -> Owners { owners(from: buckets.from, to: buckets.to) }

    /// Returns the number of distinct people in a period.
    func people(from: Timestamp, to: Timestamp) -> Int {
        let there = presence(from: from, to: to)
        let owners = Owners(there) { rank(.user($0)) }
        return Set(there.compactMap(owners.person)).count
    }

    func value(_ path: FieldPath, of event: LoggedEvent, _ owners: Owners) -> String? {
        switch path {
        case .name: event.name
        case .context(let place): place < event.context.count ? event.context[place] : nil
        case .param(let name): event.params.first { $0.name == name }?.text
        case .item: nil
        case .cohorts(let cohorts): owners.person(of: event).flatMap { person in isMember(person, event, of: cohorts, owners) ? "1" : nil }
        case .several(let fields): joined(fields.map { value($0, of: event, owners) ?? "(none)" })
        case .user(let name):
            owners.person(of: event).flatMap { properties[$0]?[name]?.text }
                ?? event.installation.flatMap { properties[.installation($0)]?[name]?.text }
        }
    }

    private func isMember(_ person: Person, _ event: LoggedEvent, of cohorts: [NamedCohort], _ owners: Owners) -> Bool {
        cohorts.compactMap(\.definition).contains { cohort in
            guard cohort.filters.allSatisfy({ $0.matches(value($0.path, of: event, owners)) }) else { return false }
            return cohort.event.map { people(who: $0, cohort).contains(person) } ?? true
        }
    }

    /// Returns the people who sent a cohort's event. The cohorts of a log have different events or ranges.
    private func people(who sent: String, _ cohort: Cohort) -> Set<Person> {
        let key = "\(sent) \(cohort.from.milliseconds) \(cohort.to.milliseconds) \(cohort.eventFilters.map(\.values))"
        if let known = members.known.withLock({ $0[key] }) { return known }
        let then = owners(from: cohort.from, to: cohort.to)
        let found = events(from: cohort.from, to: cohort.to).filter { passes($0, names: [sent], cohort.eventFilters, then) }
        let people = Set(found.compactMap(then.person))
        members.known.withLock { $0[key] = people }
        return people
    }

    /// Joins values with zero bytes. No value of a log contains one.
    private func joined(_ values: [String]) -> String { values.joined(separator: "\u{0}") }

    func passes(_ event: LoggedEvent, names: [String]?, _ filters: [Filter], _ owners: Owners) -> Bool {
        names.map { $0.contains(event.name) } ?? true && filters.allSatisfy { $0.matches(value($0.path, of: event, owners)) }
    }

    /// Returns when each person of a period first appeared, by ID or by an installation that belongs to them in the period.
    func firstTimes(_ buckets: TimeBuckets) -> [Person: Timestamp] {
        let owners = owners(buckets)
        var first: [Person: Timestamp] = [:]
        for event in presence(from: buckets.from, to: buckets.to) {
            guard let person = owners.person(of: event), let told = told[event.user.map(Person.user) ?? .installation(event.installation ?? "")]
            else { continue }
            first[person] = min(first[person] ?? told, told)
        }
        return first
    }
}

enum Person: Hashable, Sendable {
    case user(String)
    case installation(String)

    var id: PersonID {
        switch self {
        case .user(let name): PersonID(.user, name)
        case .installation(let name): PersonID(.installation, name)
        }
    }
}

/// The owners of events without a user within a period.
struct Owners {
    private var users: [String: (name: String, time: Timestamp)] = [:]

    init(_ events: [LoggedEvent], rank: (String) -> UInt64) {
        for event in events {
            guard let user = event.user, let installation = event.installation else { continue }
            if let known = users[installation], (known.time.milliseconds, rank(known.name)) <= (event.time.milliseconds, rank(user)) { continue }
            users[installation] = (user, event.time)
        }
    }

    /// Adds owners of installations that have none here.
    mutating func fill(from other: Owners) {
        users.merge(other.users) { known, _ in known }
    }

    /// Nil if the event names neither a user nor an installation.
    func person(of event: LoggedEvent) -> Person? {
        if let user = event.user { return .user(user) }
        return event.installation.map { installation in users[installation].map { .user($0.name) } ?? .installation(installation) }
    }
}

extension Filter {
    /// Whether the filter matches a text. A missing value matches only `!=`.
    fileprivate func matches(_ text: String?) -> Bool {
        guard let text else { return comparison == .notEqual }
        if case .cohorts = path { return comparison == .equal }
        return switch comparison {
        case .equal: values.contains { isEqual(text, $0) }
        case .notEqual: !values.contains { isEqual(text, $0) }
        case .contains: values.contains { Filter.stands($0, in: text) }
        case .greater: values.contains { Filter.order(text, $0) > 0 }
        case .atLeast: values.contains { Filter.order(text, $0) >= 0 }
        case .less: values.contains { Filter.order(text, $0) < 0 }
        case .atMost: values.contains { Filter.order(text, $0) <= 0 }
        }
    }

    /// Parameters and properties may be numbers; names and context fields are texts.
    private func isEqual(_ text: String, _ value: String) -> Bool {
        switch path {
        case .param, .user: Filter.order(text, value) == 0
        default: text.utf8.elementsEqual(value.utf8)
        }
    }

    private static func stands(_ part: String, in text: String) -> Bool {
        let (part, text) = (Array(part.utf8), Array(text.utf8))
        return text.indices.contains { text[$0...].starts(with: part) } || part.isEmpty
    }

    /// Compares two numbers by value, other texts by their scalars: -1, 0 or 1.
    private static func order(_ a: String, _ b: String) -> Int {
        if let first = number(a), let second = number(b) { return first < second ? -1 : first == second ? 0 : 1 }
        let (first, second) = (a.unicodeScalars.map(\.value), b.unicodeScalars.map(\.value))
        return first.lexicographicallyPrecedes(second) ? -1 : first == second ? 0 : 1
    }

    /// Parses a decimal number as JSON spells it. The numbers of logs and questions are exact as `Double`.
    private static func number(_ text: String) -> Double? {
        let digits = text.drop { $0 == "-" }
        guard text.allSatisfy({ "0123456789+-.eE".contains($0) }), let first = digits.unicodeScalars.first,
            "0123456789".unicodeScalars.contains(first),
            first != "0" || digits.count == 1 || digits.dropFirst().first == "." || digits.dropFirst().first == "e"
        else { return nil }
        return text.hasSuffix(".") ? nil : Double(text)
    }
}
