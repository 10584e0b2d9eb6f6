// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel

extension DocumentContext {
    /// Throws `conflict` if a document or the result of a query was changed since the commit's client read it.
    func checkReads(_ commit: DocumentCommit, app: AppID) throws {
        if commit.reads.count + commit.conditions.count > DocumentBounds.conditions { throw CommitFault.tooManyWrites }
        for read in commit.reads where try version(of: read.path, app: app) != read.version { throw CommitFault.conflict }
        for condition in commit.conditions where try isChanged(condition, app: app) { throw CommitFault.conflict }
    }

    private func version(of path: DocumentPath, app: AppID) throws -> DocumentTime? {
        guard path.isDocument, let parent = path.parent, let collection = try file.collection(parent, app: app) else { return nil }
        return try file.version(of: path.id, in: collection.number)
    }

    /// Whether a document that matches the query, before or after, was changed since its stamp. The log must reach back to it.
    private func isChanged(_ condition: DocumentCommit.Condition, app: AppID) throws -> Bool {
        let stamp = condition.stamp.microseconds
        if stamp >= marks.stamp { return false }
        if stamp < marks.logStart { return true }
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
