// SPDX-License-Identifier: Apache-2.0

import JSON

/// The positions of a call's fields in the tape, found in one pass. The first of duplicate names counts, and null counts as missing.
struct SegmentFields {
    enum Field: Int {
        case type, userID, anonymousID, previousID, context, messageID, event, properties, timestamp, originalTimestamp, name, category, traits
        case groupID
    }

    private static let names: InlineArray<14, StaticString> = [
        "type", "userId", "anonymousId", "previousId", "context", "messageId", "event", "properties", "timestamp", "originalTimestamp", "name",
        "category", "traits", "groupId",
    ]

    private let places: InlineArray<14, Int>

    init(of call: Int, in tape: JSONTape) {
        places = tape.places(of: SegmentFields.names, in: call)
    }

    subscript(field: Field) -> Int? {
        let place = places[field.rawValue]
        return place == 0 ? nil : place
    }
}

/// The fields of a whole request, found in one pass before its calls are decoded.
struct SegmentRoot {
    let batch: Int?
    let sentAt: String?
    /// The context of calls without one of their own.
    let context: SegmentContext?

    private static let names: InlineArray<3, StaticString> = ["batch", "sentAt", "context"]

    init(of tape: JSONTape) {
        let places = tape.places(of: SegmentRoot.names, in: 0)
        func place(_ number: Int) -> Int? { places[number] == 0 ? nil : places[number] }
        batch = place(0)
        sentAt = tape.string(place(1))
        context = place(2).map { SegmentContext(at: $0, in: tape) }
    }
}
