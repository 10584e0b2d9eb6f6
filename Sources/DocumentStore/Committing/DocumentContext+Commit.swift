// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel

extension DocumentContext {
    /// Makes a commit, or throws without a change.
    ///
    /// A batch that was applied before gets the answer it got then.
    ///
    /// - Parameter spending: The budget of the request's rules.
    func commit(_ commit: DocumentCommit, app: AppID, _ spending: RuleSpending = RuleSpending()) throws -> CommitResult {
        if let batch = commit.batch, let answer = try answer(to: batch, app: app) { return answer }
        if commit.writes.count > DocumentBounds.writes || commit.reads.count + commit.conditions.count > DocumentBounds.conditions {
            throw CommitFault.tooManyWrites
        }
        let stamp = try nextStamp()
        let reads = CommitReads(bodies) { try self.encoded($0, app: app) }
        let allowed = try commit.principal.map { try self.allowed(commit, as: $0, reads, spending, at: stamp, app: app) }
        try checkReads(commit, app: app)
        try allowed?.checkPreconditions(of: commit.writes)
        return try make(commit, allowed ?? Preparation(commit.writes, at: stamp, reads), at: stamp, app: app)
    }

    private func make(_ commit: DocumentCommit, _ preparation: Preparation, at stamp: DocumentTime, app: AppID) throws -> CommitResult {
        try commit.decide?(preparation.prepared)
        let (changes, results) = preparation.encoded()
        let result = CommitResult(stamp: stamp, writes: results)
        for (n, change) in changes.enumerated() { try apply(change, n, at: stamp, app: app, depth: commit.depth) }
        if !changes.isEmpty { committed.append(CommittedDocuments.Commit(stamp: stamp.microseconds, app: app, changes: changes)) }
        if let batch = commit.batch { try remember(batch, result, hasWrites: commit.mayChange, app: app) }
        return result
    }

    /// Notes a batch with its answer. A client without other batches than empty ones is forgotten soon, any other one not earlier than before.
    private func remember(_ batch: DocumentCommit.Batch, _ result: CommitResult, hasWrites: Bool, app: AppID) throws {
        if hasWrites { return try file.remember(batch, result, app: app, at: now) }
        let known = try file.lastBatchTime(of: batch.client, app: app)
        if known == nil { try makeRoomForClientWithoutWrites(of: app) }
        let brief = now - DocumentBounds.clientsKept + DocumentBounds.emptyBatchKept
        try file.remember(
            batch, result, app: app, at: max(known?.at ?? brief, brief), isWithoutWrites: known?.isWithoutWrites ?? true)
    }

    /// Makes each write alone. A failing write leaves the others.
    func write(
        each writes: [DocumentWrite], app: AppID, as principal: RulePrincipal?, depth: Int, charge: (@Sendable (Int) throws -> Void)?
    ) throws -> [Result<CommitResult, any Error>] {
        if writes.count > DocumentBounds.writes { throw CommitFault.tooManyWrites }
        let spending = RuleSpending()
        return try writes.map { write in
            let point = point
            try file.statement("SAVEPOINT one").run()
            do {
                var alone = DocumentCommit([write])
                (alone.principal, alone.depth, alone.charge) = (principal, depth, charge)
                let result = try commit(alone, app: app, spending)
                try file.statement("RELEASE one").run()
                return .success(result)
            } catch  where error is CommitFault || error is DeniedByRules || error is Refusal {
                try file.execute("ROLLBACK TO one; RELEASE one")
                go(back: point)
                return .failure(error)
            }
        }
    }

    private func answer(to batch: DocumentCommit.Batch, app: AppID) throws -> CommitResult? {
        guard let last = try file.lastBatch(of: batch.client, app: app) else { return nil }
        if last.number > batch.number { throw CommitFault.oldBatch(last: last.number) }
        return last.number == batch.number ? last.answer : nil
    }

    /// Writes one changed document, its row in the log and the counts of its collection.
    private func apply(_ change: Preparation.Change, _ n: Int, at stamp: DocumentTime, app: AppID, depth: Int) throws {
        guard let parent = change.path.parent else { return }
        let collection = try numberOrNew(of: parent, app: app)
        let id = StoredID.bytes(change.path.id)
        let before = change.before.map {
            DocumentRow(id: id, created: $0.created.microseconds, version: $0.version.microseconds, body: change.oldBody)
        }
        var number: Int64 = 0
        if let after = change.after {
            number = try file.put(
                DocumentRow(id: id, created: after.created.microseconds, version: after.version.microseconds, body: change.newBody), in: collection)
        } else {
            number = try file.removeDocument(id, in: collection) ?? 0
        }
        indexRun?.change(number)
        try updateEntries(change, number, in: collection, app: app)
        let row = ChangeRow(stamp: stamp.microseconds, kind: change.kind, id: id, before: before, depth: depth)
        try file.add(row, n, in: collection)
        marks.logBytes += row.bytes
        collectionGrowth.append(
            CollectionGrowth(
                collection: collection, documents: (change.after == nil ? 0 : 1) - (change.before == nil ? 0 : 1),
                bytes: change.newBody.count - change.oldBody.count))
    }
}

