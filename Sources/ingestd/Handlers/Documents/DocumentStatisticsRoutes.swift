// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import DocumentStore
import Events
import HTTPServer
import Platform
import SignalboxDocumentModel

/// Sizes, costs and listeners of an app's documents: structure and counts, never values or IDs of documents.
struct DocumentStatisticsRoutes: Sendable {
    let store: Stores

    static let routes = [
        Route(.get, "/v1/documents:statistics", .role(.read), .task(\.documentStatistics, DocumentStatisticsRoutes.statistics)),
        Route(.get, "/v1/documents:listeners", .role(.read), .task(\.documentStatistics, DocumentStatisticsRoutes.listeners)),
    ]

    func statistics(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        return try .json(DocumentStatisticsResponse(try await store.documents.statistics(of: app)))
    }

    func listeners(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store).id
        return try .json(DocumentListenersResponse(store.documents.listening.statistics(of: app)))
    }
}

extension DocumentStatisticsResponse {
    fileprivate init(_ found: DocumentStatistics) {
        self.init(
            documents: found.size.documents, bytes: found.size.bytes, indexBytes: found.indexes.reduce(0) { $0 + $1.bytes },
            personPatterns: found.personPatterns, growth: found.growth.map(Growth.init),
            days: found.days.map { DaySize(day: $0.day.text, documents: $0.size.documents, bytes: $0.size.bytes) },
            collections: found.collections.map { one in
                Collection(
                    collection: one.id, collections: one.collections, documents: one.size.documents, bytes: one.size.bytes,
                    growth: one.growth.map(Growth.init))
            },
            indexes: found.indexes.map(Index.init),
            queries: found.queries.map { query in
                Query(
                    shape: query.shape, queries: query.queries, examined: query.examined, results: query.results,
                    slowestMilliseconds: Int(query.slowest / .milliseconds(1)), usesIndex: query.usesIndex)
            })
    }
}

extension DocumentStatisticsResponse.Growth {
    fileprivate init(_ growth: DocumentGrowth) {
        self.init(days: growth.days, documents: growth.change.documents, bytes: growth.change.bytes)
    }
}

extension DocumentStatisticsResponse.Index {
    fileprivate init(_ index: StoredIndex) {
        self.init(
            collection: index.shape.collection.text.text, group: index.shape.scope == .group,
            fields: index.shape.fields.map { "\($0.path)\($0.kind == .ascending ? "" : $0.kind == .descending ? " desc" : " contains")" },
            origin: .known(DocumentIndexOrigin(index.origin)), reason: index.reason.isEmpty ? nil : index.reason, progress: index.progress,
            entries: index.entries, bytes: index.bytes, lastUsedAt: index.used.milliseconds > 0 ? Moment(index.used) : nil)
    }
}

extension DocumentIndexOrigin {
    init(_ origin: StoredIndex.Origin) {
        switch origin {
        case .declared: self = .declared
        case .expiry: self = .ttl
        case .learned: self = .learned
        }
    }
}

extension DocumentListenersResponse {
    fileprivate init(_ found: ListenStatistics) {
        self.init(
            streams: found.streams, targets: found.targets, listeners: found.listeners,
            shapes: found.shapes.map { Shape(shape: $0.shape, targets: $0.targets, listeners: $0.listeners) })
    }
}
