// SPDX-License-Identifier: Apache-2.0

package import Events
package import JSON
package import Platform

/// What a request of another product says, in the words of our own API: from there on nobody knows where it came from.
package struct IntegrationBatch: Sendable {
    package var events = IntegrationEntries("events")
    package var users = IntegrationEntries("users")
    package var crashes = IntegrationEntries("crashes")
    /// Events that the door itself takes no responsibility for; they are kept apart with its reason.
    package private(set) var refused: [RefusedEntry] = []
    /// When the sender says it sent all this.
    package var sentAt: Timestamp?
    private var requestBytes = 0

    /// About what it holds of memory: texts, tokens and what was refused.
    package var bytesHeld: Int {
        events.bytesHeld + users.bytesHeld + crashes.bytesHeld
            + refused.reduce(0) { $0 + $1.event.count + EventSubmission.bytesOfVerdict }
    }

    /// More than what a client says of all its entries takes with one of them.
    private static let roomOfEntry = 1 << 10

    package init() {}

    /// One for about as much as stands in a request.
    init(of tape: JSONTape) {
        requestBytes = tape.bytes.count
        events = IntegrationEntries("events", bytes: tape.bytes.count, tokens: tape.count)
    }

    /// The same with some of its events set apart, in our own words so that they can be put through again.
    package func refusing(_ verdicts: [Int: Verdict]) -> IntegrationBatch {
        guard !verdicts.isEmpty else { return self }
        var batch = self
        batch.events = IntegrationEntries("events")
        let tape = events.tape()
        for (place, origin) in zip(tape.elements(of: 0), events.origins) {
            if let verdict = verdicts[origin] {
                batch.refused.append(RefusedEntry(verdict: verdict, event: Array(tape.bytes[tape.slice(place)])))
            } else {
                batch.events.add(from: origin) { $0.copy(place, of: tape) }
            }
        }
        return batch
    }

    /// Refuses a request that is many times larger in our own words, where what it says of all entries stands with each of them; to be asked
    /// after each entry.
    func checkSize() throws(Refusal) {
        let entries = events.origins.count + users.origins.count
        guard events.bytes + users.bytes <= 2 * requestBytes + entries * IntegrationBatch.roomOfEntry else {
            throw Refusal(
                .tooLarge, "What is said of all entries makes the request too large once it stands with each of them.",
                hint: "Send fewer entries at once, or say less of all of them.")
        }
    }

    /// Takes note of an event that could not be put into our own words.
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
package struct IntegrationEntries: Sendable {
    private let list: String
    /// An array that has ended, and goes on with each entry.
    private var json: TapeWriter
    /// Where each entry ends.
    private var ends: [Int] = []
    /// Which entry of the request each was made from.
    package private(set) var origins: [Int] = []

    init(_ list: String, bytes: Int = 256, tokens: Int = 16) {
        self.list = list
        json = TapeWriter(bytes: bytes, tokens: tokens)
        json.beginArray()
        json.endArray()
    }

    package var isEmpty: Bool { origins.isEmpty }
    var bytes: Int { json.bytes.count }
    fileprivate var bytesHeld: Int { json.bytesHeld + origins.count * 2 * MemoryLayout<Int>.stride }

    /// Adds an entry, of which `write` writes the whole value.
    package mutating func add(from origin: Int, _ write: (inout TapeWriter) -> Void) {
        origins.append(origin)
        json.resumeArray()
        write(&json)
        ends.append(json.bytes.count)
        json.endArray()
    }

    /// The entries as an array that was read already.
    package func tape() -> JSONTape { json.tape() }

    /// The body our own door takes.
    package func body(sentAt: Timestamp?) -> [UInt8] {
        body(of: ends.indices, sentAt: sentAt)
    }

    /// The same as bodies of at most so many entries and, but for one that is alone larger, so many bytes.
    package func bodies(sentAt: Timestamp?, entries: Int, bytes: Int = .max) -> [(body: [UInt8], origins: [Int])] {
        var bodies: [(body: [UInt8], origins: [Int])] = []
        var first = 0
        while first < ends.count {
            var next = first + 1
            while next < ends.count, next - first < entries, ends[next] - start(first) <= bytes { next += 1 }
            bodies.append((body(of: first..<next, sentAt: sentAt), Array(origins[first..<next])))
            first = next
        }
        return bodies
    }

    /// Behind the bracket, or behind the comma after the entry before.
    private func start(_ entry: Int) -> Int { entry == 0 ? 1 : ends[entry - 1] + 1 }

    private func body(of entries: Range<Int>, sentAt: Timestamp?) -> [UInt8] {
        let text = entries.isEmpty ? json.bytes[1..<1] : json.bytes[start(entries.lowerBound)..<ends[entries.upperBound - 1]]
        var body = JSONWriter(reserving: text.count + 64)
        body.beginObject()
        if let sentAt { body.field("sent_at", sentAt.rfc3339) }
        body.key(list)
        body.beginArray()
        if !text.isEmpty { body.raw(text) }
        body.endArray()
        body.endObject()
        return body.bytes
    }
}
