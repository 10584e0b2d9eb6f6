// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import DocumentStore
import Firestore
import HTTPServer
import Platform
import SignalboxDocumentModel

/// Reads of documents and queries of the Firestore API.
struct FirestoreReads: FirestoreService {
    @Sendable static func of(_ daemon: Daemon) -> FirestoreReads { daemon.integrations.firestoreReads }

    private static let getParameters: Set = [
        "mask.fieldPaths", "transaction", "readTime", "pageSize", "pageToken", "orderBy", "showMissing",
    ]

    let documents: Documents
    let transactions: FirestoreTransactions

    /// A read's version of the database, and the transaction that it belongs to.
    struct Moment {
        var at: DocumentTime?
        var transaction: [UInt8]?
        var isNew = false
        /// The hold of a repeated transaction.
        var hold: HeldDocuments.Request?
    }

    func moment(_ moment: FirestoreMoment, _ request: FirestoreCall) throws -> Moment {
        let owner = request.owner
        switch moment {
        case .latest: return Moment()
        case .time(let time): return Moment(at: time)
        case .transaction(let id):
            return Moment(at: try transactions.time(of: id, owner), transaction: id, hold: try transactions.holdRequest(of: id, owner))
        case .newTransaction(let options):
            let id = try transactions.begin(options, owner, request.call.countedClient)
            return Moment(
                at: try transactions.time(of: id, owner), transaction: id, isNew: true, hold: try transactions.holdRequest(of: id, owner))
        }
    }

    /// Returns a document, or a page of a collection.
    func get(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered {
            let request = try FirestoreCall(call, documents, taking: Self.getParameters)
            let (path, moment) = (try request.path(), try self.moment(request.moment(), request))
            let lists = FirestoreLists(reads: self)
            guard path.isDocument else { return try await lists.list(request, path, moment) }
            let mask = try request.mask("mask")
            let found = try await read([path], selecting: mask, moment, request)
            guard let document = found.documents[0] else {
                throw FirestoreFault(.notFound, "Document \"\(request.database.name(of: path))\" not found.")
            }
            return try request.answer(reserving: document.bytes) { try $0.document(document) }
        }
    }

    private func read(
        _ paths: [DocumentPath], selecting mask: [FieldPath]?, _ moment: Moment, _ request: FirestoreCall
    ) async throws -> DocumentsResult<EncodedDocument> {
        let (found, _) = try await documents.holds.read(moment.hold, for: request.holding, paths: { _ in paths }) {
            try await documents.store.documents.encodedDocuments(
                paths, selecting: mask, app: request.app.id, at: moment.at, as: request.principal)
        }
        if let id = moment.transaction {
            let read = zip(paths, found.documents).map { (path: $0, version: $1?.version) }
            try transactions.note(read, at: found.stamp, in: id, request.owner)
        }
        return found
    }

    /// Notes a query of a transaction.
    func note(_ query: DocumentQuery, _ stamp: DocumentTime, _ moment: Moment, _ request: FirestoreCall) throws {
        guard let id = moment.transaction else { return }
        try transactions.note(query, bytes: request.call.request.body.count, at: stamp, in: id, request.owner)
    }

    func batchGet(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered(inStream: true) {
            let request = try FirestoreCall(call, documents)
            let get = try request.reader().batchGet()
            // A document that is named twice is in the answer once.
            var named: Set<DocumentPath> = []
            let paths = get.documents.filter { named.insert($0).inserted }
            let moment = try self.moment(get.moment, request)
            let found = try await read(paths, selecting: get.mask, moment, request)
            let response = try request.stream { writer in
                if moment.isNew, let id = moment.transaction { writer.began(id) }
                for (path, document) in zip(paths, found.documents) {
                    guard let document else {
                        writer.missing(path, at: found.stamp)
                        continue
                    }
                    try writer.found(at: found.stamp) { try $0.document(document) }
                }
            }
            return naming(moment, response, request)
        }
    }

    /// Returns a response that may name a new transaction, which ends if the client does not learn of it.
    private func naming(_ moment: Moment, _ response: HTTPResponse, _ request: FirestoreCall) -> HTTPResponse {
        guard moment.isNew, let id = moment.transaction else { return response }
        var response = response
        response.whenDropped = { [transactions, holds = documents.holds, owner = request.owner] in
            if let hold = try? transactions.cancel(id, owner) { holds.end(hold) }
        }
        return response
    }

