// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel

extension DocumentContext {
    /// Returns the effects of a commit's writes without their preconditions. Throws `DeniedByRules` unless rules allow its reads and writes.
    ///
    /// Rules decide before preconditions are checked, which would tell what is there.
    func allowed(
        _ commit: DocumentCommit, as principal: RulePrincipal, _ reads: CommitReads, _ spending: RuleSpending, at stamp: DocumentTime, app: AppID
    ) throws -> Preparation {
        // Earlier writes of the request have spent the bytes.
        if spending.bytesLeft < 0 { throw DeniedByRules() }
        // The first attempt has counted the decisions about a commit that a reader checked.
        let decisions = try ruleCache.decisions(
            of: app, in: file, as: principal, spending, at: now, isCounted: !commit.isChecked, reads.document)
        for read in commit.reads { try decisions.checkGet(read.path, at: stamp) { try decisions.document(read.path)?.fields } }
        for condition in commit.conditions { try decisions.check(condition.query, at: stamp) }
        let writes = commit.writes.map { DocumentWrite($0.path, $0.change, transforms: $0.transforms) }
        let stored = try storedBytes(of: writes, app: app)
        let unread = try deniedUnread(writes, stored, by: decisions, at: stamp)
        let bytes = WriteBytes(writes) { unread.contains($0) ? 0 : stored[$0] ?? 0 }
        let preparation: Preparation
        do {
            try spending.spend(bytes: bytes.count)
            preparation = try Preparation(writes, at: stamp, reads) { try unread.contains($0) ? nil : decisions.document($0) }
        } catch CommitFault.document(let index, let path, let fault) {
            // Whether the document would be too large depends on what is there, so only a reader of it learns that.
            try decisions.checkGet(path, at: stamp) { try decisions.document(path)?.fields }
            throw CommitFault.document(index, path, fault)
        } catch CommitFault.tooManyBytes {
            // The bytes tell what is there, too.
            try checkGets(of: stored, by: decisions, at: stamp)
            throw CommitFault.tooManyBytes
        }
        // A fault of another write comes first, as it does beside a denied write of a small document or of none.
        if !unread.isEmpty { throw DeniedByRules() }
        let prepared = preparation.prepared
        for effect in prepared.effects { try decisions.check(effect, in: prepared) }
        if !commit.isChecked { try commit.charge?(bytes.count) }
        return preparation
    }

    /// Throws unless all documents may be read, or as many of them as are too many bytes alone.
    private func checkGets(of stored: [DocumentPath: Int], by decisions: RuleDecisions, at stamp: DocumentTime) throws {
        var bytesLeft = DocumentBounds.bytesUnderRules
        for (path, bytes) in stored.sorted(by: { $0.key < $1.key }) {
            var isRead = false
            try decisions.checkGet(path, at: stamp) {
                isRead = true
                return try decisions.document(path)?.fields
            }
            if isRead { bytesLeft -= bytes }
            if bytesLeft < 0 { return }
        }
    }

    /// Returns the bytes of the stored documents that writes name, which are not read.
    private func storedBytes(of writes: [DocumentWrite], app: AppID) throws -> [DocumentPath: Int] {
        var stored: [DocumentPath: Int] = [:]
        for write in writes where write.path.isDocument && stored[write.path] == nil { stored[write.path] = try bodyBytes(write.path, app: app) }
        return stored
    }

    /// The stored bytes from which a document takes a time to read that a denial could show.
    private static let largeBytes = 16 << 10

    /// Returns the large documents of which a write is denied whatever they contain. They are not read, as the time of the denial would tell that
    /// they are there. Rules do not decide here about a document's second write, which sees what the first one made.
    private func deniedUnread(
        _ writes: [DocumentWrite], _ stored: [DocumentPath: Int], by decisions: RuleDecisions, at stamp: DocumentTime
    ) throws -> Set<DocumentPath> {
        var (written, denied): (Set<DocumentPath>, Set<DocumentPath>) = ([], [])
        for write in writes where stored[write.path] ?? 0 >= Self.largeBytes && written.insert(write.path).inserted {
            if try decisions.deniesUnread(write, at: stamp) { denied.insert(write.path) }
        }
        return denied
    }

    /// Throws `conflict` if a document or the result of a query was changed since the commit's client read it.
    ///
    /// Throws `ConditionCheck.Exceeded` if that takes long, unless a reader has looked already.
    func checkReads(_ commit: DocumentCommit, app: AppID) throws {
        for read in commit.reads where try version(of: read.path, app: app) != read.version { throw CommitFault.conflict }
        if commit.conditions.isEmpty { return }
        let check = try ConditionCheck(file, app: app, bodies, .ofWriter, isOnWriter: true)
        do {
            for condition in commit.conditions where try isChanged(condition, by: check) { throw CommitFault.conflict }
        } catch is ConditionCheck.Exceeded where commit.isChecked { throw CommitFault.conflict }
    }

    private func version(of path: DocumentPath, app: AppID) throws -> DocumentTime? {
        guard path.isDocument, let parent = path.parent, let collection = try number(of: parent, app: app) else { return nil }
        return try file.version(of: path.id, in: collection)
    }

    private func isChanged(_ condition: DocumentCommit.Condition, by check: ConditionCheck) throws -> Bool {
        // A stamp of a history that a restored backup does not have is later than all.
        let stamp = condition.stamp.microseconds
        return stamp >= marks.stamp ? stamp > marks.stamp : try check.isChanged(condition)
    }
}

extension DocumentStore {
    /// Checks the conditions of a commit on a reader, and returns the commit with those that hold up to the version that was read. Throws
    /// `conflict` if one does not hold, or if too much was changed to tell.
    func checked(_ commit: DocumentCommit, app: AppID) async throws -> DocumentCommit {
        let budget = ConditionCheck.Budget.ofReader(bounds.examined(by: commit.principal))
        return try await read(app, at: nil, as: nil, .large, for: commit.principal?.caller(in: app)) { view, _ in
            var checked = commit
            checked.isChecked = true
            do {
                let check = try ConditionCheck(view.file, app: app, view.bodies, budget, isOnWriter: false)
                checked.conditions = try commit.conditions.map { condition in
                    if condition.stamp >= view.newest { return condition }
                    if try check.isChanged(condition) { throw CommitFault.conflict }
                    return DocumentCommit.Condition(condition.query, at: view.newest)
                }
            } catch is ConditionCheck.Exceeded {
                throw CommitFault.conflict
            } catch let error as SQLiteError where SQLiteError.Code.interrupted ~= error.code {
                throw CommitFault.conflict
            }
            return checked
        }
    }
}
