// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel

/// One version of the database: that of a read transaction, or an earlier one made with the log.
///
///     log after 10:00    a: {n: 1} → {n: 2},  b: none → {n: 5},  c: {n: 9} → none
///     now                a {n: 2}, b {n: 5}
///     at 10:00           a {n: 1}, c {n: 9}
struct DocumentView {
    let file: DocumentDB
    let app: AppID
    let bodies: BodyReader
    private let indexFields: IndexFields?
    /// The stamp of the last commit of this version.
    let stamp: DocumentTime
    /// The stamp of the last commit of the file.
    let newest: DocumentTime
    /// The time of the read, which rules see.
    let time: DocumentTime
    /// Whether the version is earlier than the file's.
    private let isPast: Bool

    /// - Parameter time: The stamp of a version; nil for that of the file.
    init(
        _ file: DocumentDB, app: AppID, _ bodies: BodyReader, at time: DocumentTime?, now: Timestamp, indexFields: IndexFields? = nil
    ) throws {
        (self.file, self.app, self.bodies, self.indexFields) = (file, app, bodies, indexFields)
        guard let newest = DocumentTime(microseconds: try file.mark(.stamp)) else { throw DocumentError.damaged }
        self.newest = newest
        stamp = min(time ?? newest, newest)
        isPast = stamp < newest
        self.time = DocumentTime(microseconds: now.milliseconds * 1_000) ?? newest
        guard let time else { return }
        let clock = now.milliseconds * 1_000
        if time.microseconds > max(clock + 1_000, newest.microseconds) { throw ReadFault.future }
        // The newest commit may be older than what can be read of the past, and a reader may have its stamp from a moment ago.
        if time == newest { return }
        let oldest = clock - DocumentBounds.pastKept.milliseconds * 1_000
        if time.microseconds < oldest, try !file.isNewestStamp(time.microseconds, at: oldest) { throw ReadFault.tooOld }
        if isPast, time.microseconds < (try file.logStart(of: app)) { throw ReadFault.tooOld }
    }

    func document(_ path: DocumentPath) throws -> StoredDocument? { try encoded(path)?.decoded(bodies) }

    func encoded(_ path: DocumentPath) throws -> EncodedDocument? {
        guard path.isDocument, let parent = path.parent, let collection = try file.collection(parent, app: app) else { return nil }
        if isPast, let change = try file.firstChange(of: path.id, in: collection.number, after: stamp.microseconds) {
            return try change.before.map { try EncodedDocument($0, in: parent) }
        }
        return try file.document(path.id, in: collection.number).map { try EncodedDocument($0, in: parent) }
    }

    /// Reads a document as it is now. Rules ask for such documents also about a read of an earlier version, as a right may be lost since.
    func newest(_ path: DocumentPath) throws -> EncodedDocument? {
        guard path.isDocument, let parent = path.parent, let collection = try file.collection(parent, app: app) else { return nil }
        return try file.document(path.id, in: collection.number).map { try EncodedDocument($0, in: parent) }
    }

    /// Calls a function with the documents of a collection, until it returns false. Those of an earlier version are in no order.
    ///
    /// - Parameters:
    ///   - descending: The order of the names; nil for none.
    ///   - earlier: The states of an earlier version; nil for the version of the file.
    func rows(of collection: CollectionRow, descending: Bool?, _ earlier: EarlierStates?, while body: (ScannedRow) throws -> Bool) throws {
        guard var places = earlier?.places else {
            guard let descending else { return try file.unorderedRows(of: collection) { try body(ScannedRow($0)) } }
            return try file.rows(of: collection.number, descending: descending) { try body(ScannedRow($0)) }
        }
        var wantsMore = true
        func takeEarlier(_ place: ChangePlace) throws {
            wantsMore = try file.withStateBefore(place) { try $0.isNull(3) || body(ScannedRow($0)) } ?? true
        }
        try file.rows(of: collection.number) { row in
            if let place = places.removeValue(forKey: row.bytes(0)) {
                try takeEarlier(place)
            } else {
                wantsMore = try body(ScannedRow(row))
            }
            return wantsMore
        }
        for place in places.values where wantsMore { try takeEarlier(place) }
    }

    /// Returns how a query is answered. An earlier version is always scanned.
    func plan(_ query: DocumentQuery) throws -> IndexPlan? {
        guard !isPast, let collection = query.collection else { return nil }
        let indexes = try file.indexes(of: app, collection: collection, known: indexFields).filter(\.isReady)
        guard !indexes.isEmpty, case .index(let scans) = QueryPlan(query, with: indexes.map(\.shape)) else { return nil }
        let place = query.everyDepth ? nil : try file.collections(of: query, app: app).first?.number
        return IndexPlan(
            parts: scans.compactMap { scan in
                guard let index = indexes.first(where: { $0.shape == scan.shape }), place != nil || query.everyDepth else { return nil }
                return IndexPlan.Part(scan, prefix: index.prefix(place ?? 0))
            })
    }

    /// Returns counts of whole collections without examining their documents; nil for other aggregates.
    func counts(_ aggregates: [Aggregate], of query: DocumentQuery) throws -> [DocumentValue]? {
        let isWhole = query.filter == nil && query.orders.isEmpty && query.start == nil && query.end == nil && query.limit == nil && query.offset == 0
        guard !isPast, isWhole else { return nil }
        guard let limits = countLimits(aggregates) else { return nil }
        let documents = try file.collections(of: query, app: app).reduce(0) { $0 + $1.documents }
        return limits.map { .integer(min(documents, Int64($0 ?? .max))) }
    }

    /// Returns counts of entries if each of them is of a document in the result; nil otherwise.
    func counts(_ aggregates: [Aggregate], of query: DocumentQuery, by plan: IndexPlan) throws -> [DocumentValue]? {
        guard query.limit == nil, query.offset == 0, plan.parts.count == 1, plan.parts[0].scan.isExact, let limits = countLimits(aggregates) else {
            return nil
        }
        let count = try file.entryCount(from: plan.parts[0].lower, to: plan.parts[0].upper)
        return limits.map { .integer(min(count, Int64($0 ?? .max))) }
    }

    /// The limits of counts; nil if there are other aggregates.
    private func countLimits(_ aggregates: [Aggregate]) -> [Int?]? {
        let limits: [Int?] = aggregates.compactMap { if case .count(let limit) = $0 { .some(limit) } else { nil } }
        return limits.count == aggregates.count ? limits : nil
    }

    /// Returns the places of the states that an earlier version had of documents changed since; nil for the version of the file.
    ///
    /// Throws `ReadFault.tooExpensive` if there are too many changes, or their IDs have too many bytes. States are read one by one.
    func earlierStates(in collection: CollectionRow, atMost rows: Int, bytes: Int) throws -> EarlierStates? {
        guard isPast else { return nil }
        var states = EarlierStates()
        var rest = bytes
        try file.changedIDs(of: collection.number, after: stamp.microseconds) { id, place in
            states.changes += 1
            if states.places[id] == nil {
                states.places[id] = place
                rest -= id.count + EarlierStates.placeBytes
            }
            if states.changes > rows || rest < 0 { throw ReadFault.tooExpensive(examined: states.changes) }
            return true
        }
        return states
    }

    /// Whether documents come in the order of their IDs.
    var isOrdered: Bool { !isPast }
}

/// Where the log has the states of a collection's documents before their first changes after a stamp.
struct EarlierStates {
    /// The memory of a place without its ID.
    static let placeBytes = 64

    var places: [[UInt8]: ChangePlace] = [:]
    /// The changes that were read to find them.
    var changes = 0
}
