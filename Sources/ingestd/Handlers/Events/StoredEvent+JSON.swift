// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import JSON
import Platform
import AcrossStores

extension StoredEvent {
    /// The event as one line of JSON, the same in all responses. `EventResponse` is its type.
    var json: [UInt8] {
        var json = JSONWriter(reserving: 256 + params.count)
        json.beginObject()
        json.field("seq", seq)
        json.field("id", id)
        json.field("name", name)
        json.field("timestamp", time.rfc3339)
        json.field("received_at", received.rfc3339)
        if let user { json.field("user_id", user) }
        if let installation { json.field("installation_id", installation) }
        if let session { json.field("session_id", session) }
        json.write(context: context)
        if !params.isEmpty {
            json.key("params")
            json.raw(StoredEvent.onOneLine(params)[...])
        }
        if !flags.isEmpty { json.write(flags) }
        json.endObject()
        return json.bytes
    }

    /// Parameters are stored as sent, perhaps on many lines. In JSON a line break can only stand where a space may.
    private static func onOneLine(_ json: [UInt8]) -> [UInt8] {
        json.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 }
    }
}

extension JSONWriter {
    fileprivate mutating func write(context: [String?]) {
        guard context.contains(where: { $0 != nil }) else { return }
        key("context")
        beginObject()
        for (name, value) in zip(EventContext.fields, context) {
            if let value { field(name, value) }
        }
        endObject()
    }

    fileprivate mutating func write(_ flags: EventFlags) {
        key("flags")
        beginArray()
        for name in flags.names { string(name) }
        endArray()
    }
}
