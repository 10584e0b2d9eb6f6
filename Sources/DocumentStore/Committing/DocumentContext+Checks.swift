// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel

extension DocumentContext {
    /// Returns the effects of a commit's writes without their preconditions. Throws `DeniedByRules` unless rules allow its reads and writes.
    ///
    /// Rules decide before preconditions are checked, which would tell what is there.
    func allowed(_ commit: DocumentCommit, as principal: RulePrincipal, _ spending: RuleSpending, at stamp: DocumentTime, app: AppID) throws
        -> Preparation
    {
        let decisions = try ruleCache.decisions(of: app, in: file, as: principal, spending, at: now) { try self.document($0, app: app) }
        for read in commit.reads { try decisions.checkGet(read.path, at: stamp) { try decisions.document(read.path)?.fields } }
        for condition in commit.conditions { try decisions.check(condition.query, at: stamp) }
        let writes = commit.writes.map { DocumentWrite($0.path, $0.change, transforms: $0.transforms) }
        let preparation: Preparation
        do { preparation = try Preparation(writes, at: stamp, decisions.document) } catch CommitFault.document(let index, let path, let fault) {
            // Whether the document would be too large depends on what is there, so only a reader of it learns that.
            try decisions.checkGet(path, at: stamp) { try decisions.document(path)?.fields }
            throw CommitFault.document(index, path, fault)
        }
        let prepared = preparation.prepared
        for effect in prepared.effects { try decisions.check(effect, in: prepared) }
        return preparation
    }

    /// Throws `conflict` if a document or the result of a query was changed since the commit's client read it.
    func checkReads(_ commit: DocumentCommit, app: AppID) throws {
        for read in commit.reads where try version(of: read.path, app: app) != read.version { throw CommitFault.conflict }
        for condition in commit.conditions where try isChanged(condition, app: app) { throw CommitFault.conflict }
    }

    private func version(of path: DocumentPath, app: AppID) throws -> DocumentTime? {
        guard path.isDocument, let parent = path.parent, let collection = try number(of: parent, app: app) else { return nil }
        return try file.version(of: path.id, in: collection)
    }

    /// Whether a document that matches the query, before or after, was changed since its stamp. The log must reach back to it.
    private func isChanged(_ condition: DocumentCommit.Condition, app: AppID) throws -> Bool {
        let stamp = condition.stamp.microseconds
        // A stamp of a history that a restored backup does not have is later than all.
        if stamp >= marks.stamp { return stamp > marks.stamp }
        if try stamp < max(marks.logStart, file.logStart(of: app)) { return true }
        for collection in try file.collections(of: condition.query, app: app) {
            var changed: Set<[UInt8]> = []
            var isFound = false
            try file.changes(of: collection.number, after: stamp) { change in
                changed.insert(change.id)
                isFound = try change.before.map { condition.query.matches(try $0.document(in: collection.path, bodies)) } ?? false
                return !isFound
            }
            if isFound { return true }
            for bytes in changed {
                guard let id = StoredID.segment(bytes) else { throw DocumentError.damaged }
                let now = try file.document(id, in: collection.number)?.document(in: collection.path, bodies)
                if let now, condition.query.matches(now) { return true }
            }
        }
        return false
    }
}
