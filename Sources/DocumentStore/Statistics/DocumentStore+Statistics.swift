// SPDX-License-Identifier: Apache-2.0

import Database
import Listening
package import Platform
import SQLite
import SignalboxDocumentModel

/// The size of an app's documents: structure and counts, never values.
package struct DocumentStatistics: Sendable {
    /// All collections with an ID.
    package struct Collections: Sendable {
        package let id: String
        package let collections: Int
        package let documents: Int
        package let bytes: Int64
    }

    package let documents: Int
    package let bytes: Int64
    /// The largest, by ID.
    package let collections: [Collections]
    package let indexes: [StoredIndex]
    /// The queries that cost most since the start of the daemon.
    package let queries: [QueryShapeCost]
}

/// The queries that streams of an app listen to.
package struct ListenStatistics: Sendable {
    package struct Shape: Sendable {
        package let shape: String
        /// The different queries and documents.
        package var targets: Int
        /// The targets of all streams.
        package var listeners: Int
    }

    package let streams: Int
    package let targets: Int
    package let listeners: Int
    /// The most listened to.
    package let shapes: [Shape]
}

extension DocumentStore {
    private static let collectionsListed = 100
    private static let queriesListed = 50

    /// Notes what a query cost, and makes the indexes that queries like it lack. A failure leaves them to the next query.
    func learn(from query: DocumentQuery, _ answered: QueryShapes.Answered, app: AppID, teaches: Bool) async {
        let lacking = shapes.note(query, answered, app: app, teaches: teaches)
        if lacking.isEmpty { return }
        let reason = "\(answered.examined) documents examined for \(answered.results): \(query.shape)"
        // The writer's thread resumes whoever waits for it, and must not go on with the response.
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            try? await change(app) { try $0.learn(lacking, why: reason, app: app) }
        }
    }

    package func statistics(of app: AppID) async throws -> DocumentStatistics {
        let queries = Array(shapes.costs(of: app).prefix(Self.queriesListed))
        return try await read(app, at: nil) { view in
            let whole = try view.file.size(of: app)
            return DocumentStatistics(
                documents: whole.documents, bytes: whole.bytes, collections: try view.file.largestGroups(of: app, atMost: Self.collectionsListed),
                indexes: try view.file.indexes(of: app), queries: queries)
        }
    }
}

extension DocumentDB {
    fileprivate func size(of app: AppID) throws -> (documents: Int, bytes: Int64) {
        try statement("SELECT sum(documents), sum(bytes) FROM collections WHERE app = ?").first(.integer(app.rawValue)) {
            ($0.int(0), $0.integer(1))
        } ?? (0, 0)
    }

    fileprivate func largestGroups(of app: AppID, atMost limit: Int) throws -> [DocumentStatistics.Collections] {
        try statement(
            """
            SELECT grp, count(*), sum(documents), sum(bytes) FROM collections WHERE app = ? AND documents > 0
            GROUP BY grp ORDER BY 4 DESC, 1 LIMIT ?
            """
        ).all(.integer(app.rawValue), .integer(Int64(limit))) { row in
            DocumentStatistics.Collections(id: row.text(0), collections: row.int(1), documents: row.int(2), bytes: row.integer(3))
        }
    }
}

extension DocumentListening {
    private static let shapesListed = 50

    package func statistics(of app: AppID) -> ListenStatistics {
        let (streams, targets) = listened(app)
        var shapes: [String: ListenStatistics.Shape] = [:]
        for (target, listeners) in targets {
            let text = target.shape
            shapes[text, default: ListenStatistics.Shape(shape: text, targets: 0, listeners: 0)].targets += 1
            shapes[text]?.listeners += listeners
        }
        let sorted = shapes.values.sorted { ($1.listeners, $0.shape) < ($0.listeners, $1.shape) }
        return ListenStatistics(
            streams: streams, targets: targets.count, listeners: targets.reduce(0) { $0 + $1.listeners },
            shapes: Array(sorted.prefix(Self.shapesListed)))
    }
}

extension ListenTarget {
    fileprivate var shape: String {
        switch kind {
        case .document(let path): path.shape
        case .query(let query): query.shape
        }
    }
}
