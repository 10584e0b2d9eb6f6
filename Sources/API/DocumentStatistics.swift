// SPDX-License-Identifier: Apache-2.0

package import Events

/// Why documents have an index.
package enum DocumentIndexOrigin: String, PublicName, CaseIterable {
    case declared
    /// Documents expire by it.
    case ttl
    /// Queries examined too many documents without it.
    case learned
}

/// The size of an app's documents and its growth, their indexes, and the queries that cost most.
package struct DocumentStatisticsResponse: Codable, Sendable {
    /// The change since the end of the day of UTC that was some days ago.
    package struct Growth: Codable, Sendable {
        package var days: Int
        package var documents: Int
        package var bytes: Int64

        package init(days: Int, documents: Int, bytes: Int64) {
            (self.days, self.documents, self.bytes) = (days, documents, bytes)
        }
    }

    /// The size at the end of a day.
    package struct DaySize: Codable, Sendable {
        /// A day of UTC, such as `2026-11-26`.
        package var day: String
        package var documents: Int
        package var bytes: Int64

        package init(day: String, documents: Int, bytes: Int64) {
            (self.day, self.documents, self.bytes) = (day, documents, bytes)
        }
    }

    /// All collections with an ID.
    package struct Collection: Codable, Sendable {
        package var collection: String
        package var collections: Int
        package var documents: Int
        package var bytes: Int64
        /// Over 1, 7 and 30 days, as far as sizes reach back.
        package var growth: [Growth]

        package init(collection: String, collections: Int, documents: Int, bytes: Int64, growth: [Growth]) {
            self.collection = collection
            self.collections = collections
            self.documents = documents
            self.bytes = bytes
            self.growth = growth
        }
    }

    package struct Index: Codable, Sendable {
        package var collection: String
        /// Whether it has the documents of all collections with the ID.
        package var group: Bool
        /// Paths of fields, with ` desc` or ` contains`.
        package var fields: [String]
        package var origin: Named<DocumentIndexOrigin>
        /// Only of learned indexes.
        package var reason: String?
        package var progress: Double
        package var entries: Int
        package var bytes: Int64
        package var lastUsedAt: Moment?

        package init(
            collection: String, group: Bool, fields: [String], origin: Named<DocumentIndexOrigin>, reason: String?, progress: Double, entries: Int,
            bytes: Int64, lastUsedAt: Moment?
        ) {
            self.collection = collection
            self.group = group
            self.fields = fields
            self.origin = origin
            self.reason = reason
            self.progress = progress
            self.entries = entries
            self.bytes = bytes
            self.lastUsedAt = lastUsedAt
        }
    }

    /// The queries of one shape since the start of the daemon.
    package struct Query: Codable, Sendable {
        package var shape: String
        package var queries: Int
        package var examined: Int
        package var results: Int
        package var slowestMilliseconds: Int
        /// Whether the last one read an index.
        package var usesIndex: Bool

        package init(shape: String, queries: Int, examined: Int, results: Int, slowestMilliseconds: Int, usesIndex: Bool) {
            self.shape = shape
            self.queries = queries
            self.examined = examined
            self.results = results
            self.slowestMilliseconds = slowestMilliseconds
            self.usesIndex = usesIndex
        }
    }

    package var documents: Int
    package var bytes: Int64
    package var indexBytes: Int64
    /// The patterns that say which documents belong to persons. Without any, erasures leave all documents.
    package var personPatterns: Int
    package var growth: [Growth]
    /// Oldest first, without today.
    package var days: [DaySize]
    package var collections: [Collection]
    package var indexes: [Index]
    package var queries: [Query]

    package init(
        documents: Int, bytes: Int64, indexBytes: Int64, personPatterns: Int, growth: [Growth], days: [DaySize], collections: [Collection],
        indexes: [Index], queries: [Query]
    ) {
        self.documents = documents
        self.bytes = bytes
        self.indexBytes = indexBytes
        self.personPatterns = personPatterns
        self.growth = growth
        self.days = days
        self.collections = collections
        self.indexes = indexes
        self.queries = queries
    }
}

/// The streams that listen to an app's documents.
package struct DocumentListenersResponse: Codable, Sendable {
    package struct Shape: Codable, Sendable {
        package var shape: String
        /// The different queries and documents.
        package var targets: Int
        package var listeners: Int

        package init(shape: String, targets: Int, listeners: Int) {
            self.shape = shape
            self.targets = targets
            self.listeners = listeners
        }
    }

    package var streams: Int
    package var targets: Int
    /// The targets of all streams.
    package var listeners: Int
    package var shapes: [Shape]

    package init(streams: Int, targets: Int, listeners: Int, shapes: [Shape]) {
        self.streams = streams
        self.targets = targets
        self.listeners = listeners
        self.shapes = shapes
    }
}
