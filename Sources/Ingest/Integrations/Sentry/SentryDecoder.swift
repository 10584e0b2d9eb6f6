// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
package import JSON
package import Platform

/// Decodes envelopes of Sentry's SDKs, and single events of older ones.
///
/// Errors and messages become crash reports, sessions become events. Other items are counted by type.
package struct SentryDecoder: Sendable {
    /// The limit of an object in an event. Contexts, tags and variables have far fewer members.
    private static let members = 8_192
    private static let limits: JSONLimits = {
        var limits = LenientJSON.limits
        limits.members = members
        return limits
    }()
    let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Returns the key in an envelope's headers, where clients put it that cannot set headers of their own.
    package static func key(inEnvelope body: [UInt8]) -> String? {
        SentryEnvelope.key(in: body)
    }

    /// Decodes an envelope.
    ///
    /// - Parameters:
    ///   - isTruncated: Whether its end was dropped because it was too large. It must have a complete event. An attachment at the end is
    ///     then reported as too large.
    ///   - dumpID: Returns an ID for a minidump without an event.
    package func envelope(
        _ body: [UInt8], isTruncated: Bool = false, received: Timestamp,
        dumpID: (ArraySlice<UInt8>) -> UUID128 = { _ in UUID128(high: 0, low: 0) }
    ) throws(Refusal) -> SentryRequest {
        try parser.withReader { json throws(Refusal) in
            let envelope = try SentryEnvelope(body, json, isTruncated: isTruncated)
            var request = SentryRequest()
            request.batch.sentAt = envelope.sentAt
            let session = try SentryDecoder.session(envelope, body, json)
            let minidump = envelope.minidump
            for (place, item) in envelope.items.enumerated() where place != minidump {
                if let file = item.file {
                    request.add(file, item, body)
                } else {
                    try SentryDecoder.read(item, place, of: envelope, beside: session, body, json, received, into: &request)
                }
            }
            try SentryDecoder.readMinidump(at: minidump, of: envelope, body, json, received, dumpID, into: &request)
            // An event may have been in the end that was dropped, so the client must not believe that it is stored.
            if isTruncated && request.events == 0 { throw .tooLargeEnvelope("event") }
            request.attach(to: envelope.eventID)
            return request
        }
    }

    /// Adds the minidump of an envelope to its event, or to one of its own.
    private static func readMinidump(
        at place: Int?, of envelope: SentryEnvelope, _ body: [UInt8], _ json: JSONReader, _ received: Timestamp,
        _ id: (ArraySlice<UInt8>) -> UUID128, into request: inout SentryRequest
    ) throws(Refusal) {
        guard let place else { return }
        let dump = body[envelope.items[place].payload]
        if let event = request.batch.crashes.origins.first {
            request.batch.dumps[event] = Array(dump)
        } else {
            request.add(try minidumpEvent(dump, of: envelope, id(dump), json, received), withMinidump: Array(dump), from: place)
        }
    }

    /// Decodes one event without an envelope.
    package func event(_ body: [UInt8], received: Timestamp) throws(Refusal) -> SentryRequest {
        try parser.withReader { json throws(Refusal) in
            var request = SentryRequest()
            let tape = try SentryDecoder.document(body, 0..<body.count, json, "event")
            defer { json.reuse(tape) }
            request.add(SentryEvent(tape, id: nil, session: nil, received: received), from: 0)
            try tape.checkSteps()
            return request
        }
    }

    /// Returns the session of an envelope if it has exactly one. Its errors belong to that session.
    private static func session(_ envelope: SentryEnvelope, _ body: [UInt8], _ json: JSONReader) throws(Refusal) -> SentrySession? {
        let sessions = envelope.items.filter { $0.type == "session" }
        guard sessions.count == 1, !sessions[0].isTruncated, envelope.items.contains(where: { $0.type == "event" }) else { return nil }
        let tape = try document(body, sessions[0].payload, json, "session")
        defer { json.reuse(tape) }
        let session = SentrySession(tape)
        try tape.checkSteps()
        return session
    }

    private static func read(
        _ item: SentryEnvelope.Item, _ place: Int, of envelope: SentryEnvelope, beside session: SentrySession?, _ body: [UInt8],
        _ json: JSONReader, _ received: Timestamp, into request: inout SentryRequest
    ) throws(Refusal) {
        guard let kind = SentryRequest.Kind(rawValue: item.type) else { return request.skip(item.type) }
        guard !item.isTruncated else { throw .tooLargeEnvelope(item.type) }
        let tape = try document(body, item.payload, json, item.type)
        defer { json.reuse(tape) }
        switch kind {
        case .event:
            guard request.batch.crashes.origins.count < CrashLimits.reportsPerRequest else {
                throw .tooMany("events of an envelope", limit: CrashLimits.reportsPerRequest)
            }
            request.add(SentryEvent(tape, id: envelope.eventID, session: session, received: received), from: place)
        case .session: request.add(SentrySession(tape), from: place)
        case .sessions: request.add(SentryAggregates(tape, received: received), header: body[envelope.header], payload: body[item.payload])
        case .clientReport: request.addLosses(tape)
        }
        try tape.checkSteps()
    }

    static func document(_ body: [UInt8], _ range: Range<Int>, _ json: JSONReader, _ what: String) throws(Refusal) -> JSONTape {
        guard range.count <= CrashLimits.reportBytes else {
            throw Refusal(.tooLarge, "The \(what) has more than \(CrashLimits.reportBytes >> 20) MiB.", hint: "Send less extra data.")
        }
        do throws(JSONError) {
            let tape = try LenientJSON.tape(body, in: range, json, limits: SentryDecoder.limits)
            guard tape[0].children <= FixedLimits.membersPerObject || tape[0].kind != .object else {
                throw JSONError(.tooManyMembers, limit: FixedLimits.membersPerObject, offset: tape[0].offset)
            }
            if tape[0].kind == .object { return tape }
        } catch {
            let isTooLarge = error.reason == .tooManyTokens || error.reason == .tooManyMembers
            throw Refusal(isTooLarge ? .tooLarge : .invalidJSON, "The \(what) \(error.explanation).")
        }
        throw Refusal(.badRequest, "The \(what) is not a JSON object.")
    }
}

extension Refusal {
    fileprivate static func tooLargeEnvelope(_ item: String) -> Refusal {
        Refusal(
            .tooLarge, "The envelope is too large: its \(item) is incomplete or missing.",
            hint: "Send attachments after the event, or raise server.max_decoded_body.")
    }
}
