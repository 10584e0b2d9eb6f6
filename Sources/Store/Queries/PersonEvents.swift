import Events
import Platform

/// An event on its person's way through time.
struct PersonEvent: Sendable {
    var person: UInt64
    var time: Int64
    var session: UInt64
    var passed: UInt32
    /// The value's number plus one, 0 for none.
    var value: UInt32
}

/// The events of a stretch of time, of some people.
private struct PersonEvents: Sendable {
    var events: [PersonEvent] = []
    var values = ValueTable()

    mutating func add(_ event: ScannedEvent, person: UInt64) throws(Refusal) {
        let value = try event.value.map { value throws(Refusal) in try values.number(value) + 1 } ?? 0
        events.append(PersonEvent(person: person, time: event.time, session: event.session, passed: event.passed, value: value))
    }
}

extension Asking {
    /// As many events as are held in memory at once; of more, people are taken in several rounds.
    private static let eventsAtOnce = 3_000_000

    /// Hands over the events of each person, in the order of their times and those of one moment by what they passed. Values are given
    /// as numbers into the table.
    func eachPerson(_ scan: EventScan, _ identity: Identity, _ body: (ArraySlice<PersonEvent>, ValueTable) throws -> Void) throws {
        let range = TimeBuckets(edges: [scan.from, scan.to])
        var scan = scan
        scan.identity = identity
        let count = try rollups(.events, range, words: scan.names).all[0].count
        let rounds = UInt64(count) / UInt64(Asking.eventsAtOnce) + 1
        for round in 0..<rounds {
            let parts = try self.scan(scan, into: PersonEvents()) { events, event in
                let person = identity.person(user: event.user, installation: event.installation)
                guard person != 0, person % rounds == round else { return }
                try events.add(event, person: person)
            }
            let (events, values) = try joined(parts)
            var start = 0
            while start < events.count {
                var end = start + 1
                while end < events.count, events[end].person == events[start].person { end += 1 }
                try body(events[start..<end], values)
                start = end
            }
        }
    }

    private func joined(_ parts: [PersonEvents]) throws -> ([PersonEvent], ValueTable) {
        var all: [PersonEvent] = []
        all.reserveCapacity(parts.reduce(0) { $0 + $1.events.count })
        var values = ValueTable()
        for part in parts {
            let numbers = try part.values.texts.map { try values.number($0) + 1 }
            for var event in part.events {
                if event.value != 0 { event.value = numbers[Int(event.value) - 1] }
                all.append(event)
            }
        }
        all.sort { ($0.person, $0.time, $0.passed) < ($1.person, $1.time, $1.passed) }
        return (all, values)
    }
}
