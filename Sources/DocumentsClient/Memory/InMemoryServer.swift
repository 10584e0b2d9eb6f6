// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel

/// The state of an in-memory service, with the model that the daemon has.
final class InMemoryServer: Sendable {
    private struct Stream {
        var targets: [Int64: StreamTarget.Kind] = [:]
        /// The versions of the results that were sent.
        var sent: [Int64: [DocumentPath: Int64]] = [:]
        let events: AsyncStream<StreamEvent>.Continuation
    }

    private struct State {
        var documents: [DocumentPath: RemoteDocument] = [:]
        var stamp: Int64 = 1_000_000
        var batches: [String: (number: Int64, answer: CommitAnswer)] = [:]
        var streams: [String: Stream] = [:]
        var streamCount = 0
        var isOnline = true
        var failure: DocumentError?
    }

    private let state = Locked(State())

    func setOnline(_ isOnline: Bool) {
        state.withLock { state in
            state.isOnline = isOnline
            if isOnline { return }
            for stream in state.streams.values { stream.events.finish() }
            state.streams = [:]
        }
    }

    func failWrites(with error: DocumentError?) { state.withLock { $0.failure = error } }

    var stored: [String: [String: FieldValue]] {
        state.withLock { state in
            Dictionary(state.documents.map { ($0.key.description, FieldValue.fields($0.value.fields)) }) { $1 }
        }
    }

    private static let unreachable = DocumentError(.unavailable, "The service is offline.")

    func read(_ kind: StreamTarget.Kind) throws(DocumentError) -> RemoteDocuments {
        try state.withLock { state throws(DocumentError) in
            if !state.isOnline { throw InMemoryServer.unreachable }
            return RemoteDocuments(stamp: state.stamp, documents: InMemoryServer.result(kind, state))
        }
    }

    func read(_ paths: [DocumentPath]) throws(DocumentError) -> RemoteDocuments {
        try state.withLock { state throws(DocumentError) in
            if !state.isOnline { throw InMemoryServer.unreachable }
            return RemoteDocuments(stamp: state.stamp, documents: paths.compactMap { state.documents[$0] })
        }
    }

    private static func result(_ kind: StreamTarget.Kind, _ state: State) -> [RemoteDocument] {
        switch kind {
        case .document(let path): state.documents[path].map { [$0] } ?? []
        case .query(let query): query.result(of: Array(state.documents.values))
        }
    }

    // MARK: Commits

    func commit(_ request: CommitRequest) throws(DocumentError) -> CommitAnswer {
        try state.withLock { state throws(DocumentError) in
            if !state.isOnline { throw InMemoryServer.unreachable }
            if let last = state.batches[request.client] {
                if last.number == request.batch { return last.answer }
                if last.number > request.batch { throw DocumentError(.aborted, "A later batch of this client was applied before.") }
            }
            if let failure = state.failure { throw failure }
            try InMemoryServer.check(request, state)
            let answer = try InMemoryServer.apply(request, &state)
            state.batches[request.client] = (request.batch, answer)
            for id in state.streams.keys { InMemoryServer.send(id, &state) }
            return answer
        }
    }

    private static func check(_ request: CommitRequest, _ state: State) throws(DocumentError) {
        for read in request.reads where state.documents[read.path]?.version ?? 0 != read.version {
            throw DocumentError(.aborted, "A document was changed since it was read.")
        }
        // Deletions leave no version, so any later commit counts as a change of the result.
        for condition in request.conditions where condition.stamp != state.stamp {
            throw DocumentError(.aborted, "The result of a query may have been changed since it was read.")
        }
    }

    private static func apply(_ request: CommitRequest, _ state: inout State) throws(DocumentError) -> CommitAnswer {
        let stamp = max(state.stamp + 1, Int64(Date().timeIntervalSince1970 * 1_000_000))
        guard let time = DocumentTime(microseconds: stamp) else { throw .invalid("The clock is out of range.") }
        var documents = state.documents
        var results: [CommitAnswer.Write] = []
        for write in request.writes {
            let old = documents[write.path]
            let outcome: DocumentWrite.Outcome
            do throws(WriteFault) {
                let version = old.flatMap { DocumentTime(microseconds: $0.version) }
                outcome = try InMemoryServer.model(write).get().apply(to: old?.fields, version: version, at: time)
            } catch { throw DocumentError(error, of: write.path) }
            if outcome.fields != old?.fields {
                documents[write.path] = outcome.fields.map {
                    RemoteDocument(path: write.path, fields: $0, version: stamp, created: old?.created ?? stamp)
                }
            }
            results.append(.init(version: documents[write.path]?.version, transforms: outcome.results))
        }
        (state.documents, state.stamp) = (documents, stamp)
        return CommitAnswer(stamp: stamp, writes: results)
    }

    /// The write of the model. One that no client sends counts as a write of a missing document.
    private static func model(_ write: ClientWrite) -> Result<DocumentWrite, WriteFault> {
        (try? write.model()).map { .success($0) } ?? .failure(.missing)
    }

    // MARK: Streams

