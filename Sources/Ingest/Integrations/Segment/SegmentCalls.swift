// SPDX-License-Identifier: Apache-2.0

import Events
package import JSON
package import Platform

/// Decodes the calls of Segment's SDKs and compatible ones, single or in batches.
///
///     {"batch": [{"type": "identify", "userId": "ann", "traits": {"plan": "pro"}}]}
///       → users [{"user_id": "ann", "properties": {"plan": "pro"}}]
package struct SegmentCalls: Sendable {
    /// The type of a call, as its path states it.
    package enum Call: String, CaseIterable, Sendable {
        case track, identify, page, screen, group, alias
    }

    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    /// Decodes a request. It throws only for errors of the request as a whole.
    ///
    /// - Parameter call: The type of a single call; nil for a batch.
    package func decode(_ body: [UInt8], _ call: Call?) throws(Refusal) -> IntegrationBatch {
        try parser.withReader { json throws(Refusal) in
            let tape = try LenientJSON.tape(body, json)
            defer { json.reuse(tape) }
            guard tape[0].kind == .object else { throw .unexpectedShape("an object as Segment's SDKs send it") }
            let root = SegmentRoot(of: tape)
            try tape.checkSteps()
            return try SegmentCalls.batch(root, tape, call)
        }
    }

    private static func batch(_ root: SegmentRoot, _ tape: JSONTape, _ call: Call?) throws(Refusal) -> IntegrationBatch {
        var batch = IntegrationBatch(of: tape)
        batch.sentAt = root.sentAt.flatMap { Timestamp(rfc3339: Array($0.utf8).span) }
        var contexts = SegmentContexts(shared: root.context)
        if let call {
            SegmentCall(SegmentFields(of: 0, in: tape), call, in: tape, &contexts).write(from: 0, into: &batch)
            try tape.checkSteps()
            return batch
        }
        guard let list = root.batch, tape[list].kind == .array else { throw .unexpectedShape("an object with an array \"batch\"") }
        guard tape[list].children <= FixedLimits.eventsPerRequest else { throw .tooMany("calls", limit: FixedLimits.eventsPerRequest) }
        for (number, place) in tape.elements(of: list).enumerated() {
            let fields = SegmentFields(of: place, in: tape)
            guard let type = type(fields[.type], tape) else {
                batch.reject(from: number, .missingType, "type", "Is not a known call type.", event: Array(tape.bytes[tape.slice(place)]))
                continue
            }
            SegmentCall(fields, type, in: tape, &contexts).write(from: number, into: &batch)
            try batch.checkSize()
            try tape.checkSteps()
        }
        return batch
    }

    private static func type(_ place: Int?, _ tape: JSONTape) -> Call? {
        tape.isString(place, "track") ? .track : tape.string(place).flatMap { Call(rawValue: $0) }
    }
}
