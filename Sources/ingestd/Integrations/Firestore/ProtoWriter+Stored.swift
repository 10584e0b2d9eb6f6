// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import Firestore
import JSON
import SignalboxDocumentModel

/// Writes stored documents. Their JSON is translated member by member, without making values of it.
///
///     {"n":1,"at":{"$time":"2026-01-31T23:59:59Z"}}
///     {"n":{"integerValue":"1"},"at":{"timestampValue":"2026-01-31T23:59:59Z"}}
extension ProtoWriter {
    private static let parser = JSONParser()

    /// Throws if the fields are not stored JSON.
    mutating func document(_ document: EncodedDocument) throws {
        json.beginObject()
        json.field("name", database.name(of: document.path))
        try ProtoWriter.parser.withReader { reader in
            let tape = try reader.parse(document.body, limits: NativeJSON.storedLimits)
            defer { reader.reuse(tape) }
            try fields(StoredJSON(tape), at: 0)
        }
        json.field("createTime", document.created.rfc3339)
        json.field("updateTime", document.version.rfc3339)
        json.endObject()
    }

    private mutating func fields(_ stored: StoredJSON, at object: Int) throws {
        let tape = stored.tape
        if tape[object].children == 0 { return }
        json.key("fields")
        json.beginObject()
        var place = object + 1
        while place < tape[object].next {
            name(tape, place)
            try value(stored, at: tape[place].next)
            place = tape[tape[place].next].next
        }
        json.endObject()
    }

    /// Writes the name of a field, which begins with another `$` if it begins with one.
    private mutating func name(_ tape: JSONTape, _ place: Int) {
        let quoted = tape.slice(place)
        guard tape.bytes[quoted.lowerBound + 1] == UInt8(ascii: "$"), tape[place].count > 0 else { return json.rawKey(tape.bytes[quoted]) }
        json.rawKey(([UInt8(ascii: "\"")] + tape.bytes[(quoted.lowerBound + 2)..<quoted.upperBound])[...])
    }

    private mutating func value(_ stored: StoredJSON, at place: Int) throws {
        let (tape, token) = (stored.tape, stored.tape[place])
        json.beginObject()
        switch token.kind {
        case .null:
            json.key("nullValue")
            json.null()
        case .true: json.field("booleanValue", true)
        case .false: json.field("booleanValue", false)
        case .integer:
            json.key("integerValue")
            json.string(tape.bytes[token.range])
        case .double:
            json.key("doubleValue")
            json.raw(tape.bytes[token.range])
        case .string:
            json.key("stringValue")
            json.raw(tape.bytes[tape.slice(place)])
        case .array: try array(stored, at: place)
        case .object where stored.reader.tag(at: place) == nil:
            json.key("mapValue")
            json.beginObject()
            try fields(stored, at: place)
            json.endObject()
        case .object, .unsigned, .bigNumber, .key: try members(of: stored.reader.value(at: place))
        }
        json.endObject()
    }

    private mutating func array(_ stored: StoredJSON, at place: Int) throws {
        json.key("arrayValue")
        json.beginObject()
        if stored.tape[place].children > 0 {
            json.key("values")
            json.beginArray()
            var element = place + 1
            while element < stored.tape[place].next {
                try value(stored, at: element)
                element = stored.tape[element].next
            }
            json.endArray()
        }
        json.endObject()
    }
}

/// The fields of a stored document.
private struct StoredJSON {
    let tape: JSONTape
    let reader: NativeJSON

    init(_ tape: JSONTape) {
        (self.tape, reader) = (tape, NativeJSON(tape))
    }
}
