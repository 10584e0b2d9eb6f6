// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel

@testable import SignalboxDocuments

/// A server whose events and decisions a specification scripts.
///
/// It takes one write in a commit, so that the client sends each of them alone, and the specification decides about each.
final class ScriptedServer: DocumentTransport {
    private struct Stream {
        let onEvent: @Sendable (StreamEvent) -> Bool
        var numbers: [Int64: StreamTarget.Kind] = [:]
        var end: CheckedContinuation<DocumentError?, Never>?
    }

    private struct State {
        var count = 0
        /// Whether a connection is not answered until ``answerConnection()``.
        var isHolding = false
        /// Whether the script answers removals.
        var leavesRemovals = false
        /// The last one is in use.
        var streams: [Int: Stream] = [:]
        var commits: [Int: CheckedContinuation<Result<CommitAnswer, DocumentError>, Never>] = [:]

        var newest: (id: Int, stream: Stream)? { streams.max { $0.key < $1.key }.map { ($0.key, $0.value) } }
    }

    private let state = Locked(State())

    // MARK: The script

    /// Leaves connections without an answer.
    func holdConnections() { state.withLock { $0.isHolding = true } }

    func answerConnection() {
        let held = state.withLock { state -> (id: Int, stream: Stream)? in
            defer { state.isHolding = false }
            return state.isHolding ? state.newest : nil
        }
        if let held { _ = held.stream.onEvent(.opened("\(held.id)")) }
    }

    /// Leaves removals without an answer.
    func leaveRemovals() { state.withLock { $0.leavesRemovals = true } }

    /// The number of an open target.
    func number(of kind: StreamTarget.Kind) -> Int64? { state.withLock { $0.newest?.stream.numbers.first { $0.value == kind }?.key } }

    /// Forgets a target that it has removed.
    func forget(_ number: Int64) {
        state.withLock { state in if let id = state.newest?.id { state.streams[id]?.numbers[number] = nil } }
    }

    /// The targets of the open stream.
    var open: Set<StreamTarget.Kind> { state.withLock { $0.newest.map { Set($0.stream.numbers.values) } ?? [] } }

    var hasStream: Bool { state.withLock { !$0.streams.isEmpty } }
    var isHolding: Bool { state.withLock { $0.isHolding } }
    var hasCommit: Bool { state.withLock { !$0.commits.isEmpty } }

    func send(_ event: StreamEvent) {
        _ = state.withLock { $0.newest?.stream.onEvent }?(event)
    }

    /// Ends the stream with an error. The next connection is not answered until ``answerConnection()``.
    func endStream(_ error: DocumentError) {
        let end = state.withLock { state in
            state.isHolding = true
            return state.newest.flatMap { state.streams.removeValue(forKey: $0.id)?.end }
        }
        end?.resume(returning: error)
    }

    /// Answers the commit that waits.
    func decide(_ answer: Result<CommitAnswer, DocumentError>) {
        let waiting = state.withLock { state in state.commits.keys.min().flatMap { state.commits.removeValue(forKey: $0) } }
        waiting?.resume(returning: answer)
    }

    // MARK: The client's requests

    private static let unscripted = DocumentError(.unavailable, "The specification has no reads.")

    func documents(_ paths: [DocumentPath], _ held: HeldRead?) async throws(DocumentError) -> RemoteDocuments { throw ScriptedServer.unscripted }

    func result(of query: DocumentQuery, _ held: HeldRead?) async throws(DocumentError) -> RemoteDocuments { throw ScriptedServer.unscripted }

    func aggregates(
        _ aggregates: [(name: String, aggregate: Aggregate)], over query: DocumentQuery
    ) async throws(DocumentError) -> [String: DocumentValue] { throw ScriptedServer.unscripted }

    func commit(_ request: CommitRequest) async throws(DocumentError) -> CommitAnswer {
        if request.writes.count != 1 { throw .invalid("One write at a time.") }
        let id = nextID()
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.commits[id] = continuation }
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
        return try answer.get()
    }

    func listen(_ targets: [StreamTarget], resume: String?, _ onEvent: @escaping @Sendable (StreamEvent) -> Bool) async throws(DocumentError) {
        let id = nextID()
        let numbers = Dictionary(targets.map { ($0.number, $0.kind) }) { $1 }
        state.withLock { $0.streams[id] = Stream(onEvent: onEvent, numbers: numbers) }
        if !isHolding { _ = onEvent(.opened("\(id)")) }
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.streams[id]?.end = continuation }
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
        if let failure { throw failure }
    }

    func change(stream: String, add: [StreamTarget], remove: [Int64]) async throws(DocumentError) {
        let known = state.withLock { state -> (stream: Stream, answered: [Int64])? in
            guard let id = Int(stream), let known = state.streams[id] else { return nil }
            let removed = remove.filter { state.streams[id]?.numbers.removeValue(forKey: $0) != nil }
            for target in add { state.streams[id]?.numbers[target.number] = target.kind }
            return (known, state.leavesRemovals ? [] : removed)
        }
        guard let known else { throw DocumentError(.notFound, "There is no such stream.") }
        for number in known.answered { _ = known.stream.onEvent(.removed(number, nil)) }
    }

    func close() {}

    private func nextID() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    private func giveUp(_ id: Int) {
        state.withLock { $0.commits.removeValue(forKey: id) }?.resume(returning: .failure(DocumentError(.cancelled, "The request was cancelled.")))
    }

    private func leave(_ id: Int) {
        // Before the continuation is there the stream stays known, so that it is not waited for in vain.
        let end = state.withLock { state in state.streams[id]?.end == nil ? nil : state.streams.removeValue(forKey: id)?.end }
        end?.resume(returning: nil)
    }
}