/// The effects of writes on documents, computed before anything is written.
struct Preparation {
    /// A document that a commit changes, whatever the number of its writes.
    struct Change {
        let path: DocumentPath
        let before: StoredDocument?
        let after: StoredDocument?
        let oldBody: [UInt8]
        let newBody: [UInt8]

        var kind: ChangeKind { before == nil ? .created : after == nil ? .deleted : .changed }
    }

    private struct State {
        let path: DocumentPath
        let original: StoredDocument?
        var current: StoredDocument?
        /// The JSON of the fields; nil until it is needed.
        private(set) var body: [UInt8]?
        let originalBody: [UInt8]

        init(_ path: DocumentPath, _ document: StoredDocument?, _ body: [UInt8]) {
            (self.path, original, current) = (path, document, document)
            (originalBody, self.body) = (body, body)
        }

        var isChanged: Bool { current?.version != original?.version }

        /// Changes the document in memory. It has the version of the commit until `encode`.
        mutating func set(_ fields: DocumentFields?, _ index: Int, at stamp: DocumentTime) throws {
            guard let fields else {
                (current, body) = (nil, [])
                return
            }
            do throws(DocumentFault) { try fields.validate(as: path) } catch { throw CommitFault.document(index, path, error) }
            current = StoredDocument(path, fields, created: current?.created ?? stamp, version: stamp)
            body = nil
        }

        /// Encodes the fields. Fields that are stored alike keep the version, also if earlier writes of the commit changed them.
        mutating func encode() {
            guard body == nil, let document = current else { return }
            let made = BodyReader.body(document.fields)
            body = made
            // One that was deleted in between is another document.
            if let original, document.created == original.created, made == originalBody { current = original }
        }
    }

    private let stamp: DocumentTime
    private let reads: CommitReads
    private let stored: (DocumentPath) throws -> StoredDocument?
    /// The documents in the order of their first writes.
    private var states: [State] = []
    private var places: [DocumentPath: Int] = [:]
    private var effects: [PreparedCommit.Effect] = []
    /// The results of transforms, by write.
    private var transformed: [[DocumentValue]] = []

    /// - Parameter stored: Returns a document that `reads` has, or nil for one that the writes do not see.
    init(
        _ writes: [DocumentWrite], at stamp: DocumentTime, _ reads: CommitReads, _ stored: ((DocumentPath) throws -> StoredDocument?)? = nil
    ) throws {
        (self.stamp, self.reads, self.stored) = (stamp, reads, stored ?? reads.document)
        let last = Dictionary(writes.enumerated().map { ($0.element.path, $0.offset) }) { $1 }
        for (index, write) in writes.enumerated() {
            guard write.path.isDocument else { throw CommitFault.notADocument(index) }
            try add(write, index, isLast: last[write.path] == index)
        }
    }

    private mutating func add(_ write: DocumentWrite, _ index: Int, isLast: Bool) throws {
        let place = places[write.path, default: states.count]
        if place == states.count {
            let document = try stored(write.path)
            states.append(State(write.path, document, try document.map { try reads.body($0.path) } ?? []))
            places[write.path] = place
        }
        let before = states[place].current
        let outcome: DocumentWrite.Outcome
        do throws(WriteFault) {
            outcome = try write.apply(to: before?.fields, version: before?.version, at: stamp)
        } catch { throw CommitFault.write(index, write.path, error) }
        if case .verify = write.change {
        } else {
            try states[place].set(outcome.fields, index, at: stamp)
            // Later writes depend on the version.
            if !isLast { states[place].encode() }
        }
        effects.append(PreparedCommit.Effect(write: write, before: before, after: states[place].current))
        transformed.append(outcome.results)
    }

    /// Throws unless the preconditions of the writes hold, which the preparation has without them.
    func checkPreconditions(of writes: [DocumentWrite]) throws(CommitFault) {
        for (index, write) in writes.enumerated() {
            let before = effects[index].before
            do throws(WriteFault) { try write.checkPrecondition(on: before?.fields, version: before?.version) } catch {
                throw .write(index, write.path, error)
            }
        }
    }

    /// Encodes the documents as they are left, and returns those that are different afterwards, in the order of their first writes.
    func encoded() -> (changes: [Change], results: [CommitResult.Write]) {
        var made = self
        for place in made.states.indices { made.states[place].encode() }
        return (made.changes, made.results)
    }

    private var changes: [Change] {
        states.compactMap { state in
            guard state.isChanged else { return nil }
            return Change(path: state.path, before: state.original, after: state.current, oldBody: state.originalBody, newBody: state.body ?? [])
        }
    }

    private var results: [CommitResult.Write] {
        zip(effects, transformed).map { effect, values in
            let state = places[effect.write.path].map { states[$0] }
            guard let state, !state.isChanged else { return .init(version: effect.after?.version, results: values) }
            return .init(version: state.original?.version, results: values)
        }
    }

    var prepared: PreparedCommit {
        PreparedCommit(stamp: stamp, effects: effects, after: places.mapValues { states[$0].current }, stored: stored)
    }
}
