// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import AcrossStores
@testable import AppDirectory
@testable import Database
@testable import DocumentStore
@testable import EventStore

/// A running document store with a manual clock and an app.
struct DocumentWorld {
    static let start = Timestamp(milliseconds: 1_795_260_500_000)

    let stores: Stores
    let clock: ManualClock
    let app: AppID

    var store: DocumentStore { stores.documents }

    static func run<T: Sendable>(
        in folder: TemporaryFolder = TemporaryFolder(), _ clock: ManualClock = ManualClock(start), _ bounds: DocumentBounds = DocumentBounds(),
        _ body: @Sendable (DocumentWorld) async throws -> T
    ) async throws -> T {
        var options = StoreOptions()
        options.documents = bounds
        return try await withStore(in: folder, options: options, clock: clock.clock) { stores in
            let known = stores.events.directory.now.apps.keys.min()
            var app = known ?? AppID(rawValue: 0)
            if known == nil { app = try await stores.events.createAppWithKeys(named: "shop").0.id }
            return try await body(DocumentWorld(stores: stores, clock: clock, app: app))
        }
    }

    func commit(_ writes: DocumentWrite..., if reads: [DocumentCommit.Read] = []) async throws -> CommitResult {
        var commit = DocumentCommit(writes)
        commit.reads = reads
        return try await store.commit(commit, app: app)
    }

    func document(_ text: String, at time: DocumentTime? = nil) async throws -> StoredDocument? {
        try await store.documents([try Self.path(text)], app: app, at: time).documents[0]
    }

    func ids(_ query: DocumentQuery, at time: DocumentTime? = nil, _ budget: QueryBudget = QueryBudget()) async throws -> [String] {
        try await store.run(query, app: app, at: time, budget).documents.map(\.path.description)
    }

    /// Why a commit is refused; nil if it is not.
    func fault(of commit: DocumentCommit) async -> CommitFault? {
        do {
            _ = try await store.commit(commit, app: app)
            return nil
        } catch { return error as? CommitFault }
    }

    /// Why a query is refused; nil if it is not.
    func fault(of query: DocumentQuery, _ budget: QueryBudget) async -> ReadFault? {
        do {
            _ = try await store.run(query, app: app, budget)
            return nil
        } catch { return error as? ReadFault }
    }

    static func path(_ text: String) throws -> DocumentPath { try #require(DocumentPath(text)) }

    static func set(_ text: String, _ fields: [(ExactName, DocumentValue)], if condition: DocumentWrite.Precondition? = nil) throws -> DocumentWrite {
        DocumentWrite(try path(text), .set(try self.fields(fields), mask: nil), if: condition)
    }

    static func fields(_ fields: [(ExactName, DocumentValue)]) throws -> DocumentFields {
        try #require(DocumentFields(fields.map { DocumentFields.Field($0.0, $0.1) }))
    }

    static func query(_ collection: String, everyDepth: Bool = false) -> DocumentQuery {
        DocumentQuery(collection: PathSegment(collection), everyDepth: everyDepth)
    }
}
