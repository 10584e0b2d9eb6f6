// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel

/// The database as the writer's changes see it, with the numbers that belong to the last commit.
package final class DocumentContext {
    struct Marks: Equatable {
        /// The stamp of the last commit, in microseconds.
        var stamp: Int64
        /// The bytes of the change log.
        var logBytes: Int64
        /// The stamp of the newest change that is no longer in the log.
        var logStart: Int64
    }

    let file: DocumentDB
    let bodies: BodyReader
    let gauges: DocumentGauges
    let ruleCache: RuleCache
    private let clock: WallClock
    var marks: Marks
    /// Whether the writer looks for indexes without entries between commits.
    var hasIndexesToBuild = true
    /// The index that is being built, with its entries in memory.
    var indexRun: IndexRun?
    /// The indexes of apps by the ID of their collections.
    var indexesByApp: [AppID: [PathSegment: [StoredIndex]]] = [:]
    /// Whether the writer looks for expired documents now.
    var mustExpire = true
    /// The fields by which documents expire; nil if they must be read.
    var expiryByApp: [(AppID, [ExpiryField])]?
    /// The apps whose rules the transaction set.
    var ruledApps: Set<AppID> = []
    /// The commits of the transaction, for listeners.
    var committed: [CommittedDocuments.Commit] = []
    /// At least the number of clients in the file whose batches all had no writes, by app; none if they must be counted.
    var clientsWithoutWrites: [AppID: Int] = [:]
    /// The growth of indexes in the transaction, written once for a group of commits.
    var growth: [IndexGrowth] = []
    /// The growth of collections in the transaction, likewise.
    var collectionGrowth: [CollectionGrowth] = []
    /// The numbers of collections that the transaction used.
    private var collectionNumbers: [AppID: [DocumentPath: Int64]] = [:]
    private var written: Marks

    init(_ file: DocumentDB, _ bodies: BodyReader, _ gauges: DocumentGauges, _ ruleCache: RuleCache, _ clock: WallClock) throws {
        (self.file, self.bodies, self.gauges, self.ruleCache, self.clock) = (file, bodies, gauges, ruleCache, clock)
        marks = Marks(stamp: try file.mark(.stamp), logBytes: try file.mark(.logBytes), logStart: try file.mark(.logStart))
        written = marks
        gauges.logBytes.set(Double(marks.logBytes))
    }

    var now: Timestamp { clock.now() }

    /// Returns the stamp of a new commit: the time, but always after the last stamp.
    func nextStamp() throws -> DocumentTime {
        marks.stamp = max(now.milliseconds * 1_000, marks.stamp + 1)
        guard let stamp = DocumentTime(microseconds: marks.stamp) else { throw DocumentError.damaged }
        return stamp
    }

    /// Writes the marks that changed, once for a group of commits.
    ///
    /// - Parameter always: Whether the stamp is written even if it did not change, so that the transaction writes something.
    func writeMarks(always: Bool) throws {
        if always || marks.stamp != written.stamp { try file.set(.stamp, marks.stamp) }
        if marks.logBytes != written.logBytes { try file.set(.logBytes, marks.logBytes) }
        if marks.logStart != written.logStart { try file.set(.logStart, marks.logStart) }
        try file.add(growth)
        try file.add(collectionGrowth)
        (growth, collectionGrowth) = ([], [])
    }

    /// Ends a transaction: its marks are durable, or those before it hold again.
    func end(isCommitted: Bool) {
        collectionNumbers = [:]
        if isCommitted {
            written = marks
        } else {
            (marks, indexesByApp, indexRun, expiryByApp, growth, collectionGrowth) = (written, [:], nil, nil, [], [])
            clientsWithoutWrites = [:]
            ruleCache.forget(ruledApps)
        }
        ruledApps = []
        gauges.logBytes.set(Double(marks.logBytes))
    }

    /// The state to go back to when a change fails within the transaction.
    struct Point {
        fileprivate let marks: Marks
        fileprivate let commits: Int
        fileprivate let growth: Int
        fileprivate let collectionGrowth: Int
        fileprivate let clientsWithoutWrites: [AppID: Int]
    }

    var point: Point {
        Point(
            marks: marks, commits: committed.count, growth: growth.count, collectionGrowth: collectionGrowth.count,
            clientsWithoutWrites: clientsWithoutWrites)
    }

    func go(back point: Point) {
        (marks, clientsWithoutWrites) = (point.marks, point.clientsWithoutWrites)
        committed.removeLast(committed.count - point.commits)
        growth.removeLast(growth.count - point.growth)
        collectionGrowth.removeLast(collectionGrowth.count - point.collectionGrowth)
        forgetCollections()
    }

    /// Forgets the numbers of collections, one of which is not there any longer.
    func forgetCollections() { collectionNumbers = [:] }

    /// Returns the number of a collection; nil if there is none.
    func number(of collection: DocumentPath, app: AppID) throws -> Int64? {
        if let known = collectionNumbers[app]?[collection] { return known }
        let number = try file.collection(collection, app: app)?.number
        collectionNumbers[app, default: [:]][collection] = number
        return number
    }

    /// Returns the number of a collection, which is made if there is none.
    func numberOrNew(of collection: DocumentPath, app: AppID) throws -> Int64 {
        if let number = try number(of: collection, app: app) { return number }
        let number = try file.addCollection(collection, app: app)
        collectionNumbers[app, default: [:]][collection] = number
        return number
    }

    /// Reads a document.
    func encoded(_ path: DocumentPath, app: AppID) throws -> EncodedDocument? {
        guard path.isDocument, let parent = path.parent, let collection = try number(of: parent, app: app) else { return nil }
        return try file.document(path.id, in: collection).map { try EncodedDocument($0, in: parent) }
    }

    /// Returns the bytes of a document's stored fields, which are not read; 0 if it is not there.
    func bodyBytes(_ path: DocumentPath, app: AppID) throws -> Int {
        guard path.isDocument, let parent = path.parent, let collection = try number(of: parent, app: app) else { return 0 }
        return Int(try file.bodyBytes(of: path.id, in: collection) ?? 0)
    }
}
