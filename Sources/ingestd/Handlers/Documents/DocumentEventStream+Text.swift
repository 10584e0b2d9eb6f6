// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import JSON
import Listening
import Platform
import SignalboxDocumentModel

extension Refusal {
    /// The end of a target whose limited result takes too much memory.
    static let tooManyRows = Refusal(
        .tooExpensive, "The rows of limited results take too much memory.", hint: "Listen to fewer of them, or with a smaller limit.",
        retryAfterSeconds: 60)
}

extension DocumentEventStream {
    static func opening(_ id: String) -> [UInt8] {
        message("stream") { $0.field("id", id) }
    }

    static func text(of failure: any Error) -> [UInt8] {
        let refusal = Refusal.ofRead(failure)
        return message("error") { json in
            json.field("code", refusal.code.rawValue)
            json.field("detail", refusal.detail)
        }
    }

    static func target(_ number: Int, _ state: String, id: String? = nil, error: Refusal? = nil) -> [UInt8] {
        message("target", id: id) { json in
            json.field("target", number)
            json.field("state", state)
            guard let error else { return }
            json.key("error")
            json.beginObject()
            json.field("code", error.code.rawValue)
            json.field("detail", error.detail)
            json.endObject()
        }
    }

    static func message(_ name: String, id: String? = nil, _ fields: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        fields(&json)
        json.endObject()
        return Array(((id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: ").utf8) + json.bytes + Array("\n\n".utf8)
    }

    /// Returns resets, the changes, then targets that are current; the last of them has the token.
    func text(of event: ListenEvent, _ selections: [Int: FieldSelection]) -> [UInt8] {
        let targets = listener.targets
        let token = documents.listening.token(
            at: event.stamp, event.current.compactMap { targets[$0] }, app: listener.app, user: holder.uid)
        var text = event.resets.flatMap { Self.target($0, "reset") }
        if !event.changes.isEmpty {
            text += Self.message("change", id: event.newlyCurrent.isEmpty ? token : nil) { json in
                json.field("stamp", event.stamp)
                json.key("changes")
                json.beginArray()
                for group in ChangeGroup.groups(event.changes, selections) { json.change(group) }
                json.endArray()
            }
        }
        for target in event.newlyCurrent { text += Self.target(target, "current", id: target == event.newlyCurrent.last ? token : nil) }
        return text
    }
}