    func open(_ targets: [StreamTarget]) throws(DocumentError) -> (id: String, events: AsyncStream<StreamEvent>) {
        try state.withLock { state throws(DocumentError) in
            if !state.isOnline { throw InMemoryServer.unreachable }
            state.streamCount += 1
            let id = "str_\(state.streamCount)"
            let (events, continuation) = AsyncStream.makeStream(of: StreamEvent.self, bufferingPolicy: .bufferingOldest(10_000))
            state.streams[id] = Stream(events: continuation)
            continuation.yield(.opened(id))
            for target in targets { InMemoryServer.add(target, to: id, &state) }
            InMemoryServer.send(id, &state)
            return (id, events)
        }
    }

    func close(_ id: String) { state.withLock { $0.streams.removeValue(forKey: id) }?.events.finish() }

    func change(_ id: String, add: [StreamTarget], remove: [Int64]) throws(DocumentError) {
        try state.withLock { state throws(DocumentError) in
            guard state.streams[id] != nil else { throw DocumentError(.notFound, "There is no such stream.") }
            for number in remove where state.streams[id]?.targets.removeValue(forKey: number) != nil {
                state.streams[id]?.sent[number] = nil
                state.streams[id]?.events.yield(.removed(number, nil))
            }
            for target in add { InMemoryServer.add(target, to: id, &state) }
            InMemoryServer.send(id, &state)
        }
    }

    private static func add(_ target: StreamTarget, to id: String, _ state: inout State) {
        state.streams[id]?.targets[target.number] = target.kind
        if target.known == nil { state.streams[id]?.events.yield(.reset(target.number)) }
        state.streams[id]?.sent[target.number] = target.known ?? [:]
        // A target is current once its first result was sent.
        state.streams[id]?.events.yield(event(target.number, target.kind, id, &state))
        state.streams[id]?.events.yield(.current(target.number, token: "\(state.stamp)"))
    }

    private static func send(_ id: String, _ state: inout State) {
        for (number, kind) in state.streams[id]?.targets ?? [:] {
            let event = event(number, kind, id, &state)
            if case .changes(_, let changes, _) = event, changes.isEmpty { continue }
            state.streams[id]?.events.yield(event)
            state.streams[id]?.events.yield(.current(number, token: "\(state.stamp)"))
        }
    }

    /// The changes of a target since what was sent.
    private static func event(_ number: Int64, _ kind: StreamTarget.Kind, _ id: String, _ state: inout State) -> StreamEvent {
        let documents = result(kind, state)
        let before = state.streams[id]?.sent[number] ?? [:]
        let after = Dictionary(documents.map { ($0.path, $0.version) }) { $1 }
        var changes = documents.filter { before[$0.path] != $0.version }.map { StreamEvent.Change(targets: [number], kind: .put($0)) }
        changes += before.keys.filter { after[$0] == nil }.map { StreamEvent.Change(targets: [number], kind: .removed($0)) }
        state.streams[id]?.sent[number] = after
        return .changes(stamp: state.stamp, changes, token: nil)
    }
}

/// The connection of one device to an in-memory service.
struct InMemoryTransport: DocumentTransport {
    let server: InMemoryServer

    func documents(_ paths: [DocumentPath], _ held: HeldRead?) async throws(DocumentError) -> RemoteDocuments { try server.read(paths) }

    func result(of query: DocumentQuery, _ held: HeldRead?) async throws(DocumentError) -> RemoteDocuments { try server.read(.query(query)) }

    func aggregates(
        _ aggregates: [(name: String, aggregate: Aggregate)], over query: DocumentQuery
    ) async throws(DocumentError) -> [String: DocumentValue] {
        var query = query
        query.aggregated = aggregates.compactMap(\.aggregate.field)
        let documents = try server.read(.query(query)).documents
        var values: [String: DocumentValue] = [:]
        for (name, aggregate) in aggregates {
            var state = AggregateState(aggregate)
            for document in documents { state.add(document) }
            values[name] = state.result
        }
        return values
    }

    func commit(_ request: CommitRequest) async throws(DocumentError) -> CommitAnswer { try server.commit(request) }

    func listen(_ targets: [StreamTarget], resume: String?, _ onEvent: @escaping @Sendable (StreamEvent) -> Bool) async throws(DocumentError) {
        let (id, events) = try server.open(targets)
        for await event in events { if !onEvent(event) { break } }
        server.close(id)
    }

    func change(stream: String, add: [StreamTarget], remove: [Int64]) async throws(DocumentError) {
        try server.change(stream, add: add, remove: remove)
    }

    func close() {}
}

extension DocumentError {
    /// The daemon's refusal of a write.
    init(_ fault: WriteFault, of path: DocumentPath) {
        switch fault {
        case .exists: self.init(.alreadyExists, "Document already exists: \(path)")
        case .missing: self.init(.notFound, "No document to update: \(path)")
        case .changed, .notYet: self.init(.failedPrecondition, "The document has another version: \(path)")
        case .transformOfName, .overlappingTransforms: self.init(.invalidArgument, "The transforms of a write overlap, or change the name: \(path)")
        }
    }
}
