// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import DocumentStore
import Firestore
import HTTPServer
import JSON
import Platform
import SignalboxDocumentModel

/// Lists of the Firestore API: documents of a collection, collections, and parts of queries.
struct FirestoreLists: FirestoreService {
    private static let mostPage = 1_000
    private static let mostPartitions = 1_000

    @Sendable static func of(_ daemon: Daemon) -> FirestoreLists { FirestoreLists(reads: daemon.integrations.firestoreReads) }

    let reads: FirestoreReads
    private var documents: Documents { reads.documents }

    /// A page of a list: documents, and those that are not there but have documents below them.
    private struct Page {
        var found: [StoredDocument]
        var missing: [DocumentPath] = []

        /// The paths of both, in order.
        var paths: [DocumentPath] { (found.map(\.path) + missing).sorted() }
    }

    /// Returns a page of a collection.
    func list(_ request: FirestoreCall, _ path: DocumentPath, _ moment: FirestoreReads.Moment) async throws -> HTTPResponse {
        let (size, showsMissing) = (try request.pageSize(most: Self.mostPage), try request.flag("showMissing"))
        let mask = try request.mask("mask").map { FieldSelection($0) }
        let query = try self.query(request, path, size, showsMissing)
        let app = request.app.id
        let result = try await documents.store.documents.run(
            query, app: app, at: moment.at, as: request.principal, documents.budget(of: request.call.caller))
        try reads.note(query, result.stamp, moment, request)
        guard showsMissing else { return page(request, result.documents, query.completeOrders, size, mask) }
        let missing = try await documents.store.documents.missing(
            in: path, after: Self.lastID(query), limit: size, app: app, at: result.stamp)
        return page(request, Page(found: result.documents, missing: missing), size, mask)
    }

    private func query(_ request: FirestoreCall, _ path: DocumentPath, _ size: Int, _ showsMissing: Bool) throws -> DocumentQuery {
        var query = DocumentQuery(collection: path.id, below: path.parent)
        query.orders = try FirestoreOrder.read(request.parameter("orderBy") ?? "")
        if showsMissing, request.principal != nil { throw FirestoreFault.denied }
        if showsMissing, !query.orders.isEmpty { throw FirestoreFault(.invalidArgument, "cannot specify an order when show_missing is true") }
        query.limit = size
        if let token = try request.parameter("pageToken"), !token.isEmpty { query.start = try FirestorePage.cursor(token, request.database) }
        if showsMissing, query.start != nil, Self.lastID(query) == nil { throw FirestoreFault(.invalidArgument, "invalid page token") }
        do throws(QueryFault) { try query.validate() } catch { throw FirestoreFault(error) }
        return query
    }

    /// The ID of the document after which a list in the order of names begins.
    private static func lastID(_ query: DocumentQuery) -> PathSegment? {
        guard case .reference(let last)? = query.start?.values.first else { return nil }
        return last.path.id
    }

    private func page(
        _ request: FirestoreCall, _ found: [StoredDocument], _ orders: [DocumentQuery.Order], _ size: Int, _ mask: FieldSelection?
    ) -> HTTPResponse {
        request.answer { writer in
            writer.json.beginObject()
            if !found.isEmpty {
                writer.json.key("documents")
                writer.json.beginArray()
                for document in found { writer.document(document.answered.masked(mask)) }
                writer.json.endArray()
            }
            // Whether there are more is known with the next page only, as rules see the limit.
            if let document = found.last, found.count == size {
                let last = orders.map { document.value(at: $0.field) ?? .null }
                writer.json.field("nextPageToken", FirestorePage.token(last, request.database))
            }
            writer.json.endObject()
        }
    }

    private func page(_ request: FirestoreCall, _ page: Page, _ size: Int, _ mask: FieldSelection?) -> HTTPResponse {
        let found = Dictionary(uniqueKeysWithValues: page.found.map { ($0.path, $0) })
        let paths = page.paths
        return request.answer { writer in
            writer.json.beginObject()
            if !paths.isEmpty {
                writer.json.key("documents")
                writer.json.beginArray()
                for path in paths.prefix(size) {
                    if let document = found[path] { writer.document(document.answered.masked(mask)) } else { writer.missing(path) }
                }
                writer.json.endArray()
            }
            if paths.count >= size {
                writer.json.field("nextPageToken", FirestorePage.token([.reference(DocumentReference(paths[size - 1]))], request.database))
            }
            writer.json.endObject()
        }
    }

    func collections(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered {
            let request = try FirestoreCall(call, documents)
            let (parent, asked) = (try request.parent(), try request.reader().listCollectionIDs())
            let size = asked.pageSize > 0 ? min(asked.pageSize, Self.mostPage) : Self.mostPage
            let after = asked.pageToken.isEmpty ? nil : PathSegment(asked.pageToken)
            if after == nil, !asked.pageToken.isEmpty { throw FirestoreFault(.invalidArgument, "invalid page token") }
            let moment = try reads.moment(asked.moment, request)
            let found = try await documents.store.documents.collections(
                below: parent, app: request.app.id, after: after, limit: size + 1, at: moment.at)
            return request.answer { writer in
                writer.json.beginObject()
                if !found.isEmpty { writer.json.field("collectionIds", found.prefix(size).map(\.text.text)) }
                if found.count > size { writer.json.field("nextPageToken", found[size - 1].text.text) }
                writer.json.endObject()
            }
        }
    }

    /// Returns cursors that divide a query over a collection group.
    func partitions(_ call: Call) async throws -> HTTPResponse {
        try await FirestoreFault.answered {
            let request = try FirestoreCall(call, documents)
            let asked = try request.reader().partitionQuery(below: request.parent())
            let most = min(asked.count, Self.mostPartitions)
            let given = try Self.given(asked.pageToken)
            let moment = try reads.moment(asked.moment, request)
            let points = try await documents.store.documents.partition(asked.query, atMost: most, app: request.app.id, at: moment.at)
            let left = points.dropFirst(given)
            let page = asked.pageSize > 0 ? left.prefix(asked.pageSize) : left
            return request.answer { writer in
                writer.json.beginObject()
                if !page.isEmpty {
                    writer.json.key("partitions")
                    writer.json.beginArray()
                    for point in page { writer.cursor([.reference(DocumentReference(point))], isBefore: true) }
                    writer.json.endArray()
                }
                if page.count < left.count { writer.json.field("nextPageToken", String(given + page.count)) }
                writer.json.endObject()
            }
        }
    }

    /// The number of partitions on the pages before the one of a token. Pages may be of different moments: cursors from anywhere
    /// in the collection group divide it.
    private static func given(_ token: String) throws(FirestoreFault) -> Int {
        if token.isEmpty { return 0 }
        guard let given = Int(token), 1..<mostPartitions ~= given else { throw FirestoreFault(.invalidArgument, "invalid page token") }
        return given
    }
}
