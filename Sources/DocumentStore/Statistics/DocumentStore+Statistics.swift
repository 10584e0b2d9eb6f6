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
        package let size: DocumentSize
        package var growth: [DocumentGrowth] = []
    }

    package let size: DocumentSize
    /// The number of patterns of documents that belong to persons.
    package let personPatterns: Int
    package let growth: [DocumentGrowth]
    /// The sizes at the ends of earlier days, oldest first.
    package let days: [(day: Day, size: DocumentSize)]
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
        let today = Day(of: clock.now())
        return try await read(app, at: nil) { view in
            let (whole, earlier) = (try view.file.size(of: app), try view.file.earlierSizes(of: app, before: today))
            var collections = try view.file.largestGroups(of: app)
            for index in collections.indices { collections[index].growth = earlier.compactMap { $0.growth(to: collections[index]) } }
            let patterns = try view.file.setting(.persons, app: app, view.bodies).map(PersonPattern.patterns) ?? []
            return DocumentStatistics(
                size: whole, personPatterns: patterns.count, growth: earlier.map { $0.growth(to: whole) },
                days: try view.file.daySizes(of: app, before: today),
                collections: collections, indexes: try view.file.indexes(of: app), queries: queries)
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
