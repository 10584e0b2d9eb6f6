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
