// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import JSON
import Listening
import Platform
import SignalboxDocumentModel
import Synchronization

/// One stream of events about documents, as text.
final class DocumentEventStream: Sendable {
    private struct State {
        var selections: [Int: [FieldPath]] = [:]
        /// Targets that were added or removed since the last text.
        var notes: [(target: Int, state: String)] = []
    }

    let listener: DocumentListener
    private let listening: DocumentListening
    private let state = Mutex(State())

    init(_ listener: DocumentListener, _ listening: DocumentListening) {
        (self.listener, self.listening) = (listener, listening)
    }

    /// Adds a target; with `resumes` for a client that was here before, with a token if it has a valid one.
    func add(_ requested: RequestedTarget, resumes: Bool = false, _ token: ListenToken? = nil) throws(Refusal) {
        let start: ListenStart =
            if let known = requested.known {
                .known(known)
            } else if let token, token.has(requested.target) {
                .since(token.stamp)
            } else {
                resumes ? .reset : .anew
            }
        try listener.add(requested.target, as: requested.number, from: start)
        state.withLock { state in
            state.selections[requested.number] = requested.selection
            state.notes.append((requested.number, "added"))
        }
        listener.wake()
    }

    func remove(_ number: Int) {
        guard listener.targets[number] != nil else { return }
        listener.remove(number)
        state.withLock { state in
            state.selections[number] = nil
            state.notes.append((number, "removed"))
        }
        listener.wake()
    }

    /// Returns what is to be sent now; a comment if there is nothing.
    func next() -> [UInt8] {
        let event = listener.next()
        let (notes, selections) = state.withLock { state in
            defer { state.notes = [] }
            return (state.notes, state.selections)
        }
        var text = notes.flatMap { Self.target($0.target, $0.state) }
        if let event { text += self.text(of: event, selections) }
        return text.isEmpty ? Array(":\n\n".utf8) : text
    }

    // MARK: Text

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

    private static func target(_ number: Int, _ state: String, id: String? = nil) -> [UInt8] {
        message("target", id: id) { json in
            json.field("target", number)
            json.field("state", state)
        }
    }

    private static func message(_ name: String, id: String? = nil, _ fields: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        fields(&json)
        json.endObject()
        return Array(((id.map { "id: \($0)\n" } ?? "") + "event: \(name)\ndata: ").utf8) + json.bytes + Array("\n\n".utf8)
    }

    /// Returns resets, the changes, then targets that are current; the last of them has the token.
    private func text(of event: ListenEvent, _ selections: [Int: [FieldPath]]) -> [UInt8] {
        let targets = listener.targets
        let token = listening.token(at: event.stamp, event.current.compactMap { targets[$0] }, app: listener.app, user: nil)
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

/// A document's change, with all targets that it means the same for.
private struct ChangeGroup {
    private struct Place: Hashable {
        let path: DocumentPath
        let change: TargetChange
        let selection: [FieldPath]?
    }

    let path: DocumentPath
    let change: TargetChange
    let selection: [FieldPath]?
    var targets: [Int]

    /// Groups changes in the order of their first targets.
    static func groups(_ changes: [ListenEvent.Change], _ selections: [Int: [FieldPath]]) -> [ChangeGroup] {
        var places: [Place: Int] = [:]
        var groups: [ChangeGroup] = []
        for change in changes {
            let place = Place(path: change.path, change: change.change, selection: selections[change.target])
            if let known = places[place] {
                groups[known].targets.append(change.target)
            } else {
                places[place] = groups.count
                groups.append(ChangeGroup(path: change.path, change: change.change, selection: place.selection, targets: [change.target]))
            }
        }
        return groups
    }

    var kind: String {
        switch change {
        case .added: "added"
        case .modified: "modified"
        case .removed: "removed"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func change(_ group: ChangeGroup) {
        beginObject()
        key("targets")
        beginArray()
        for target in group.targets { integer(Int64(target)) }
        endArray()
        field("kind", group.kind)
        if let document = group.change.document {
            key("document")
            beginObject()
            field("path", document.path.description)
            key("fields")
            fields(document.fields.selecting(group.selection))
            field("version", document.version)
            field("created", document.created)
            endObject()
        } else {
            field("path", group.path.description)
        }
        endObject()
    }
}
