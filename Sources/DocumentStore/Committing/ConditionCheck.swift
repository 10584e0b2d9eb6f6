// SPDX-License-Identifier: Apache-2.0

import Database
import Platform
import SQLite
import SignalboxDocumentModel

/// Looks in the log for changes of documents that the queries of a commit find, within a budget.
///
///     100 changes since the query    examined by the writer, within the commit
///     50,000 changes                 the writer gives up; a reader examines them, and the writer those made meanwhile
///     more                           the commit conflicts, and its client reads anew
final class ConditionCheck {
    /// The work for all conditions of a commit.
    struct Budget {
        /// The rows of the log, counted for each query, and the documents that are read beside them.
        var rows: Int
        /// The bytes of documents that are compared.
        var bytes: Int

        /// The budget on the writer's thread, for which all commits wait.
        static let ofWriter = Budget(rows: 2_000, bytes: 1 << 20)
        /// The budget on a reader for commits of servers.
        static let ofServer = Budget(rows: 1_000_000, bytes: 256 << 20)

        /// The budget on a reader.
        ///
        /// - Parameter rows: The documents that a query of the client may examine; nil for a server.
        static func ofReader(_ rows: Int?) -> Budget { rows.map { Budget(rows: $0, bytes: 64 << 20) } ?? .ofServer }
    }

    /// Thrown when the budget is used up.
    struct Exceeded: Error {}

    private typealias Taking = (_ row: Row, _ collection: Int64, _ path: DocumentPath) throws -> Bool

    private let file: DocumentDB
    private let bodies: BodyReader
    private let app: AppID
    private let logStart: Int64
    private let isOnWriter: Bool
    private var budget: Budget
    /// The collections of the app by number; nil for those of other apps.
    private var paths: [Int64: DocumentPath?] = [:]

    /// - Parameter isOnWriter: Whether the log of all apps is read for a query of a group. With few changes that is less work than to go
    ///   through its collections, which may be any number.
    init(_ file: DocumentDB, app: AppID, _ bodies: BodyReader, _ budget: Budget, isOnWriter: Bool) throws {
        (self.file, self.app, self.bodies, self.budget, self.isOnWriter) = (file, app, bodies, budget, isOnWriter)
        logStart = try file.logStart(of: app)
    }

    /// Whether a document that matches the query, before or after, was changed since its stamp, or the log no longer reaches back to it.
    func isChanged(_ condition: DocumentCommit.Condition) throws -> Bool {
        let (query, stamp) = (condition.query, condition.stamp.microseconds)
        if stamp < logStart { return true }
        let (orders, fields) = (query.completeOrders, ScannedFields(query.comparedFields))
        var seen: Set<PlacedID> = []
        var isFound = false
        let matches = { [self] (row: Row, path: DocumentPath) throws in
            let document = try ScannedDocument(ScannedRow(row), in: path, fields, bodies)
            try spend(rows: 0, bytes: document.bodyBytes)
            return query.covers(document.path) && query.selects(document, ordered: orders)
        }
        try eachChange(of: query, after: stamp) { [self] row, collection, path in
            isFound = try !row.isNull(3) && matches(row, path)
            if isFound { return false }
            let id = row.bytes(0)
            guard seen.insert(PlacedID(collection: collection, id: id)).inserted else { return true }
            try spend(rows: 1)
            isFound = try file.withRow(of: id, in: collection) { try matches($0, path) } ?? false
            return !isFound
        }
        return isFound
    }

    private struct PlacedID: Hashable {
        let collection: Int64
        let id: [UInt8]
    }

    /// Calls a function with the changes in the collections of a query until it returns false. The row has the columns of a document, as it was.
    private func eachChange(of query: DocumentQuery, after stamp: Int64, while take: Taking) throws {
        if isOnWriter, query.everyDepth || query.collection == nil {
            let covers = { (path: DocumentPath) in query.collection.map { $0 == path.id } ?? true }
            return try file.changedRows(after: stamp) { [self] row, collection in
                try spend(rows: 1)
                guard let path = try path(of: collection), covers(path) else { return true }
                return try take(row, collection, path)
            }
        }
        var goesOn = true
        for collection in try file.collections(of: query, app: app) where goesOn {
            try spend(rows: 1)
            try file.changedRows(of: collection.number, after: stamp) { [self] row in
                try spend(rows: 1)
                goesOn = try take(row, collection.number, collection.path)
                return goesOn
            }
        }
    }

    private func spend(rows: Int, bytes: Int = 0) throws {
        budget.rows -= rows
        budget.bytes -= bytes
        if budget.rows < 0 || budget.bytes < 0 { throw Exceeded() }
    }

    private func path(of collection: Int64) throws -> DocumentPath? {
        if let known = paths[collection] { return known }
        let path = try file.path(of: collection, app: app)
        paths[collection] = .some(path)
        return path
    }
}
