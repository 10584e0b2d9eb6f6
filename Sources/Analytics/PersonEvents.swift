// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// An event of a person, reduced to what funnels and sessions need.
struct PersonEvent: Sendable {
    /// The person, or the subject of its session.
    var person: UInt64
    /// The user that the event names; 0 for none.
    var user: UInt64
    var time: Int64
    var session: UInt64
    var passed: UInt32
    /// The value's code; 0 for no value.
    var value: UInt32
}

/// The rule by which events are grouped.
enum EventOwner: Sendable {
    /// The person in a period.
    case person(Identity)
    /// The subject of sessions, which is the same in every period.
    case subject

    /// Returns the key of an event's group; 0 for none.
    func key(user: UInt64, installation: UInt64) -> UInt64 {
        switch self {
        case .person(let identity): identity.person(user: user, installation: installation)
        case .subject: SessionSubject.key(user: user, installation: installation)
        }
    }
}

/// The events of some people from one file.
private struct PersonEvents: Sendable {
    var events: [PersonEvent] = []
    private(set) var values = ValueTable()

    /// Adds the events of the people of one round.
    mutating func add(_ batch: EventBatch, _ owner: EventOwner, round: UInt64, of rounds: UInt64) {
        values.follow(batch)
        for row in batch.rows {
            let person = owner.key(user: batch.users[row], installation: batch.installations[row])
            guard person != 0, rounds == 1 || person % rounds == round else { continue }
            events.append(
                PersonEvent(
                    person: person, user: batch.users[row], time: batch.times[row], session: batch.sessions[row],
                    passed: batch.passed[row], value: batch.codes.isEmpty ? 0 : batch.codes[row]))
        }
    }
}

extension QueryContext {
    /// The number of events held in memory at once. For more, people are processed in several rounds.
    private static let eventsAtOnce = 2_000_000

    /// Calls a closure with the events of each person or subject, in the order of time and then of passed tests.
    ///
    /// Values are codes of the table. Returns the table of all of them.
    @discardableResult
    func eachPerson(
        _ scan: EventScan, _ identity: Identity, bySubject: Bool = false, _ body: (ArraySlice<PersonEvent>, ValueTable) throws -> Void
    ) throws -> ValueTable {
        precondition(!scan.tests.isEmpty, "batches have passed tests only if the scan has tests")
        let range = TimeBuckets(edges: [scan.from, scan.to])
        var scan = scan
        scan.identity = identity
        scan.columns = [.time, .keys]
        let owner = bySubject ? EventOwner.subject : .person(identity)
        let count = try rollups(.events, range, words: scan.names).all[0].count
        let rounds = UInt64(count) / UInt64(QueryContext.eventsAtOnce) + 1
        var values = ValueTable()
        for round in 0..<rounds {
            let parts = try self.scan(scan, into: PersonEvents()) { $0.add($1, owner, round: round, of: rounds) }
            let people = try joined(parts, &values)
            let table = values
            try people.each { try body($0, table) }
        }
        return values
    }

    private func joined(_ parts: [PersonEvents], _ values: inout ValueTable) throws -> ByPerson<PersonEvent> {
        var people = ByPerson(parts.map(\.events))
        for part in parts {
            let codes = try [0] + part.values.texts.map { try values.code(of: $0) }
            people.place(part.events) { $0.value = codes[Int($0.value)] }
        }
        return people
    }
}

extension PersonEvent: OfPerson {
    static func < (a: PersonEvent, b: PersonEvent) -> Bool { (a.time, a.passed) < (b.time, b.passed) }
}
