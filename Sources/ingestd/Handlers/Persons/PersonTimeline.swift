import HTTPServer
import JSON
import Platform
import Store

/// A person's events and crashes as one list, the newest first by when they came.
struct PersonTimeline {
    enum Item {
        case event(StoredEvent)
        case crash(StoredCrash)
    }

    /// How far each of the two was read: they are numbered apart.
    struct Place {
        var event = Int64.max
        var crash = Int64.max

        var text: String { "\(event).\(crash)" }
    }

    private(set) var items: [Item] = []
    /// Nil at the end.
    private(set) var next: Place?

    static func page(_ records: PersonRecords, in store: Store, after place: Place, limit: Int) async throws -> PersonTimeline {
        let events = try await store.timeline(records, before: place.event, limit: limit)
        let crashes = try await store.crashes.crashes(of: records, before: place.crash, limit: limit)
        return PersonTimeline(events, crashes, after: place, limit: limit)
    }

    private init(_ page: EventPage, _ found: [StoredCrash], after place: Place, limit: Int) {
        var (events, crashes, place) = (page.events[...], found[...], place)
        while items.count < limit {
            let event = events.first
            // Behind a page of events that was cut short older ones follow, and what is older than those waits for them.
            if event == nil, page.next != nil { break }
            if let crash = crashes.first, event.map({ $0.received < crash.received }) ?? true {
                place.crash = crash.row
                items.append(.crash(crashes.removeFirst()))
            } else if let event {
                place.event = event.seq
                items.append(.event(events.removeFirst()))
            } else {
                break
            }
        }
        if page.next != nil || found.count == limit || !events.isEmpty || !crashes.isEmpty { next = place }
    }
}

extension JSONWriter {
    mutating func write(_ item: PersonTimeline.Item) {
        switch item {
        case .event(let event): raw(event.json[...])
        case .crash(let crash):
            beginObject()
            write(crash)
            endObject()
        }
    }
}

extension QueryString {
    func timelinePlace(_ name: String) throws(Refusal) -> PersonTimeline.Place {
        try place(name).map { PersonTimeline.Place(event: $0.0, crash: $0.1) } ?? PersonTimeline.Place()
    }
}