    func query(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered(inStream: true) {
            let request = try FirestoreCall(call, documents)
            let asked = try request.reader().runQuery(below: request.parent())
            if let plan = try await plan(asked.query, asked.explanation, request) { return plan }
            let (moment, started) = (try self.moment(asked.moment, request), ContinuousClock.now)
            let (found, _) = try await documents.holds.read(moment.hold, for: request.holding, paths: { $0.documents.map(\.path) }) {
                try await documents.store.documents.encoded(
                    asked.query, app: request.app.id, at: moment.at, as: request.principal, documents.budget(of: call.caller))
            }
            try note(asked.query, found.stamp, moment, request)
            let response = try request.stream(reserving: found.documents.reduce(256) { $0 + $1.bytes }) { writer in
                if moment.isNew, let id = moment.transaction { writer.began(id) }
                if found.documents.isEmpty, asked.explanation == nil { writer.queriedNothing(at: found.stamp) }
                for (index, document) in found.documents.enumerated() {
                    let isLast = index == found.documents.count - 1 && asked.explanation == nil
                    try writer.queried(at: found.stamp, isLast: isLast) { try $0.document(document) }
                }
                guard asked.explanation != nil else { return }
                let statistics = FirestoreExplained.Statistics(results: found.documents.count, examined: found.examined, duration: .now - started)
                writer.explained(FirestoreExplained(indexes: found.indexes, of: asked.query, statistics), at: found.stamp)
            }
            return naming(moment, response, request)
        }
    }

    func aggregate(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered(inStream: true) {
            let request = try FirestoreCall(call, documents)
            let asked = try request.reader().runAggregationQuery(below: request.parent())
            if let plan = try await plan(asked.query, asked.explanation, request) { return plan }
            let (moment, started) = (try self.moment(asked.moment, request), ContinuousClock.now)
            let found = try await documents.store.documents.aggregate(
                asked.aggregates.map(\.aggregate), over: asked.query, app: request.app.id, at: moment.at, as: request.principal,
                documents.budget(of: call.caller))
            try note(asked.query, found.stamp, moment, request)
            return request.stream { writer in
                if moment.isNew, let id = moment.transaction { writer.began(id) }
                writer.aggregated(zip(asked.aggregates, found.values).map { (alias: $0.alias, value: $1) }, at: found.stamp)
                guard asked.explanation != nil else { return }
                let statistics = FirestoreExplained.Statistics(results: 1, examined: found.examined, duration: .now - started)
                writer.explained(FirestoreExplained(indexes: found.indexes, of: asked.query, statistics), at: found.stamp)
            }
        }
    }

    /// Returns the plan of a query, if that alone is asked for.
    ///
    /// The number of examined documents includes those that rules hide, so only servers get explanations.
    private func plan(_ query: DocumentQuery, _ explanation: FirestoreExplanation?, _ request: FirestoreCall) async throws -> HTTPResponse? {
        guard let explanation else { return nil }
        if request.principal != nil { throw FirestoreFault.denied }
        guard explanation == .plan else { return nil }
        let indexes = try await documents.store.documents.indexes(for: query, app: request.app.id)
        return request.stream { $0.explained(FirestoreExplained(indexes: indexes, of: query, nil), at: nil) }
    }

    func begin(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered {
            let request = try FirestoreCall(call, documents)
            let options = try request.reader().beginTransaction()
            // A time that cannot be read is refused here, and not by the first read.
            if case .readOnly(let time?) = options { _ = try await documents.store.documents.documents([], app: request.app.id, at: time) }
            let id = try transactions.begin(options, request.owner, call.countedClient)
            return request.answer { $0.began(id) }
        }
    }

    func rollback(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered {
            let request = try FirestoreCall(call, documents)
            if let hold = try transactions.cancel(request.reader().rollback(), request.owner) { documents.holds.end(hold) }
            return request.done
        }
    }
}

extension StoredDocument {
    var answered: FirestoreDocument { FirestoreDocument(path, fields, created: created, updated: version) }
}
