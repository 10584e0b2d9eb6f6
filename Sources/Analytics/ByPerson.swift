// SPDX-License-Identifier: Apache-2.0

import EventStore

/// An element of a group, in the order within its group.
protocol OfPerson: Comparable {
    /// The key of the group.
    var person: UInt64 { get }
}

/// Events grouped by person with a counting sort.
///
/// Events are counted per person, then each is put in its place. This takes a tenth of the time of sorting all events.
struct ByPerson<Event: OfPerson> {
    private var places = KeyTable(capacityBits: 10)
    /// The index of each person's first event. While events are placed, the index for the person's next one.
    private var starts: [Int] = []
    private var events: [Event] = []

    init(_ parts: [[Event]]) {
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
        if let any = parts.joined().first { events = [Event](repeating: any, count: sum) }
    }

    /// Puts the events of a part in their places, each after a change.
    mutating func place(_ part: [Event], changed change: (inout Event) -> Void) {
        for var event in part {
            change(&event)
            guard let person = places[event.person].map(Int.init) else { continue }
            events[starts[person]] = event
            starts[person] += 1
        }
    }

    /// Calls a closure with the events of each person in order.
    func each(_ body: (ArraySlice<Event>) throws -> Void) throws {
        var start = 0
        for end in starts {
            let isSorted = zip(events[start..<end], events[start..<end].dropFirst()).allSatisfy { !($1 < $0) }
            try body(isSorted ? events[start..<end] : events[start..<end].sorted()[...])
            start = end
        }
    }
}
