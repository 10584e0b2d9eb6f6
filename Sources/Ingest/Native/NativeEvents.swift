// SPDX-License-Identifier: Apache-2.0

package import Events
package import JSON
package import Platform

/// Decodes events of the native API: an object with an envelope, a bare array, or NDJSON.
///
///     {"user_id": "ann", "events": [{"name": "login"}, {"name": "logout", "user_id": "bob"}]}
///       → records [login of ann, logout of bob]
package struct NativeEvents: Sendable {
    package enum Format: Sendable {
        case json, ndjson
    }

    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Decodes a body to flat records. It throws only for errors of the request as a whole.
    ///
    /// - Parameter source: The kind of sender, which selects the rules.
    /// - Parameter query: Percent-decoded defaults for the events of an array or NDJSON. An object's envelope replaces them.
    /// - Parameter proof: What is known about the user of the request.
    /// - Parameter firstID: The ID of the first event without one, so that decoding it again gives the same. Random by default.
    package func decode(
        _ body: consuming [UInt8], format: Format, query: [(name: String, value: String)] = [], app: App, source: EventSubmission.Source = .events,
        proof: UserProof = .open, received: Timestamp, hash: KeyedHash, firstID: UUID128? = nil
    ) throws(Refusal) -> EventSubmission {
        let body = body
        let request = Request(app: app, kind: source, proof: proof, received: received, hash: hash, firstID: firstID)
        return try parser.withReader { json throws(Refusal) in
            switch format {
            case .json: try request.decode(document: body, query, json)
            case .ndjson: try request.decode(lines: body, query, json)
            }
        }
    }

    /// Decodes the array of events that an integration translated.
    package func decode(
        _ tape: consuming JSONTape, sentAt: Timestamp?, app: App, source: EventSubmission.Source, proof: UserProof = .open, received: Timestamp,
        hash: KeyedHash
    ) throws(Refusal) -> EventSubmission {
        let request = Request(app: app, kind: source, proof: proof, received: received, hash: hash, firstID: nil)
        var envelope = Envelope()
        envelope.sentAt = sentAt
        var text = SourceText(tape: tape)
        request.prove(&envelope, &text)
        var reader = try request.reader(of: 0, envelope, text)
        return request.submission(&reader, envelope)
    }
}

/// The constants of one request.
private struct Request {
    let app: App
    let kind: EventSubmission.Source
    let proof: UserProof
    let rules: RuleSet
    let received: Timestamp
    let hash: KeyedHash
    let firstID: UUID128?

    init(app: App, kind: EventSubmission.Source, proof: UserProof, received: Timestamp, hash: KeyedHash, firstID: UUID128?) {
        (self.app, self.kind, self.proof, self.received, self.hash, self.firstID) = (app, kind, proof, received, hash, firstID)
        rules = kind.rules(app.settings)
    }

    private var keys: IdentityKeys { IdentityKeys(app: app.id, hash: hash) }

    func prove(_ envelope: inout Envelope, _ source: inout SourceText) {
        if proof != .open { envelope.proof = EntryProof(proof, keys, &source) }
    }

    func decode(document body: [UInt8], _ query: [(name: String, value: String)], _ json: JSONReader) throws(Refusal) -> EventSubmission {
        var source = SourceText(tape: try parse(body, json))
        var envelope = EnvelopeReader(keys: keys)
        let events: Int
        switch source.tape[0].kind {
        case .object:
            try envelope.read(objectIn: &source)
            guard let array = envelope.envelope.entries else { throw .unexpectedShape("an object with an array \"events\"") }
            events = array
        case .array:
            try envelope.read(query: query, into: &source)
            events = 0
        default: throw .unexpectedShape("an object or an array of events")
        }
        var proved = envelope.envelope
        prove(&proved, &source)
        var reader = try reader(of: events, proved, source)
        defer { release(&reader, json) }
        return submission(&reader, proved)
    }

    func decode(lines body: [UInt8], _ query: [(name: String, value: String)], _ json: JSONReader) throws(Refusal) -> EventSubmission {
        let lines = Array(JSONLines(body).prefix(FixedLimits.eventsPerRequest + 1))
        guard lines.count <= FixedLimits.eventsPerRequest else { throw .tooMany("events", limit: FixedLimits.eventsPerRequest) }
        var source = SourceText(tape: JSONTape(over: body))
        var envelope = EnvelopeReader(keys: keys)
        try envelope.read(query: query, into: &source)
        var proved = envelope.envelope
        prove(&proved, &source)
        var reader = reader(proved, consume source)
        for (number, line) in lines.enumerated() {
            do throws(JSONError) {
                let tape = try json.parse(body, in: line)
                reader.source.tape = tape
            } catch {
                reader.quarantine(line: line, number: number, because: error)
                continue
            }
            reader.read(0, number: number)
            release(&reader, json)
        }
        return submission(&reader, proved)
    }

    private func parse(_ body: [UInt8], _ json: JSONReader) throws(Refusal) -> JSONTape {
        do throws(JSONError) {
            return try json.parse(body)
        } catch {
            throw Refusal(error)
        }
    }

    private func reader(_ envelope: Envelope, _ source: consuming SourceText) -> EventReader {
        let time = TimeRules(received: received, sentAt: envelope.sentAt, settings: app.settings)
        return EventReader(
            keys: keys, rules: rules, time: time, envelope: envelope, firstID: firstID, kind: kind,
            source: source)
    }

    /// Returns a reader that has read the elements of an array.
    func reader(of array: Int, _ envelope: Envelope, _ source: consuming SourceText) throws(Refusal) -> EventReader {
        let count = source.tape[array].children
        guard count <= FixedLimits.eventsPerRequest else { throw .tooMany("events", limit: FixedLimits.eventsPerRequest) }
        var reader = reader(envelope, source)
        reader.reserve(count)
        var place = array + 1
        for number in 0..<count {
            let next = reader.source.tape[place].next
            reader.read(place, number: number)
            place = next
        }
        return reader
    }

    func submission(_ reader: inout EventReader, _ envelope: Envelope) -> EventSubmission {
        EventSubmission(
            app: app.id, received: received, body: reader.source.tape.bytes, arena: reader.source.arena, contexts: reader.contexts.all,
            records: reader.records, quarantined: reader.log.quarantined(in: reader.source), corrections: reader.log.corrections(in: reader.source),
            envelope: envelope.kept(in: reader.source), source: kind)
    }

    /// Returns the tape's memory to the pool. The body stays readable.
    private func release(_ reader: inout EventReader, _ json: JSONReader) {
        var tape = JSONTape(over: reader.source.tape.bytes)
        swap(&tape, &reader.source.tape)
        json.reuse(tape)
    }
}
