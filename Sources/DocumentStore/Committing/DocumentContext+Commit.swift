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
        var preparation = try commit.principal.map { try allowed(commit, as: $0, spending, at: stamp, app: app) }
        try checkReads(commit, app: app)
        if commit.writes.contains(where: { $0.precondition != nil }) { preparation = nil }
        return try make(commit, preparation ?? Preparation(commit.writes, at: stamp) { try self.document($0, app: app) }, at: stamp, app: app)
    }

    private func make(_ commit: DocumentCommit, _ preparation: Preparation, at stamp: DocumentTime, app: AppID) throws -> CommitResult {
        try commit.decide?(preparation.prepared)
        let result = CommitResult(stamp: stamp, writes: preparation.results)
        let changes = preparation.changes
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
        each writes: [DocumentWrite], app: AppID, as principal: RulePrincipal?, depth: Int
    ) throws -> [Result<CommitResult, any Error>] {
        if writes.count > DocumentBounds.writes { throw CommitFault.tooManyWrites }
        let spending = RuleSpending()
        return try writes.map { write in
            let point = point
            try file.statement("SAVEPOINT one").run()
            do {
                var alone = DocumentCommit([write])
                (alone.principal, alone.depth) = (principal, depth)
                let result = try commit(alone, app: app, spending)
                try file.statement("RELEASE one").run()
                return .success(result)
            } catch  where error is CommitFault || error is DeniedByRules {
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
        var body: [UInt8]
        let originalBody: [UInt8]

        init(_ path: DocumentPath, _ document: StoredDocument?) {
            (self.path, original, current) = (path, document, document)
            originalBody = document.map { BodyReader.body($0.fields) } ?? []
            body = originalBody
        }

        var isChanged: Bool { current?.version != original?.version }

        /// Changes the document in memory. Fields that are stored alike keep the version, also if earlier writes of the commit changed them.
        mutating func set(_ fields: DocumentFields?, _ index: Int, at stamp: DocumentTime) throws {
            guard let fields else {
                (current, body) = (nil, [])
                return
            }
            do throws(DocumentFault) { try fields.validate(as: path) } catch { throw CommitFault.document(index, path, error) }
            let body = BodyReader.body(fields)
            // One that was deleted in between is another document.
            if let original, current?.created == original.created, body == originalBody {
                (current, self.body) = (original, body)
                return
            }
            if current != nil, body == self.body { return }
            current = StoredDocument(path, fields, created: current?.created ?? stamp, version: stamp)
            self.body = body
        }
    }

    private let stamp: DocumentTime
    private let stored: (DocumentPath) throws -> StoredDocument?
    /// The documents in the order of their first writes.
    private var states: [State] = []
    private var places: [DocumentPath: Int] = [:]
    private var effects: [PreparedCommit.Effect] = []
    /// The results of transforms, by write.
    private var transformed: [[DocumentValue]] = []
    /// The budget of the bytes of documents that the writes read and make; nil for any number.
    private let spending: RuleSpending?

    init(
        _ writes: [DocumentWrite], at stamp: DocumentTime, _ spending: RuleSpending? = nil,
        _ stored: @escaping (DocumentPath) throws -> StoredDocument?
    ) throws {
        (self.stamp, self.stored, self.spending) = (stamp, stored, spending)
        for (index, write) in writes.enumerated() {
            guard write.path.isDocument else { throw CommitFault.notADocument(index) }
            try add(write, index)
        }
    }

    private mutating func add(_ write: DocumentWrite, _ index: Int) throws {
        let place = places[write.path, default: states.count]
        if place == states.count {
            states.append(try State(write.path, stored(write.path)))
            places[write.path] = place
            try spending?.spend(bytes: states[place].originalBody.count)
        }
        let before = states[place].current
        let outcome: DocumentWrite.Outcome
        do throws(WriteFault) {
            outcome = try write.apply(to: before?.fields, version: before?.version, at: stamp)
        } catch { throw CommitFault.write(index, write.path, error) }
        if case .verify = write.change {
        } else {
            try states[place].set(outcome.fields, index, at: stamp)
            try spending?.spend(bytes: states[place].body.count)
        }
        effects.append(PreparedCommit.Effect(write: write, before: before, after: states[place].current))
        transformed.append(outcome.results)
    }

    /// The documents that are different afterwards, in the order of their first writes.
    var changes: [Change] {
        states.compactMap { state in
            guard state.isChanged else { return nil }
            return Change(path: state.path, before: state.original, after: state.current, oldBody: state.originalBody, newBody: state.body)
        }
    }

    var results: [CommitResult.Write] {
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
