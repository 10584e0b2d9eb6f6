package import Events
package import JSON
package import Platform

/// What a request of another product says, in the words of our own API: from there on nobody knows where it came from.
package struct DoorBatch: Sendable {
    package var events = DoorEntries("events")
    package var users = DoorEntries("users")
    package var crashes = DoorEntries("crashes")
    /// Events that the door itself takes no responsibility for; they are kept apart with its reason.
    package private(set) var refused: [RefusedEntry] = []
    /// When the sender says it sent all this.
    package var sentAt: Timestamp?

    package init() {}

    /// Sets an event apart, in our own words so that it can be put through again.
    package mutating func refuse(from origin: Int, _ reason: Reason, _ field: String, _ message: String, event: [UInt8]) {
        let verdict = Verdict(index: origin, id: nil, result: .quarantined, reason: reason, field: field, message: message)
        refused.append(RefusedEntry(verdict: verdict, event: event))
    }

    /// What is to be kept of those that were refused; nil where there are none.
    package func quarantine(of app: AppID, received: Timestamp, source: EventSubmission.Source) -> EventSubmission? {
        guard !refused.isEmpty else { return nil }
        var body: [UInt8] = []
        let quarantined = refused.map { entry in
            let raw = ByteRange(offset: body.count, count: entry.event.count)
            body += entry.event
            return QuarantinedEvent(verdict: entry.verdict, raw: raw, time: nil)
        }
        return EventSubmission(
            app: app, received: received, body: body, arena: [], contexts: [], records: [], quarantined: quarantined, corrections: [], source: source)
    }
}

/// An event that a door cannot vouch for, and why.
package struct RefusedEntry: Sendable {
    package let verdict: Verdict
    package let event: [UInt8]
}

/// Entries of one kind, written one after the other.
package struct DoorEntries: Sendable {
    private let list: String
    private var json = JSONWriter(reserving: 4_096)
    /// Which entry of the request each was made from.
    package private(set) var origins: [Int] = []

    init(_ list: String) {
        self.list = list
        json.beginArray()
    }

    package var isEmpty: Bool { origins.isEmpty }

    /// Adds an entry, of which `write` writes the whole value.
    package mutating func add(from origin: Int, _ write: (inout JSONWriter) -> Void) {
        origins.append(origin)
        write(&json)
    }

    /// The body our own door takes.
    package func body(sentAt: Timestamp?) -> [UInt8] {
        var entries = json
        entries.endArray()
        var body = JSONWriter(reserving: entries.bytes.count + 64)
        body.beginObject()
        if let sentAt { body.field("sent_at", sentAt.rfc3339) }
        body.key(list)
        body.raw(entries.bytes[...])
        body.endObject()
        return body.bytes
    }
}
