// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import AppDirectory
import CrashStore
import EventStore
import HTTPServer
import MessageStore
import Messaging
import Platform

/// A page of a person's events, crashes and messages, the newest first by time of receipt.
struct PersonTimeline {
    enum Item {
        case event(StoredEvent)
        case crash(StoredCrash)
        case message(PersonDelivery)
    }

    /// The position in each of the three, which are numbered separately.
    struct Place {
        var event = Int64.max
        var crash = Int64.max
        var message = Int64.max

        var text: String { "\(event).\(crash).\(message)" }
    }

    /// The number of devices whose messages are included.
    private static let mostDevices = 1_000

    private(set) var items: [Item] = []
    /// Nil at the end.
    private(set) var next: Place?

    static func page(
        _ records: PersonRecords, _ devices: [Int64], in store: Stores, after place: Place, limit: Int
    ) async throws -> PersonTimeline {
        let events = try await store.events.timeline(records, before: place.event, limit: limit)
        let crashes = try await store.crashes.crashes(of: records, before: place.crash, limit: limit)
        let newest = Array(devices.prefix(mostDevices))
        let messages = try await store.messages.deliveries(to: newest, before: place.message, limit: limit, .none)
        return PersonTimeline(events, crashes, messages, after: place, limit: limit)
    }

    private init(_ page: EventPage, _ found: [StoredCrash], _ sent: PersonDeliveries, after place: Place, limit: Int) {
        var (events, crashes, messages, place) = (page.events[...], found[...], sent.items[...], place)
        while items.count < limit {
            // After a page that was cut short, older events or messages may precede the remaining items.
            if events.isEmpty && page.next != nil || messages.isEmpty && sent.hasMore { break }
            let times = [events.first?.received, crashes.first?.received, messages.first?.content.sent]
            guard let newest = times.compactMap(\.self).max() else { break }
            // At the same time, events come first, then crashes.
            if times[0] == newest {
                place.event = events[events.startIndex].seq
                items.append(.event(events.removeFirst()))
            } else if times[1] == newest {
                place.crash = crashes[crashes.startIndex].row
                items.append(.crash(crashes.removeFirst()))
            } else {
                place.message = messages[messages.startIndex].delivery.id
                items.append(.message(messages.removeFirst()))
            }
        }
        let isLeft = !events.isEmpty || !crashes.isEmpty || !messages.isEmpty
        if isLeft || page.next != nil || found.count == limit || sent.hasMore { next = place }
    }
}

extension TimelineItem {
    init(_ item: PersonTimeline.Item, _ view: DeviceView) {
        switch item {
        case .event(let event): self = .event(.json(event.json))
        case .crash(let crash): self = .crash(CrashResponse(crash))
        case .message(let found): self = .message(PersonDeliveryResponse(found, view))
        }
    }
}

extension QueryString {
    /// The cursor of a timeline, three numbers: `17.3.9`.
    func timelinePlace(_ name: String) throws(Refusal) -> PersonTimeline.Place {
        guard let text = try one(name) else { return PersonTimeline.Place() }
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard numbers.count == 3, let event = numbers[0], let crash = numbers[1], let message = numbers[2] else {
            throw .field(name, "bad_cursor", "must be the next cursor of an earlier page")
        }
        return PersonTimeline.Place(event: event, crash: crash, message: message)
    }
}
