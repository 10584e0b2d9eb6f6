// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import AccountStore
import DocumentStore
import JSON
import Listening
import Platform
import SignalboxDocumentModel
import Synchronization

/// One stream of events about documents, as text.
///
/// Rules decide about the targets of a user: before the first of a target is read, and before anything is sent after a document that the
/// decision rests on has changed. An event has no commit that those decisions do not know.
final class DocumentEventStream: Sendable {
    private struct Target {
        let id: Int
        let selection: FieldSelection?
        let judged: JudgedTarget
    }

    private struct State {
        var targets: [Int: Target] = [:]
        var lastID = 0
        /// Targets that were added or removed since the last text.
        var notes: [(target: Int, state: String, error: Refusal?)] = []
        var holder: StreamHolder
        var watch: SessionWatch?
    }

    let listener: DocumentListener
    let documents: DocumentStore
    private let state: Mutex<State>

    init(_ listener: DocumentListener, _ documents: DocumentStore, for holder: StreamHolder) {
        (self.listener, self.documents) = (listener, documents)
        state = Mutex(State(holder: holder))
    }

    var holder: StreamHolder { state.withLock(\.holder) }

    /// Goes on with a newer token of the user, whose claims may allow less.
    func renew(_ holder: StreamHolder, _ watch: SessionWatch?) {
        state.withLock { state in
            guard holder.expires > state.holder.expires else { return }
            (state.holder, state.watch) = (holder, watch)
            listener.doubtAll()
        }
        listener.wake()
    }

    /// Keeps the watch of the holder's session.
    func keep(_ watch: SessionWatch?) { state.withLock { $0.watch = watch } }

    // MARK: Targets

    /// Adds targets; with `resumes` for a client that was here before, with a token if it has a valid one. Those that rules do not allow are
    /// removed again.
    func add(_ requested: [RequestedTarget], resumes: Bool = false, _ token: ListenToken? = nil) async throws {
        let time = DenialTime()
        var added: [(RequestedTarget, id: Int)] = []
        for target in requested {
            do throws(Refusal) { added.append((target, try reserve(target))) } catch {
                for (target, id) in added { drop(target.number, id: id) }
                throw error
            }
        }
        let proofs = try await proofs(of: added.map { ($0.0.number, $0.0.judged) })
        if let proofs, added.contains(where: { proofs.documents[$0.0.number] == nil }) { try await time.wait() }
        for (target, id) in added {
            if let proofs, proofs.documents[target.number] == nil {
                drop(target.number, id: id, .deniedByRules)
            } else {
                try open(target, id, from: start(of: target, resumes, token), proofs)
            }
        }
        listener.wake()
    }

    /// Takes a free number for a target.
    private func reserve(_ target: RequestedTarget) throws(Refusal) -> Int {
        let id = state.withLock { state -> Result<Int, Refusal> in
            if state.targets[target.number] != nil { return .failure(.field("target", "exists", "is used by another target of the stream")) }
            if state.targets.count >= DocumentListener.targetsAtOnce { return .failure(DocumentListener.tooManyTargets) }
            state.lastID += 1
            // Targets of equal selections share one, by which their changes are grouped.
            let selection = target.selection.map { wanted in state.targets.values.compactMap(\.selection).first { $0 == wanted } ?? wanted }
            state.targets[target.number] = Target(id: state.lastID, selection: selection, judged: target.judged)
            state.notes.append((target.number, "added", nil))
            return .success(state.lastID)
        }
        return try id.get()
    }

    /// Listens to a target, unless it was removed meanwhile.
    private func open(_ target: RequestedTarget, _ id: Int, from start: ListenStart, _ proofs: JudgedTargets?) throws(Refusal) {
        let opened = state.withLock { state -> Result<Void, Refusal> in
            guard state.targets[target.number]?.id == id else { return .success(()) }
            if let proofs { listener.rest(target.number, on: proofs.documents[target.number] ?? [], provedAt: proofs.stamp) }
            return Result { () throws(Refusal) in try listener.add(target.target, as: target.number, from: start) }
        }
        try opened.get()
    }

    private func start(of target: RequestedTarget, _ resumes: Bool, _ token: ListenToken?) -> ListenStart {
        if let known = target.known { return .known(known) }
        if let token, token.has(target.target) { return .since(token.stamp) }
        return resumes ? .reset : .anew
    }

    func remove(_ number: Int) {
        drop(number)
        listener.wake()
    }

    /// - Parameter id: Drops the target only if it is still this one.
    private func drop(_ number: Int, id: Int? = nil, _ error: Refusal? = nil) {
        state.withLock { state in
            guard let target = state.targets[number], id == nil || id == target.id else { return }
            state.targets[number] = nil
            listener.remove(number)
            state.notes.append((number, "removed", error))
        }
    }

    // MARK: Rights

    private func proofs(of targets: [(Int, JudgedTarget)], versions: [Int: DocumentFields?] = [:]) async throws -> JudgedTargets? {
        guard let principal = holder.principal, !targets.isEmpty else { return nil }
        let judged = Dictionary(targets) { first, _ in first }
        return try await documents.judge(judged, versions: versions, app: listener.app, as: principal)
    }

    /// Decides anew about doubtful targets and about documents of the event, and removes targets that are no longer allowed.
    private func checkRights(_ doubtful: Set<Int>, _ event: ListenEvent?, of targets: [Int: Target]) async throws {
        if holder.principal == nil { return }
        var versions: [Int: DocumentFields?] = [:]
        for change in event?.changes ?? [] {
            guard case .document? = targets[change.target]?.judged else { continue }
            versions[change.target] = .some(change.change.document?.fields)
        }
        let current = event?.newlyCurrent.filter { targets[$0]?.judged.isDocument ?? false } ?? []
        let asked = doubtful.union(versions.keys).union(current).compactMap { number in targets[number].map { (number, $0) } }
        guard let proofs = try await proofs(of: asked.map { ($0, $1.judged) }, versions: versions) else { return }
        for (number, target) in asked {
            guard let documents = proofs.documents[number] else {
                drop(number, id: target.id, .deniedByRules)
                continue
            }
            state.withLock { state in
                if state.targets[number]?.id == target.id { listener.rest(number, on: documents, provedAt: proofs.stamp) }
            }
        }
    }

    /// Returns what is to be sent now; nothing if there is no news.
    func next(at now: Timestamp) async throws -> [UInt8] {
        // Taken together, so that the event is about these targets.
        let (taken, targets) = state.withLock { state in (listener.next(), state.targets) }
        for number in taken.refused { if let target = targets[number] { drop(number, id: target.id, .tooManyRows) } }
        try await checkRights(taken.doubtful, taken.event, of: targets)
        let (notes, renewal, gone) = state.withLock { state in
            let gone = targets.filter { number, target in state.targets[number]?.id != target.id }
            defer { state.notes = [] }
            return (state.notes, state.holder.takeRenewal(at: now), Set(gone.keys))
        }
        var text = notes.flatMap { Self.target($0.target, $0.state, error: $0.error) }
        if let event = taken.event?.without(gone) { text += self.text(of: event, targets.compactMapValues(\.selection)) }
        if let renewal { text += Self.message("renew") { $0.field("before", renewal.rfc3339) } }
        return text
    }
}
