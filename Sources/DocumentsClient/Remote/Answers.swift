// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel

/// Readers of the daemon's answers and events.
extension RemoteDocument {
    /// Returns nil for the entry of a path that has no document.
    init?(_ node: JSONNode) {
        guard let path = node["path"]?.text.flatMap({ DocumentPath($0) }), let fields = node["fields"].flatMap(NativeText.fields),
            let version = node["version"]?.integer, let created = node["created"]?.integer
        else { return nil }
        self.init(path: path, fields: fields, version: version, created: created)
    }
}

extension RemoteDocuments {
    init(_ node: JSONNode) throws(DocumentError) {
        guard let stamp = node["stamp"]?.integer, let nodes = node["documents"]?.elements else { throw HTTPTransport.foreign }
        let documents = nodes.compactMap { RemoteDocument($0) }
        // An entry with a version that is no document was written by a newer daemon, and must not look like a missing document.
        guard documents.count == nodes.count(where: { $0["version"] != nil }) else {
            throw DocumentError(.dataLoss, "A document has a form that this client does not know.")
        }
        self.init(stamp: stamp, documents: documents, hold: node["hold"]?.text)
    }
}

extension CommitAnswer {
    init(_ node: JSONNode) throws(DocumentError) {
        guard let stamp = node["stamp"]?.integer, let results = node["results"]?.elements else { throw HTTPTransport.foreign }
        self.init(
            stamp: stamp,
            writes: results.map { result in
                Write(version: result["version"]?.integer, transforms: (result["transforms"]?.elements ?? []).compactMap(NativeText.value))
            })
    }
}

extension StreamEvent {
    /// Returns nil for an event of a later daemon.
    init?(_ event: ServerSentEventParser.Event) {
        guard let node = JSONNode(event.data.utf8) else { return nil }
        let token = event.id.isEmpty ? nil : event.id
        switch event.name {
        case "stream":
            guard let id = node["id"]?.text else { return nil }
            self = .opened(id)
        case "change":
            guard let stamp = node["stamp"]?.integer, let changes = node["changes"]?.elements else { return nil }
            let read = changes.compactMap { Change($0) }
            guard read.count == changes.count else {
                self = .failed(DocumentError(.dataLoss, "A document has a form that this client does not know."))
                return
            }
            self = .changes(stamp: stamp, read, token: token)
        case "target":
            guard let target = node["target"]?.integer, let state = node["state"]?.text else { return nil }
            switch state {
            case "current": self = .current(target, token: token)
            case "reset": self = .reset(target)
            case "removed": self = .removed(target, node["error"].map { DocumentError($0) })
            default: return nil
            }
        case "renew": self = .renew
        case "error": self = .failed(DocumentError(node))
        default: return nil
        }
    }
}

extension StreamEvent.Change {
    init?(_ node: JSONNode) {
        guard let targets = node["targets"]?.elements?.compactMap(\.integer) else { return nil }
        if let document = node["document"].flatMap({ RemoteDocument($0) }) {
            self.init(targets: targets, kind: .put(document))
        } else if let path = node["path"]?.text.flatMap({ DocumentPath($0) }) {
            self.init(targets: targets, kind: .removed(path))
        } else {
            return nil
        }
    }
}

extension DocumentError {
    /// The error of an event.
    fileprivate init(_ node: JSONNode) {
        self.init(problem: node["code"]?.text ?? "", status: 500, node["detail"]?.text ?? "The stream ended.", retryAfter: nil)
    }
}
