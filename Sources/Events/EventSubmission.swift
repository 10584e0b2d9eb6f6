// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What one request asks to keep: its bytes, and flat records over them.
package struct EventSubmission: Sendable {
    package let app: AppID
    package let received: Timestamp
    /// The decoded body; ranges of records point here …
    package let body: [UInt8]
    /// … or here, where text had to be unescaped or rewritten.
    package let arena: [UInt8]
    package let contexts: [EventContext]
    package let records: [EventRecord]
    /// Events that cannot be counted, kept apart with their reason.
    package let quarantined: [QuarantinedEvent]
    /// What was changed in events that are in `records`.
    package let corrections: [Verdict]
    /// What the request said of all its events.
    package let envelope: Envelope
    package let source: Source
    /// Whether it comes from the quarantine: there it stays where it is refused again, and is not kept a second time.
    package private(set) var isReplay = false

    /// What the entries of a request are, and so by which rules they are judged.
    package enum Source: String, Sendable {
        case events, users, crashes
        /// Events that a server tells of in Google's words.
        case server
        /// Events of products that take free text for names.
        case open

        package func rules(_ settings: AppSettings) -> RuleSet {
            switch self {
            case .events, .users, .crashes: .firebase(.sdk, settings)
            case .server: .firebase(.server, settings)
            case .open: .open(settings)
            }
        }
    }

    package struct Envelope: Sendable {
        /// As a flat object; kept with events that are quarantined, so that they can be read again as they were meant.
        package var json: [UInt8]
        /// The keys of whom it names, 0 for nobody.
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

    /// About what it holds of memory.
    package var bytesHeld: Int {
        body.count + arena.count + envelope.json.count + records.count * MemoryLayout<EventRecord>.stride
            + (quarantined.count + corrections.count) * EventSubmission.bytesOfVerdict
    }

    /// With its texts.
    package static let bytesOfVerdict = 320

    /// The same for those who only want what is in `records`.
    package var recordsAlone: EventSubmission {
        EventSubmission(
            app: app, received: received, body: body, arena: arena, contexts: contexts, records: records, quarantined: [], corrections: [],
            source: source)
    }

    /// The same as it comes from the quarantine.
    package var replayed: EventSubmission {
        var submission = self
        submission.isReplay = true
        return submission
    }

    /// A copy of a range's bytes, for cold paths.
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

/// An event that was refused, with why and what it was.
package struct QuarantinedEvent: Sendable {
    package var verdict: Verdict
    package var raw: ByteRange
    /// The event's own time where it could be read.
    package var time: Timestamp?
    /// The keys of whom it names, 0 for nobody; nil where that could not be read.
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

/// What was decided about one event of a request, for those that were not simply accepted.
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

/// What became of a submission once it was committed.
package struct EventOutcome: Sendable, Equatable {
    package var accepted: Int
    package var duplicates: Int
    package var quarantined: Int
    /// Corrected, duplicate and quarantined events in the order of the request.
    package var verdicts: [Verdict]

    package init(accepted: Int, duplicates: Int, quarantined: Int, verdicts: [Verdict]) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.quarantined = quarantined
        self.verdicts = verdicts
    }
}
