// SPDX-License-Identifier: Apache-2.0

import JSON

/// The keys of an event. An envelope uses some of them for defaults.
enum EventField: Int, CaseIterable {
    case id, name, time, installation, user, session, params, context

    /// The name in JSON.
    var key: String {
        switch self {
        case .id: "id"
        case .name: "name"
        case .time: "timestamp"
        case .installation: "installation_id"
        case .user: "user_id"
        case .session: "session_id"
        case .params: "params"
        case .context: "context"
        }
    }

    /// The names in the order of the cases, as static strings that are compared in place.
    private static let names: [StaticString] = [
        "id", "name", "timestamp", "installation_id", "user_id", "session_id", "params", "context",
    ]

    init?(_ key: JSONToken, in tape: JSONTape) {
        let candidate: EventField? =
            key.escaped ? EventField.slowly(key, in: tape) : EventField.quickly(key, in: tape)
        guard let candidate else { return nil }
        self = candidate
    }

    private static func slowly(_ key: JSONToken, in tape: JSONTape) -> EventField? {
        names.firstIndex { tape.isText(key, $0) }.flatMap { EventField(rawValue: $0) }
    }

    private static func quickly(_ key: JSONToken, in tape: JSONTape) -> EventField? {
        switch key.count {
        case 2: tape.isText(key, "id") ? .id : nil
        case 4: tape.isText(key, "name") ? .name : nil
        case 6: tape.isText(key, "params") ? .params : nil
        case 7: tape.isText(key, "user_id") ? .user : tape.isText(key, "context") ? .context : nil
        case 9: tape.isText(key, "timestamp") ? .time : nil
        case 10: tape.isText(key, "session_id") ? .session : nil
        case 15: tape.isText(key, "installation_id") ? .installation : nil
        default: nil
        }
    }
}

/// The tape positions of an event's values; 0, the document itself, for missing ones.
struct EventFields {
    private var places = InlineArray<8, Int>(repeating: 0)
    /// The keys that are not fields of an event.
    private(set) var unknown = UnknownFields()

    subscript(field: EventField) -> Int? {
        let place = places[field.rawValue]
        return place == 0 ? nil : place
    }

    /// Finds the fields of the object at `index`. Returns a field that occurs twice.
    mutating func find(in index: Int, of tape: JSONTape) -> EventField? {
        let end = tape[index].next
        var at = index + 1
        while at < end {
            let key = tape[at]
            if let field = EventField(key, in: tape) {
                if places[field.rawValue] != 0 { return field }
                places[field.rawValue] = key.next
            } else {
                unknown.add(key)
            }
            at = tape[key.next].next
        }
        return nil
    }
}
