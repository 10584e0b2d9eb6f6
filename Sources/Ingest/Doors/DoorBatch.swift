package import JSON
package import Platform

/// What a request of another product says, in the words of our own API: from there on nobody knows where it came from.
package struct DoorBatch: Sendable {
    package var events = DoorEntries("events")
    package var users = DoorEntries("users")
    package var crashes = DoorEntries("crashes")
    /// When the sender says it sent all this.
    package var sentAt: Timestamp?

    package init() {}
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
