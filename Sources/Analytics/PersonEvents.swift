// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform

/// An event of a person, reduced to what funnels and sessions need.
struct PersonEvent: Sendable {
    var person: UInt64
    var time: Int64
    var session: UInt64
    var passed: UInt32
    /// The value's code; 0 for no value.
    var value: UInt32
}

/// The events of some people from one file.
private struct PersonEvents: Sendable {
    var events: [PersonEvent] = []
    private(set) var values = ValueTable()

    /// Adds the events of the people of one round.
    ///
    /// - Parameter passed: The passed tests of all events of the batch; nil for those that the batch has.
    mutating func add(_ batch: EventBatch, _ identity: Identity, round: UInt64, of rounds: UInt64, passed: UInt32? = nil) {
        values.follow(batch)
        for row in batch.rows {
            let person = identity.person(user: batch.users[row], installation: batch.installations[row])
            guard person != 0, rounds == 1 || person % rounds == round else { continue }
            events.append(
                PersonEvent(
                    person: person, time: batch.times[row], session: batch.sessions[row], passed: passed ?? batch.passed[row],
                    value: batch.codes.isEmpty ? 0 : batch.codes[row]))
        }
    }
}

extension QueryContext {
    /// The number of events held in memory at once. For more, people are processed in several rounds.
    private static let eventsAtOnce = 2_000_000

    /// Calls a closure with the events of each person, in the order of time and then of passed tests.
    ///
    /// Values are codes of the table.
    ///
    /// - Parameter beside: Events from elsewhere that are merged with the scanned ones, and the tests that they pass.
    func eachPerson(
        _ scan: EventScan, _ identity: Identity, beside: (events: EventBatch, passed: UInt32) = (EventBatch(), 0),
        _ body: (ArraySlice<PersonEvent>, ValueTable) throws -> Void
    ) throws {
        precondition(!scan.tests.isEmpty, "batches have passed tests only if the scan has tests")
        let range = TimeBuckets(edges: [scan.from, scan.to])
        var scan = scan
        scan.identity = identity
        scan.columns = [.time, .keys]
        let count = try rollups(.events, range, words: scan.names).all[0].count
        let rounds = UInt64(count) / UInt64(QueryContext.eventsAtOnce) + 1
        for round in 0..<rounds {
            var parts = try self.scan(scan, into: PersonEvents()) { $0.add($1, identity, round: round, of: rounds) }
            var others = PersonEvents()
            others.add(beside.events, identity, round: round, of: rounds, passed: beside.passed)
            parts.append(others)
            let (people, values) = try joined(parts)
            try people.each { try body($0, values) }
        }
    }

    private func joined(_ parts: [PersonEvents]) throws -> (ByPerson, ValueTable) {
        var values = ValueTable()
        var people = ByPerson(parts.map(\.events))
        for part in parts {
            let codes = try part.values.texts.map { try values.code(of: $0) }
            people.place(part.events, codes: [0] + codes)
        }
        return (people, values)
    }
}

/// Events grouped by person with a counting sort.
///
/// Events are counted per person, then each is put in its place. This takes a tenth of the time of sorting all events.
private struct ByPerson {
    private var places = KeyTable(capacityBits: 10)
    /// The index of each person's first event. While events are placed, the index for the person's next one.
    private var starts: [Int] = []
    private var events: [PersonEvent]

    init(_ parts: [[PersonEvent]]) {
        var counts: [Int] = []
        for event in parts.joined() {
            if let place = places[event.person] {
                counts[Int(place)] += 1
            } else {
                places.set(event.person, UInt32(truncatingIfNeeded: counts.count))
                counts.append(1)
            }
        }
        var sum = 0
        for count in counts {
            starts.append(sum)
            sum += count
        }
        events = [PersonEvent](repeating: PersonEvent(person: 0, time: 0, session: 0, passed: 0, value: 0), count: sum)
    }

    mutating func place(_ part: [PersonEvent], codes: [UInt32]) {
        for var event in part {
            event.value = codes[Int(event.value)]
            guard let person = places[event.person].map(Int.init) else { continue }
            events[starts[person]] = event
            starts[person] += 1
        }
    }

    /// Calls a closure with the events of each person in order of time.
    func each(_ body: (ArraySlice<PersonEvent>) throws -> Void) throws {
        var start = 0
        for end in starts {
            let isSorted = zip(events[start..<end], events[start..<end].dropFirst()).allSatisfy { !($1 < $0) }
            try body(isSorted ? events[start..<end] : events[start..<end].sorted()[...])
            start = end
        }
    }
}

extension PersonEvent: Comparable {
    static func < (a: PersonEvent, b: PersonEvent) -> Bool { (a.time, a.passed) < (b.time, b.passed) }
}
