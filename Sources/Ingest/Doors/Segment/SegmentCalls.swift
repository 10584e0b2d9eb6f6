import Events
package import JSON
package import Platform

/// The door for the calls of Segment's SDKs, one by one or many at once, and of those that speak like them.
package struct SegmentCalls: Sendable {
    /// What a call is, where its path says so.
    package enum Call: String, CaseIterable, Sendable {
        case track, identify, page, screen, group, alias
    }

    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Reads a request and the key it may hold; only what is wrong with it as a whole is thrown.
    ///
    /// - Parameter call: What the one call of the body is; nil where it holds a batch.
    package func decode(_ body: [UInt8], _ call: Call?) throws(Refusal) -> (batch: DoorBatch, key: String?) {
        try parser.withReader { json throws(Refusal) in
            let tape = try ForeignText.tape(body, json)
            defer { json.reuse(tape) }
            guard tape[0].kind == .object else { throw .unexpectedShape("an object as Segment's SDKs send it") }
            return (try SegmentCalls.batch(tape, call), tape.string(tape.value("writeKey", of: 0)))
        }
    }

    private static func batch(_ tape: JSONTape, _ call: Call?) throws(Refusal) -> DoorBatch {
        var batch = DoorBatch(of: tape)
        batch.sentAt = tape.string(tape.value("sentAt", of: 0)).flatMap { Timestamp(rfc3339: Array($0.utf8).span) }
        var contexts = SegmentContexts()
        if let call {
            SegmentCall(0, call, in: tape, &contexts).write(from: 0, into: &batch)
            return batch
        }
        guard let list = tape.value("batch", of: 0), tape[list].kind == .array else { throw .unexpectedShape("an object with an array \"batch\"") }
        guard tape[list].children <= FixedLimits.eventsPerRequest else { throw .tooMany("calls", limit: FixedLimits.eventsPerRequest) }
        for (number, place) in tape.elements(of: list).enumerated() {
            guard let type = type(of: place, tape) else {
                batch.refuse(from: number, .missingType, "type", "Is none of the calls there are.", event: Array(tape.bytes[tape.slice(place)]))
                continue
            }
            SegmentCall(place, type, in: tape, &contexts).write(from: number, into: &batch)
            try batch.checkSize()
        }
        return batch
    }

    private static func type(of place: Int, _ tape: JSONTape) -> Call? {
        guard let type = tape.value("type", of: place) else { return nil }
        return tape.isString(type, "track") ? .track : tape.string(type).flatMap { Call(rawValue: $0) }
    }
}
