// SPDX-License-Identifier: Apache-2.0

import Platform
import SQLite
import SignalboxDocumentModel

/// Reads a page of the log.
///
/// The log has states before changes. The state after a change is the state before the document's next change, or that of now:
///
///     10-0  a: none → …     before none   after: before of 12-0
///     12-0  a: {n: 1} → …   before {n: 1} after: the document of now, whose version is 12
///
/// An erasure may have removed the row that has a state. A change without its result is left out then.
struct FeedReading {
    /// The rows that a page examines.
    private static let rows = 20_000

    private struct Key: Hashable {
        let collection: Int64
        let id: [UInt8]
    }

    private struct Entry {
        let row: DocumentDB.FeedRow
        let collection: DocumentPath
        var after: StoredDocument?
    }

    private let view: DocumentView
    private let scope: ChangeScope
    private let searched: Duration
    /// The stamp up to which an erasure may have removed rows.
    private let erased: Int64
    private var entries: [Entry] = []
    /// The entries that lack the state after the change.
    private var open: [Key: Int] = [:]
    /// The entries whose states after the change were erased.
    private var lost: Set<Int> = []
    private var next: ChangePlace
    private var isCurrent = true
    private var bytes = 0

    /// - Parameter searched: The time for which the log is searched for states after changes. Changes without one are left to the next page.
    init(_ view: DocumentView, _ scope: ChangeScope, behind place: ChangePlace, erased: Int64, searching searched: Duration) {
        (self.view, self.scope, next, self.erased, self.searched) = (view, scope, place, erased, searched)
    }

    mutating func page(limit: Int, bytes most: Int) throws -> ChangePage {
        var rows = 0
        isCurrent = true
        var number: Int64?
        if case .collection(let path) = scope {
            number = try view.file.collection(path, app: view.app)?.number
            if number == nil { return ChangePage(changes: [], next: end, isCurrent: true) }
        }
        try view.file.feed(behind: next, of: number) { row in
            if entries.count == limit || bytes >= most || rows == Self.rows {
                isCurrent = false
                return false
            }
            rows += 1
            next = row.place
            if row.app == view.app.rawValue { try take(row) }
            return true
        }
        if isCurrent { next = end }
        try close()
        return ChangePage(changes: try entries.map(change), next: next, isCurrent: isCurrent)
    }

    /// The position behind all that the view has.
    private var end: ChangePlace { next.stamp > view.stamp.microseconds ? next : ChangePlace(stamp: view.stamp.microseconds, n: .max) }

    private mutating func take(_ row: DocumentDB.FeedRow) throws {
        guard let collection = DocumentPath(row.path) else { throw DocumentError.damaged }
        guard scope.covers(collection) else { return }
        let key = Key(collection: row.collection, id: row.id)
        if let earlier = open.removeValue(forKey: key) {
            let stamp = entries[earlier].row.place.stamp
            if stamp > erased || row.before?.version == stamp {
                entries[earlier].after = try row.before?.document(in: collection, view.bodies)
            } else {
                lost.insert(earlier)
            }
        }
        if row.kind != .deleted { open[key] = entries.count }
        bytes += 2 * (row.before?.body.count ?? 0) + 256
        entries.append(Entry(row: row, collection: collection))
    }

    /// Finds the states after the last changes of documents: those of now, else those before changes behind the page.
    private mutating func close() throws {
        for (key, index) in open {
            guard let id = StoredID.segment(key.id), let row = try view.file.document(id, in: key.collection) else { continue }
            guard row.version == entries[index].row.place.stamp else { continue }
            entries[index].after = try row.document(in: entries[index].collection, view.bodies)
            open[key] = nil
        }
        let end = ContinuousClock.now + searched
        // The first change of a page is searched for until it is found.
        let first = open.first { $0.value == 0 }?.key.collection
        if let first { try search(first, until: end) }
        for collection in Set(open.keys.map(\.collection)).sorted() where collection != first { try search(collection, until: end) }
        if let lacking = open.values.min() {
            if lacking == 0 { throw DocumentError.damaged }
            (isCurrent, next) = (false, entries[lacking - 1].row.place)
            entries.removeSubrange(lacking...)
        }
        if !lost.isEmpty { entries = entries.indices.filter { !lost.contains($0) }.map { entries[$0] } }
    }

    /// Searches the log behind the page for states after its last changes of a collection's documents.
    private mutating func search(_ collection: Int64, until end: ContinuousClock.Instant) throws {
        var missing = Set(open.keys.lazy.filter { $0.collection == collection }.map(\.id))
        if missing.isEmpty { return }
        var (rows, isCut) = (0, false)
        try view.file.statesBefore(changesOf: collection, behind: next) { id, version, row in
            rows += 1
            let key = Key(collection: collection, id: id)
            if missing.contains(id), let index = open[key], version == entries[index].row.place.stamp {
                let before = DocumentRow(id: id, created: row.integer(2), version: version, body: row.bytes(3))
                entries[index].after = try before.document(in: entries[index].collection, view.bodies)
                missing.remove(id)
                open[key] = nil
            }
            isCut = rows.isMultiple(of: 1_000) && .now > end && open.values.min() != 0
            return !missing.isEmpty && !isCut
        }
        if isCut { return }
        for id in missing {
            let key = Key(collection: collection, id: id)
            guard let index = open[key], entries[index].row.place.stamp <= erased else { continue }
            (lost, open[key]) = (lost.union([index]), nil)
        }
    }

    private func change(_ entry: Entry) throws -> LoggedChange {
        guard let id = StoredID.segment(entry.row.id), let path = DocumentPath(entry.collection.segments + [id]) else { throw DocumentError.damaged }
        return LoggedChange(
            place: entry.row.place, kind: entry.row.kind, path: path, before: try entry.row.before?.document(in: entry.collection, view.bodies),
            after: entry.after, depth: entry.row.depth)
    }
}
