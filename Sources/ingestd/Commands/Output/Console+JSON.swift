// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

extension Console {
    static func print(_ reply: ControlReply) throws {
        try write(reply.json + [0x0a])
    }

    static func printJSON(_ build: (inout JSONWriter) -> Void) throws {
        var json = JSONWriter()
        json.beginObject()
        build(&json)
        json.endObject()
        try write(json.bytes + [0x0a])
    }

    /// The sum of an import: how many were made, how many refused, and what was wrong with them.
    static func printJSON<Refused>(
        _ made: (name: String, count: Int), failed: Int, _ errors: [Refused], _ fields: (inout JSONWriter, Refused) -> Void
    ) throws {
        try printJSON { json in
            json.field(made.name, made.count)
            json.field("failed", failed)
            json.key("errors")
            json.beginArray()
            for error in errors {
                json.beginObject()
                fields(&json, error)
                json.endObject()
            }
            json.endArray()
        }
    }

    /// A whole list, in the form of a page.
    static func printItems(_ items: [ControlReply], _ write: (inout JSONWriter, ControlReply) -> Void) throws {
        try printJSON { json in
            json.key("items")
            json.beginArray()
            for item in items { write(&json, item) }
            json.endArray()
        }
    }
}

extension JSONWriter {
    /// A value as the daemon gave it.
    mutating func field(_ name: String, _ value: ControlReply?) {
        guard let value else { return }
        key(name)
        raw(value.json)
    }
}
