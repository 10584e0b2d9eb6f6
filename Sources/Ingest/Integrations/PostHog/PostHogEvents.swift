// SPDX-License-Identifier: Apache-2.0

import Events
package import JSON
package import Platform

/// The door for what PostHog's SDKs capture: events, persons and exceptions in one list.
package struct PostHogEvents: Sendable {
    /// A request in our own words, with what its sender asks to be told.
    package struct Captured: Sendable {
        package internal(set) var batch = IntegrationBatch()
        package internal(set) var count = 0
        /// The ids of the events, in order, where they were asked for; empty for those without.
        package internal(set) var ids: [String] = []
    }

    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Reads one event, a list of them, or an object with a list; only what is wrong with the request as a whole is thrown.
    ///
    /// - Parameter sent: When the sender says it sent the request, where it says so outside of the body.
    package func decode(_ body: [UInt8], sent: Timestamp? = nil, received: Timestamp, withIDs: Bool = false) throws(Refusal) -> Captured {
        try parser.withReader { json throws(Refusal) in
            let tape = try ForeignText.tape(body, json)
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
        guard list != nil || tape[0].kind == .object else { throw .unexpectedShape("an event of PostHog's, or an object with an array \"batch\"") }
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
