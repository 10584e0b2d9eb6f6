// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel

extension DocumentContext {
    /// The documents that are read, or the entries that are added, before the next look at the time.
    private static let builtAtOnce = 32
    /// The bytes of documents, and the entries of them, after which there is a look at the time as well.
    private static let (bytesAtOnce, entriesAtOnce) = (64 << 10, 400)

    /// Changes the entries of a document in all indexes of its collection.
    func updateEntries(_ change: Preparation.Change, _ number: Int64, in collection: Int64, app: AppID) throws {
        guard let group = change.path.parent?.id else { return }
        var count = 0
        for index in try indexes(of: app)[group] ?? [] {
            let (old, new) = (index.entries(of: change.before, in: collection), index.entries(of: change.after, in: collection))
            count += new.count
            if count > DocumentBounds.entries { throw CommitFault.tooManyEntries(change.path) }
            try set(index, removing: old.subtracting(new), adding: new.subtracting(old), of: number)
        }
    }

    /// Removes and adds entries. Those that an unfinished index lacks, or has already, do not count.
    private func set(_ index: StoredIndex, removing old: Set<IndexEntry>, adding new: Set<IndexEntry>, of number: Int64) throws {
        var change = IndexGrowth(index: index.number)
        for entry in old where try file.remove(entry) { change.count(entry, -1) }
        for entry in new where try file.add(entry, of: number) { change.count(entry, 1) }
        if change.entries != 0 || change.bytes != 0 { growth.append(change) }
    }

    private func indexes(of app: AppID) throws -> [PathSegment: [StoredIndex]] {
        if let known = indexesByApp[app] { return known }
        let found = Dictionary(grouping: try file.indexes(of: app), by: \.shape.collection)
        indexesByApp[app] = found
        return found
    }

    /// Makes the indexes that an app wants and lacks, and drops the others, except those that documents expire by.
    func declare(_ declaration: IndexDeclaration, app: AppID) throws {
        let earlier = try file.setting(.expiry, app: app, bodies).map(ExpiryField.fields) ?? []
        let expiry = try declaration.expiry(after: earlier)
        if expiry != earlier {
            try file.set(.expiry, ExpiryField.stored(expiry), app: app)
            (expiryByApp, mustExpire) = (nil, true)
        }
        try file.set(.exemptions, IndexExemption.stored(declaration.exemptions), app: app)
        try keep(declared: declaration.shapes, expiry: expiry, app: app)
    }

    /// The fields by which queries teach no index.
    func exemptions(of app: AppID) throws -> [IndexExemption] {
        try file.setting(.exemptions, app: app, bodies).map(IndexExemption.exemptions) ?? []
    }

    /// Makes and drops indexes until an app has those that are declared, and those that documents expire by. An index may be both.
    func keep(declared shapes: [IndexShape], expiry: [ExpiryField], app: AppID) throws {
        let (known, exemptions) = (try file.indexes(of: app), try self.exemptions(of: app))
        var wanted = Dictionary(expiry.map { ($0.shape, StoredIndex.Origin.expiry) }) { $1 }
        for shape in shapes { wanted[shape] = .declared }
        for index in known {
            // A learned index stays; the writer drops it when no query has read it for a while.
            let staysLearned = index.origin == .learned && !exemptions.contains { $0.covers(index.shape) }
            guard let origin = wanted[index.shape] ?? (staysLearned ? .learned : nil) else {
                try file.drop(index)
                continue
            }
            if origin != index.origin { try file.set(origin, of: index) }
        }
        for shape in shapes + expiry.map(\.shape) where !known.contains(where: { $0.shape == shape }) {
            guard let origin = wanted.removeValue(forKey: shape) else { continue }
            try file.addIndex(shape, origin, app: app, at: now)
        }
        indexesByApp[app] = nil
        hasIndexesToBuild = true
    }

    /// Goes on with an index that lacks entries, until a slice of time is over. Returns whether there was one.
    ///
    /// - Parameter isOver: Tells a step's end whether commits wait, or the slice is long enough.
    func buildSome(until isOver: () -> Bool) throws -> Bool {
        guard let (index, app) = try file.indexToBuild() else {
            indexRun = nil
            return false
        }
        var run = indexRun.flatMap { $0.index.number == index.number ? $0 : nil } ?? IndexRun(index)
        indexRun = nil
        repeat {
            if try !build(&run, app) { return true }
        } while !isOver()
        indexRun = run
        return true
    }

    /// Makes a step of a run. Returns false after the last one.
    private func build(_ run: inout IndexRun, _ app: AppID) throws -> Bool {
        if run.isReading {
            try read(&run, app)
        } else if !run.isAdded {
            for (entry, number) in run.next(Self.builtAtOnce) { try set(run.index, removing: [], adding: [entry], of: number) }
        } else {
            guard let changed = run.nextChanged() else {
                try file.setBuilt(run.index, through: run.readThrough)
                gauges.indexBuilds.add()
                return false
            }
            try addEntries(of: changed, to: run.index, app)
        }
        return true
    }

    /// Reads documents until they are many or large, or have many entries.
    private func read(_ run: inout IndexRun, _ app: AppID) throws {
        var last = min(run.readThrough + Int64(Self.builtAtOnce), run.index.until)
        var (bytes, entries) = (0, 0)
        try file.documents(of: app, group: run.index.shape.collection, numbers: run.readThrough + 1...last) { row, collection, number in
            let found = run.index.entries(of: try row.document(in: collection.path, bodies), in: collection.number)
            run.read(found, of: number)
            (bytes, entries) = (bytes + row.body.count, entries + found.count)
            if bytes < Self.bytesAtOnce, entries < Self.entriesAtOnce { return true }
            last = number
            return false
        }
        run.read(through: last)
    }

    /// Adds the entries that a document has now.
    private func addEntries(of number: Int64, to index: StoredIndex, _ app: AppID) throws {
        try file.documents(of: app, group: index.shape.collection, numbers: number...number) { row, collection, number in
            let entries = index.entries(of: try row.document(in: collection.path, bodies), in: collection.number)
            try set(index, removing: [], adding: entries, of: number)
            return true
        }
    }
}
