// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Platform
import SignalboxDocumentModel

/// The erasure of a person's documents as the writer does it, some at a time.
struct PersonErasure: Sendable {
    let app: AppID
    let person: String
    let patterns: [PersonPattern]
    /// The ID in place of the person's where documents stay; nil if all go.
    let newID: String?
    /// The stamp of the last commit before the erasure. Of earlier changes nothing is left.
    let since: Int64

    /// Returns how to erase a document; nil if it is no longer the person's.
    func write(_ document: StoredDocument) -> DocumentWrite? {
        let matching = patterns.filter { $0.matches(document, of: person) }
        if matching.isEmpty { return nil }
        guard let newID else { return DocumentWrite(document.path, .delete) }
        var fields = document.fields
        for pattern in matching {
            guard case .field(let field) = pattern, let privateFields = field.privateFields else { return DocumentWrite(document.path, .delete) }
            for path in privateFields where !path.isName { fields[path] = nil }
        }
        for case .field(let field) in matching { fields[field.field] = .text(ExactName(newID)) }
        return DocumentWrite(document.path, .set(fields, mask: nil))
    }
}

extension DocumentContext {
    /// Deletes or changes documents that are still the person's, and leaves nothing of them in the log. Returns their number.
    ///
    /// Listeners see the commit. Those that resume from before it begin anew.
    func erase(_ paths: [DocumentPath], _ erasure: PersonErasure) throws -> Int {
        let writes = try paths.compactMap { path in try encoded(path, app: erasure.app).map { try $0.decoded(bodies) }.flatMap(erasure.write) }
        if writes.isEmpty { return 0 }
        _ = try commit(DocumentCommit(writes), app: erasure.app)
        for write in writes {
            guard let parent = write.path.parent, let collection = try file.collection(parent, app: erasure.app) else { continue }
            marks.logBytes -= try file.removeChanges(of: StoredID.bytes(write.path.id), in: collection.number, after: erasure.since)
        }
        try file.setLogStart(marks.stamp, app: erasure.app)
        return writes.count
    }

    /// Removes changes from the log of an app, whose log then begins now.
    func forget(_ changes: [ChangePlace], app: AppID) throws {
        for change in changes { marks.logBytes -= try file.removeChange(change) }
        try file.setLogStart(marks.stamp, app: app)
    }
}
