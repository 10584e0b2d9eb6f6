// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The decoded content of one request: its bytes, and flat records that refer to them.
package struct EventSubmission: Sendable {
    package let app: AppID
    package let received: Timestamp
    /// The decoded body. Ranges with source `body` refer to it.
    package let body: [UInt8]
    /// Text that had to be unescaped or rewritten. Ranges with source `arena` refer to it.
    package let arena: [UInt8]
    package let contexts: [EventContext]
    package private(set) var records: [EventRecord]
    /// Invalid events with their reasons.
    package let quarantined: [QuarantinedEvent]
    /// Changes to events that are in `records`.
    package let corrections: [Verdict]
    /// Fields that apply to all events of the request.
    package let envelope: Envelope
    package let source: Source
    /// Whether the events come from the quarantine. Events that are rejected again stay there and are not stored a second time.
    package private(set) var isReplay = false

    /// The kind of entries in a request. It selects the rules that validate them.
    package enum Source: String, Sendable {
        case events, users, crashes
        /// Events that a server reports with Google's names.
        case server
        /// Events of products that allow free text as names.
        case open
        /// Events sent with an admin key, whose purchases and refunds are trusted.
        case trusted
        /// Purchases and refunds sent with a send key, which may report nothing else. They are trusted.
        case orders

        package func rules(_ settings: AppSettings) -> RuleSet {
            switch self {
            case .events, .users, .crashes, .trusted, .orders: .firebase(.sdk, settings)
            case .server: .firebase(.server, settings)
            case .open: .open(settings)
            }
        }

        /// Whether its events are those of the native API.
        package var isNative: Bool { self == .events || isTrusted }

        /// Whether its purchases and refunds win over those of clients.
        package var isTrusted: Bool { self == .trusted || self == .orders }
    }

    package struct Envelope: Sendable {
        /// The envelope as a flat object. It is stored with quarantined events, so that a replay reads them with the same fields.
        package var json: [UInt8]
        /// The key of the user that the envelope names, 0 for none.
        package var user: UInt64
        package var installation: UInt64

        package init(json: [UInt8] = Array("{}".utf8), user: UInt64 = 0, installation: UInt64 = 0) {
            self.json = json
            self.user = user
            self.installation = installation
        }
    }

    package init(
        app: AppID, received: Timestamp, body: [UInt8], arena: [UInt8], contexts: [EventContext], records: [EventRecord],
        quarantined: [QuarantinedEvent], corrections: [Verdict], envelope: Envelope = Envelope(), source: Source = .events
    ) {
        self.app = app
        self.received = received
        self.body = body
        self.arena = arena
        self.contexts = contexts
        self.records = records
        self.quarantined = quarantined
        self.corrections = corrections
        self.envelope = envelope
        self.source = source
    }

    /// The approximate memory in use.
    package var bytesHeld: Int {
        body.count + arena.count + envelope.json.count + records.count * MemoryLayout<EventRecord>.stride
            + (quarantined.count + corrections.count) * EventSubmission.bytesOfVerdict
    }

    /// The approximate size of a verdict with its texts.
    package static let bytesOfVerdict = 320

    /// Returns the submission with only its valid records.
    package var recordsAlone: EventSubmission {
        EventSubmission(
            app: app, received: received, body: body, arena: arena, contexts: contexts, records: records, quarantined: [], corrections: [],
            source: source)
    }

    /// Marks all events as caused by runs of functions.
    package mutating func mark(depth: Int) {
        for index in records.indices { records[index].flags.insert(EventFlags(depth: depth)) }
    }

    /// Returns the submission marked as a replay from the quarantine.
    package var replayed: EventSubmission {
        var submission = self
        submission.isReplay = true
        return submission
    }

    /// Returns a copy of a range's bytes; not for hot paths.
    package func bytes(_ range: ByteRange) -> ArraySlice<UInt8> {
        switch range.source {
        case .body: body[range.range]
        case .arena: arena[range.range]
        }
    }

    package func text(_ range: ByteRange) -> String {
        String(decoding: bytes(range), as: UTF8.self)
    }
}

/// A rejected event with the reason and its original bytes.
package struct QuarantinedEvent: Sendable {
    package var verdict: Verdict
    package var raw: ByteRange
    /// The event's own time, if it could be read.
    package var time: Timestamp?
    /// The key of the user that the event names: 0 for none, nil if it could not be read.
    package var user: UInt64?
    package var installation: UInt64?

    package init(verdict: Verdict, raw: ByteRange, time: Timestamp?, user: UInt64? = nil, installation: UInt64? = nil) {
        self.verdict = verdict
        self.raw = raw
        self.time = time
        self.user = user
        self.installation = installation
    }
}

/// A finding about one entry of a request. Entries accepted without change have none.
package struct Verdict: Sendable, Equatable {
    package enum Result: String, Sendable {
        case corrected, duplicate, quarantined
    }

    package var index: Int
    package var id: String?
    package var result: Result
    package var reason: Reason
    package var field: String
    package var message: String

    package init(index: Int, id: String?, result: Result, reason: Reason, field: String, message: String) {
        self.index = index
        self.id = id
        self.result = result
        self.reason = reason
        self.field = field
        self.message = message
    }
}

/// The result of a committed submission.
package struct EventOutcome: Sendable, Equatable {
    package var accepted: Int
    package var duplicates: Int
    package var quarantined: Int
    /// Verdicts of corrected, duplicate and quarantined events in the order of the request.
    package var verdicts: [Verdict]

    package init(accepted: Int, duplicates: Int, quarantined: Int, verdicts: [Verdict]) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.quarantined = quarantined
        self.verdicts = verdicts
    }
}
