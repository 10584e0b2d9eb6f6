// SPDX-License-Identifier: Apache-2.0

import Events
package import JSON
package import Platform

/// Decodes requests of PostHog's SDKs: events, user updates and exceptions in one list.
///
///     {"api_key": "KEY", "batch": [{"event": "paid", "distinct_id": "ann", "properties": {"plan": "pro"}}]}
///       → events [{"name": "paid", "user_id": "ann", "params": {"plan": "pro"}}]
package struct PostHogEvents: Sendable {
    /// A translated request, with the fields that its response needs.
    package struct Captured: Sendable {
        package internal(set) var batch = IntegrationBatch()
        package internal(set) var count = 0
        /// The IDs of the events in order, if the response needs them; empty for events without one.
        package internal(set) var ids: [String] = []
    }

    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Decodes one event, a list of events, or an object with a list. It throws only for errors of the request as a whole.
    ///
    /// - Parameter sent: The time of sending, if the head contains it.
    package func decode(_ body: [UInt8], sent: Timestamp? = nil, received: Timestamp, withIDs: Bool = false) throws(Refusal) -> Captured {
        try parser.withReader { json throws(Refusal) in
            let tape = try LenientJSON.tape(body, json)
            defer { json.reuse(tape) }
            return try PostHogEvents.captured(tape, sent, received, withIDs)
        }
    }

    private static func captured(_ tape: JSONTape, _ sent: Timestamp?, _ received: Timestamp, _ withIDs: Bool) throws(Refusal) -> Captured {
        var captured = Captured()
        captured.batch = IntegrationBatch(of: tape)
        let written = tape.string(tape.value("sent_at", of: 0))
        captured.batch.sentAt = sent ?? written.flatMap { Timestamp(rfc3339: Array($0.utf8).span) }
        let list = tape[0].kind == .array ? 0 : tape.value("batch", of: 0)
        guard list != nil || tape[0].kind == .object else { throw .unexpectedShape("a PostHog event, or an object with an array \"batch\"") }
        if let list {
            guard tape[list].kind == .array else { throw .unexpectedShape("an object with an array \"batch\"") }
            guard tape[list].children <= FixedLimits.eventsPerRequest else { throw .tooMany("events", limit: FixedLimits.eventsPerRequest) }
        }
        let now = captured.batch.sentAt ?? received
        let places = list.map { Array(tape.elements(of: $0)) } ?? [0]
        captured.count = places.count
        for (number, place) in places.enumerated() {
            if withIDs { captured.ids.append(tape.string(tape.value("uuid", of: place)) ?? "") }
            PostHogEvent(place, in: tape, now: now).write(from: number, into: &captured.batch)
            try tape.checkSteps()
        }
        try tape.checkSteps()
        return captured
    }
}
