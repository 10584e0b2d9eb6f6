// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel

@testable import SignalboxDocuments

/// The changes that a specification's stream has told since its last consistent state.
struct WatchedEvents {
    struct Change {
        let path: DocumentPath
        /// Nil for a document that was deleted, or left targets.
        let document: RemoteDocument?
        let isDeleted: Bool
        var told: Set<StreamTarget.Kind>
        var left: Set<StreamTarget.Kind>
    }

    var changes: [Change] = []
    var current: Set<StreamTarget.Kind> = []
    var resets: Set<StreamTarget.Kind> = []

    /// Begins targets anew: what was told of them before does not count.
    mutating func reset(_ kinds: Set<StreamTarget.Kind>) {
        resets.formUnion(kinds)
        current.subtract(kinds)
        for index in changes.indices {
            changes[index].told.subtract(kinds)
            changes[index].left.subtract(kinds)
        }
    }
}

extension WatchedEvents.Change {
    /// Whether a target shows the document after the change; nil if it is not told of the change.
    ///
    /// Specifications send a changed document for one target only. The daemon tells all targets that the change concerns, so the events do too.
    func isShown(by kind: StreamTarget.Kind) -> Bool? {
        if told.contains(kind) { return document != nil }
        if left.contains(kind) { return false }
        switch kind {
        case .document(let path): return path == self.path && (isDeleted || document != nil) ? document != nil : nil
        case .query(let query):
            guard query.covers(path), isDeleted || document != nil else { return nil }
            guard let document, query.matches(document, ordered: query.completeOrders) else { return false }
            return query.limit == nil ? true : nil
        }
    }
}

/// The steps of the server.
extension SpecRun {
    func targets(_ node: JSONNode?) -> Set<StreamTarget.Kind> { Set((node?.elements ?? []).compactMap { $0.integer.flatMap { kinds[$0] } }) }

    // MARK: The stream

    func watch(entity node: JSONNode) throws {
        let (told, left) = (targets(node["targets"]), targets(node["removedTargets"]))
        for entity in (node["docs"]?.elements ?? []) + [node["doc"]].compactMap({ $0 }) {
            let path = try SpecJSON.path(entity["key"])
            var document: RemoteDocument?
            if entity["value"] != .null {
                let version = entity["version"]?.integer ?? 0
                document = RemoteDocument(path: path, fields: try SpecJSON.fields(entity["value"]), version: version, created: version)
            }
            watched.changes.append(.init(path: path, document: document, isDeleted: document == nil, told: told, left: left))
        }
        if let key = node["key"] {
            watched.changes.append(.init(path: try SpecJSON.path(key), document: nil, isDeleted: false, told: told, left: left))
        }
    }

    /// Sends what was told since the last consistent state. With targets it is not consistent yet.
    func snapshot(_ node: JSONNode) async throws {
        guard node["targetIds"]?.elements?.isEmpty ?? true, let version = node["version"]?.integer else { return }
        let events = watched
        watched = WatchedEvents()
        server.answerConnection()
        var numbers: [StreamTarget.Kind: Int64] = [:]
        for kind in server.open { numbers[kind] = await engine.number(of: kind) }
        if numbers.isEmpty { return }
        for kind in events.resets { if let number = numbers[kind] { server.send(.reset(number)) } }
        let current = events.current.compactMap { numbers[$0] }.sorted()
        snapshots += 1
        let token = "\(snapshots)"
        server.send(.changes(stamp: version, changes(events, numbers), token: current.isEmpty ? token : nil))
        for number in current { server.send(.current(number, token: number == current.last ? token : nil)) }
        if !current.isEmpty { isBroken = false }
        let engine = engine
        try await wait("the events are not stored") { try await engine.storedToken() == token }
    }

    private func changes(_ events: WatchedEvents, _ numbers: [StreamTarget.Kind: Int64]) -> [StreamEvent.Change] {
        events.changes.flatMap { change -> [StreamEvent.Change] in
            let shown = numbers.filter { change.isShown(by: $0.key) == true }.map(\.value).sorted()
            let hidden = numbers.filter { change.isShown(by: $0.key) == false }.map(\.value).sorted()
            var all: [StreamEvent.Change] = []
            if let document = change.document, !shown.isEmpty { all.append(.init(targets: shown, kind: .put(document))) }
            if !hidden.isEmpty { all.append(.init(targets: hidden, kind: .removed(change.path))) }
            return all
        }
    }

    /// Removes targets. Without a cause it is the answer to the client, which the daemon does not send.
    func remove(_ node: JSONNode) async throws {
        guard let cause = node["cause"] else { return }
        for kind in targets(node["targetIds"]) {
            guard let number = await engine.number(of: kind) else { continue }
            server.forget(number)
            server.send(.removed(number, SpecJSON.error(cause)))
            let (engine, watches) = (engine, listeners.values.filter { $0.kind == kind }.map(\.watch))
            try await wait("the target is still there") {
                let isThere = await engine.number(of: kind) != nil
                return !isThere && watches.allSatisfy { $0.error != nil }
            }
        }
    }

    func closeStream(_ node: JSONNode) {
        (watched, isBroken) = (WatchedEvents(), true)
        server.endStream(SpecJSON.error(node["error"]))
    }

    // MARK: Writes

    func acknowledge(_ node: JSONNode) async throws {
        guard let write = undecided.first, let version = node["version"]?.integer else { throw SpecMismatch(description: "nothing to acknowledge") }
        try await decide(.success(CommitAnswer(stamp: version, writes: [.init(version: write.isDeletion ? nil : version, transforms: [])])))
    }

    func refuse(_ node: JSONNode) async throws {
        let error = SpecJSON.error(node["error"])
        if node["keepInQueue"] == .bool(true) { server.decide(.failure(error)) } else { try await decide(.failure(error)) }
    }

    private func decide(_ answer: Result<CommitAnswer, DocumentError>) async throws {
        let write = undecided.removeFirst()
        let (engine, left) = (engine, undecided.count)
        server.decide(answer)
        try await wait("the write is still queued") { await engine.queueCount == left }
        guard let told = write.answer else { return }
        try await wait("the app is not told") { told.withLock { $0 != nil } }
        answers[write.path] = told.withLock { $0 }
    }
}
