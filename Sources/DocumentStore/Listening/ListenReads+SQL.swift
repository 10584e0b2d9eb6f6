// SPDX-License-Identifier: Apache-2.0

import Database
import Listening
import Platform
import SignalboxDocumentModel

extension DocumentStore {
    /// Makes a read for listeners, of the newest version.
    func answer(_ read: ListenRead, app: AppID) async throws -> ListenAnswer {
        switch (read.what, read.target.kind) {
        case (.result, .document(let path)):
            let found = try await documents([path], app: app)
            return .result(found.documents.compactMap { $0.map(ListenedDocument.init) }, at: found.stamp.microseconds)
        case (.result(let most), .query(var query)):
            (query.offset, query.limit) = (0, most == .max ? nil : most)
            let found = try await run(query, app: app)
            return .result(found.documents.map(ListenedDocument.init), at: found.stamp.microseconds)
        case (.changes(let since), let kind):
            return try await self.read(app, at: nil) { view in
                guard let changes = try view.changes(of: kind, after: since) else { return .gone }
                return .changes(changes, at: max(view.stamp.microseconds, since))
            }
        }
    }
}

extension DocumentView {
    /// The most rows of the log that are read for a stream that resumes.
    private static let rowsToResume = 100_000

    /// Returns the changes of documents that a target may be about, each from its state after a stamp to that of now. Nil if the log begins
    /// later, or has too many.
    fileprivate func changes(of target: ListenTarget.Kind, after since: Int64) throws -> [DocumentChange]? {
        if try file.mark(.logStart) > since { return nil }
        switch target {
        case .document(let path):
            guard let parent = path.parent, let collection = try file.collection(parent, app: app),
                let change = try file.firstChange(of: path.id, in: collection.number, after: since)
            else { return [] }
            return [try net(change, path, in: collection)]
        case .query(let query):
            var (rows, changes) = (0, [DocumentChange]())
            for collection in try file.collections(of: query, app: app) {
                var first: [[UInt8]: ChangeRow] = [:]
                try file.changes(of: collection.number, after: since) { change in
                    rows += 1
                    if first[change.id] == nil { first[change.id] = change }
                    return rows <= DocumentView.rowsToResume
                }
                if rows > DocumentView.rowsToResume { return nil }
                for (id, change) in first {
                    guard let segment = StoredID.segment(id), let path = DocumentPath(collection.path.segments + [segment]) else { continue }
                    changes.append(try net(change, path, in: collection))
                }
            }
            return changes
        }
    }

    private func net(_ change: ChangeRow, _ path: DocumentPath, in collection: CollectionRow) throws -> DocumentChange {
        DocumentChange(
            path, before: try change.before?.document(in: collection.path, bodies).asListened,
            after: try file.document(path.id, in: collection.number)?.document(in: collection.path, bodies).asListened)
    }
}

extension StoredDocument {
    fileprivate var asListened: ListenedDocument { ListenedDocument(self) }
}
