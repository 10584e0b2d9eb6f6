// SPDX-License-Identifier: Apache-2.0

import JSON

/// The positions of an event's fields in the tape, found in one pass. The first of duplicate names counts, and null counts as missing.
struct PostHogFields {
    enum Field: Int {
        case event, properties, distinctID, timestamp, offset, uuid, sessionID, set, setOnce, unset, options
    }

    private var places = InlineArray<11, Int>(repeating: 0)

    static func found(in event: Int, of tape: JSONTape) -> PostHogFields {
        var fields = PostHogFields()
        tape.eachKey(of: event) { _, place in
            guard let field = named(tape[place], in: tape), fields.places[field.rawValue] == 0 else { return }
            fields.places[field.rawValue] = tape[place].next
        }
        for i in fields.places.indices where fields.places[i] != 0 && tape[fields.places[i]].isNull { fields.places[i] = 0 }
        return fields
    }

    subscript(field: Field) -> Int? {
        let place = places[field.rawValue]
        return place == 0 ? nil : place
    }

    private static func named(_ key: JSONToken, in tape: JSONTape) -> Field? {
        func first(_ name: StaticString, _ field: Field) -> Field? { tape.isText(key, name) ? field : nil }
        return switch key.count {
        case 4: first("uuid", .uuid) ?? first("$set", .set)
        case 5: first("event", .event)
        case 6: first("offset", .offset) ?? first("$unset", .unset)
        case 7: first("options", .options)
        case 9: first("timestamp", .timestamp) ?? first("$set_once", .setOnce)
        case 10: first("properties", .properties) ?? first("session_id", .sessionID)
        case 11: first("distinct_id", .distinctID)
        default: nil
        }
    }
}
