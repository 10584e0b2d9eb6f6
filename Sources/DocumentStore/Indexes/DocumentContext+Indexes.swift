// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel

extension DocumentContext {
    /// The documents that get entries in one transaction, so that writes do not wait for long.
    private static let builtAtOnce: Int64 = 500

    /// Changes the entries of a document in all indexes of its collection.
    func updateEntries(_ change: Preparation.Change, _ number: Int64, in collection: Int64, app: AppID) throws {
        guard let group = change.path.parent?.id else { return }
        var count = 0
        for index in try indexes(of: app)[group] ?? [] {
            let (old, new) = (index.entries(of: change.before, in: collection), index.entries(of: change.after, in: collection))
            count += new.count
            if count > DocumentBounds.entries { throw CommitFault.tooManyEntries(change.path) }
            for entry in old.subtracting(new) { try file.remove(entry) }
            for entry in new.subtracting(old) { try file.add(entry, of: number) }
        }
    }

    private func indexes(of app: AppID) throws -> [PathSegment: [StoredIndex]] {
        if let known = indexesByApp[app] { return known }
        let found = Dictionary(grouping: try file.indexes(of: app), by: \.shape.collection)
        indexesByApp[app] = found
        return found
    }

    /// Makes the indexes that an app wants and lacks, and drops the others.
    func declare(_ shapes: [IndexShape], app: AppID) throws {
        let known = try file.indexes(of: app)
        for index in known where !shapes.contains(index.shape) { try file.drop(index) }
        for shape in shapes where !known.contains(where: { $0.shape == shape }) { try file.addIndex(shape, app: app, at: now) }
        indexesByApp[app] = nil
        hasIndexesToBuild = true
    }

    /// Adds entries of some documents to an index that lacks them. Returns whether there was one.
    func buildSome() throws -> Bool {
        guard let (index, app) = try file.indexToBuild() else { return false }
        let last = min(index.built + Self.builtAtOnce, index.until)
        try file.documents(of: app, group: index.shape.collection, numbers: index.built + 1...last) { row, collection, number in
            let document = try row.document(in: collection.path, bodies)
            for entry in index.entries(of: document, in: collection.number) { try file.add(entry, of: number) }
        }
        try file.setBuilt(index, through: last)
        return true
    }
}
