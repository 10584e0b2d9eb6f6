// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Events
package import JSON
package import Platform

/// A request of another product, translated to entries of the native API. Code after this point does not know the product.
///
///     Segment {"type": "track", "userId": "ann", "event": "Signed Up", "properties": {"plan": "pro"}}
///       → events [{"name": "Signed Up", "user_id": "ann", "params": {"plan": "pro"}}], origins [0]
package struct IntegrationBatch: Sendable {
    package var events = IntegrationEntries("events")
    package var users = IntegrationEntries("users")
    package var crashes = IntegrationEntries("crashes")
    /// Files that belong to reports in `crashes`, or to earlier ones.
    package var attachments: [CrashAttachment] = []
    /// Sessions that arrive as counts, each list once.
    package var sessionCounts: [SessionCounts] = []
    /// Events that could not be translated; they are quarantined with their reason.
    package private(set) var rejected: [RejectedEntry] = []
    /// The minidumps of crashes, by the index of the request's entry from which the crash was made.
    package internal(set) var dumps: [Int: [UInt8]] = [:]
    /// The time at which the sender claims to have sent the request.
    package var sentAt: Timestamp?
    private var requestBytes = 0

    /// The approximate memory in use: texts, tokens and rejected entries.
    package var bytesHeld: Int {
        events.bytesHeld + users.bytesHeld + crashes.bytesHeld + dumps.values.reduce(0) { $0 + 2 * $1.count }
            + rejected.reduce(0) { $0 + $1.event.count + EventSubmission.bytesOfVerdict } + attachments.reduce(0) { $0 + $1.bytesHeld }
            + sessionCounts.reduce(0) { $0 + $1.bytesHeld }
    }

    package var isEmpty: Bool {
        events.isEmpty && users.isEmpty && crashes.isEmpty && attachments.isEmpty && sessionCounts.isEmpty && rejected.isEmpty
    }

    /// More than the shared fields that a client repeats in each entry.
    private static let roomOfEntry = 1 << 10

    package init() {}

    /// Creates a batch with capacity for a translation of about the request's size.
    init(of tape: JSONTape) {
        requestBytes = tape.bytes.count
        events = IntegrationEntries("events", bytes: tape.bytes.count, tokens: tape.count)
    }

    /// Returns the batch with some of its events quarantined in translated form, so that a replay can read them.
    package func rejecting(_ verdicts: [Int: Verdict]) -> IntegrationBatch {
        guard !verdicts.isEmpty else { return self }
        var batch = self
        batch.events = IntegrationEntries("events")
        let tape = events.tape()
        for (place, origin) in zip(tape.elements(of: 0), events.origins) {
            if let verdict = verdicts[origin] {
                batch.rejected.append(RejectedEntry(verdict: verdict, event: Array(tape.bytes[tape.slice(place)])))
            } else {
                batch.events.add(from: origin) { $0.copy(place, of: tape) }
            }
        }
        return batch
    }

    /// Throws a refusal if the translation is many times larger than the request, because shared fields are copied to each entry. Called
    /// after each entry.
    func checkSize() throws(Refusal) {
        let entries = events.origins.count + users.origins.count
        guard events.bytes + users.bytes <= 2 * requestBytes + entries * IntegrationBatch.roomOfEntry else {
            throw Refusal(
                .tooLarge, "The fields shared by all entries exceed the size limit once copied to each entry.",
                hint: "Send fewer entries per request, or fewer shared fields.")
        }
    }

    /// Adds an event that could not be translated.
    package mutating func reject(from origin: Int, _ reason: Reason, _ field: String, _ message: String, event: [UInt8]) {
        let verdict = Verdict(index: origin, id: nil, result: .quarantined, reason: reason, field: field, message: message)
        rejected.append(RejectedEntry(verdict: verdict, event: event))
    }

    /// Returns the quarantined entries as a submission; nil if there are none.
    package func quarantine(of app: AppID, received: Timestamp, source: EventSubmission.Source) -> EventSubmission? {
        guard !rejected.isEmpty else { return nil }
        var body: [UInt8] = []
        let quarantined = rejected.map { entry in
            let raw = ByteRange(offset: body.count, count: entry.event.count)
            body += entry.event
            return QuarantinedEvent(verdict: entry.verdict, raw: raw, time: nil)
        }
        return EventSubmission(
            app: app, received: received, body: body, arena: [], contexts: [], records: [], quarantined: quarantined, corrections: [], source: source)
    }
}

/// An event that could not be translated, with the reason.
package struct RejectedEntry: Sendable {
    package let verdict: Verdict
    package let event: [UInt8]
}

/// Sessions of a server, which are counted once if the request identifies them.
package struct SessionCounts: Sendable {
    package let sessions: [CountedSessions]
    /// Bytes that only a retry of the same request has again; nil if it has none.
    package let identity: [UInt8]?

    package init(_ sessions: [CountedSessions], identity: [UInt8]?) {
        (self.sessions, self.identity) = (sessions, identity)
    }

    fileprivate var bytesHeld: Int { sessions.count * CountedSessions.bytesHeld + (identity?.count ?? 0) }
}

/// Translated entries of one kind.
package struct IntegrationEntries: Sendable {
    private let list: String
    /// A closed array that each new entry extends.
    private var json: TapeWriter
    /// The end of each entry.
    private var ends: [Int] = []
    /// The index of the request's entry from which each was made.
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

    /// Adds an entry. `write` writes its whole value.
    package mutating func add(from origin: Int, _ write: (inout TapeWriter) -> Void) {
        origins.append(origin)
        json.resumeArray()
        write(&json)
        ends.append(json.bytes.count)
        json.endArray()
    }

    /// Returns the entries as a parsed array.
    package func tape() -> JSONTape { json.tape() }

    /// Returns the entries as a body of the native API.
    package func body(sentAt: Timestamp?) -> [UInt8] {
        body(of: ends.indices, sentAt: sentAt)
    }

    /// Returns the entries as bodies of limited size. A body exceeds `bytes` only if a single entry does.
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

    /// Returns the position after the bracket or after the previous entry's comma.
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
