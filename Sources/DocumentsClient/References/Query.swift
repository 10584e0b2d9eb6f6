// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// A value that is a query: a query itself, or a collection.
public protocol QueryConvertible: Sendable {
    /// The query.
    var query: Query { get }
}

/// A query over a collection, or over all collections with an ID.
///
/// ```swift
/// documents.collection("products").where("price", isGreaterThanOrEqualTo: 10).order("price", descending: true).limit(20)
/// ```
///
/// Results are those of Firestore, online and offline. A query that it refuses is an error of the call that reads it.
public struct Query: Sendable, QueryConvertible {
    /// The service that the query belongs to.
    public let documents: Documents
    /// The query as it was written, or the first mistake that was made in it.
    private var written: Result<DocumentQuery, DocumentError>
    /// Whether the limit keeps the last documents of the order.
    fileprivate(set) var keepsLast = false

    /// The query itself.
    public var query: Query { self }

    init(_ collection: CollectionReference) {
        documents = collection.documents
        do throws(DocumentError) {
            if let fault = collection.fault { throw fault }
            let path = try PathCheck.collection(collection.path)
            written = .success(DocumentQuery(collection: path.id, below: path.parent))
        } catch { written = .failure(error) }
    }

    init(documents: Documents, group id: String) {
        self.documents = documents
        do throws(DocumentError) { written = .success(DocumentQuery(collection: try PathCheck.id(id), everyDepth: true)) } catch {
            written = .failure(error)
        }
    }

    /// The query of the model. It has the reverse order if the limit keeps the last documents, which are the first ones then.
    var model: Result<DocumentQuery, DocumentError> {
        guard keepsLast else { return written }
        return written.flatMap { query in
            if query.orders.isEmpty { return .failure(.invalid("A query with limit(toLast:) needs an order.")) }
            var reversed = query
            reversed.orders = query.orders.map { DocumentQuery.Order($0.field, descending: !$0.descending) }
            reversed.start = query.end.map { DocumentQuery.Cursor($0.values, isBefore: !$0.isBefore) }
            reversed.end = query.start.map { DocumentQuery.Cursor($0.values, isBefore: !$0.isBefore) }
            return .success(reversed)
        }
    }

    /// Returns a result of ``model`` in the order of the query.
    func ordered(_ view: FeedView) -> FeedView {
        keepsLast
            ? FeedView(documents: view.documents.reversed(), isFromCache: view.isFromCache, hasPendingWrites: view.hasPendingWrites) : view
    }

    /// Whether a document of a result comes before another one.
    var precedes: (ViewedDocument, ViewedDocument) -> Bool {
        let orders = (try? model.get())?.completeOrders ?? []
        let wanted: Ordering = keepsLast ? .after : .before
        return { DocumentQuery.order($0, $1, by: orders) == wanted }
    }

    func with(_ change: (inout DocumentQuery) throws(DocumentError) -> Void) -> Query {
        guard case .success(var query) = written else { return self }
        var changed = self
        do throws(DocumentError) {
            try change(&query)
            changed.written = .success(query)
        } catch { changed.written = .failure(error) }
        return changed
    }
}

extension QueryConvertible {
    // MARK: Conditions

    /// Adds a condition, which documents must fulfil besides those before.
    public func `where`(_ filter: QueryFilter) -> Query {
        query.with { model throws(DocumentError) in
            let condition = try filter.model()
            if case .and(let filters)? = model.filter {
                model.filter = .and(filters + [condition])
            } else {
                model.filter = model.filter.map { .and([$0, condition]) } ?? condition
            }
        }
    }

    /// Keeps documents whose field equals a value.
    public func `where`(_ field: String, isEqualTo value: FieldValue) -> Query { `where`(.equal(field, value)) }
    /// Keeps documents whose field is there, not null, and another value.
    public func `where`(_ field: String, isNotEqualTo value: FieldValue) -> Query { `where`(.notEqual(field, value)) }
    /// Keeps documents whose field is less than a value of the same type.
    public func `where`(_ field: String, isLessThan value: FieldValue) -> Query { `where`(.less(field, value)) }
    /// Keeps documents whose field is a value of the same type or less.
    public func `where`(_ field: String, isLessThanOrEqualTo value: FieldValue) -> Query { `where`(.lessOrEqual(field, value)) }
    /// Keeps documents whose field is greater than a value of the same type.
    public func `where`(_ field: String, isGreaterThan value: FieldValue) -> Query { `where`(.greater(field, value)) }
    /// Keeps documents whose field is a value of the same type or greater.
    public func `where`(_ field: String, isGreaterThanOrEqualTo value: FieldValue) -> Query { `where`(.greaterOrEqual(field, value)) }
    /// Keeps documents whose field equals one of the values, at most 30.
    public func `where`(_ field: String, in values: [FieldValue]) -> Query { `where`(.in(field, values)) }
    /// Keeps documents whose field is there, not null, and equals none of the values, at most 10.
    public func `where`(_ field: String, notIn values: [FieldValue]) -> Query { `where`(.notIn(field, values)) }
    /// Keeps documents whose field is a list with a value.
    public func `where`(_ field: String, arrayContains value: FieldValue) -> Query { `where`(.arrayContains(field, value)) }
    /// Keeps documents whose field is a list with at least one of the values, at most 30.
    public func `where`(_ field: String, arrayContainsAny values: [FieldValue]) -> Query { `where`(.arrayContainsAny(field, values)) }

    // MARK: Order

    /// Orders by a field. Documents without it are not in the result.
    public func order(_ field: String, descending: Bool = false) -> Query {
        query.with { model throws(DocumentError) in model.orders.append(DocumentQuery.Order(try QueryFilter.path(field), descending: descending)) }
    }

    /// Keeps the first documents only.
    public func limit(_ count: Int) -> Query { limit(count, keepsLast: false) }

    /// Keeps the last documents only, in the order of the query, which must have one.
    public func limit(toLast count: Int) -> Query { limit(count, keepsLast: true) }

    private func limit(_ count: Int, keepsLast: Bool) -> Query {
        var limited = query.with { model throws(DocumentError) in model.limit = count }
        limited.keepsLast = keepsLast
        return limited
    }

    /// Begins with documents whose fields of the orders have these values.
    public func start(at values: [FieldValue]) -> Query { cursor(values) { $0.start = .init($1, isBefore: true) } }
    /// Begins behind documents with these values.
    public func start(after values: [FieldValue]) -> Query { cursor(values) { $0.start = .init($1, isBefore: false) } }
    /// Ends with documents with these values.
    public func end(at values: [FieldValue]) -> Query { cursor(values) { $0.end = .init($1, isBefore: false) } }
    /// Ends before documents with these values.
    public func end(before values: [FieldValue]) -> Query { cursor(values) { $0.end = .init($1, isBefore: true) } }

    /// Begins with a document of an earlier result.
    public func start(at document: DocumentSnapshot) -> Query { cursor(document) { $0.start = .init($1, isBefore: true) } }
    /// Begins behind a document of an earlier result, for the next page.
    public func start(after document: DocumentSnapshot) -> Query { cursor(document) { $0.start = .init($1, isBefore: false) } }
    /// Ends with a document of an earlier result.
    public func end(at document: DocumentSnapshot) -> Query { cursor(document) { $0.end = .init($1, isBefore: false) } }
    /// Ends before a document of an earlier result.
    public func end(before document: DocumentSnapshot) -> Query { cursor(document) { $0.end = .init($1, isBefore: true) } }

    private func cursor(_ values: [FieldValue], _ set: (inout DocumentQuery, [DocumentValue]) -> Void) -> Query {
        query.with { model throws(DocumentError) in
            let orders = model.completeOrders
            if values.isEmpty { throw .invalid("A cursor has no values.") }
            if values.count > orders.count { throw .invalid("A cursor has more values than the query has orders.") }
            var stored: [DocumentValue] = []
            for (order, value) in zip(orders, values) {
                switch value {
                // An ID stands for the name in a query that is ordered by it.
                case .text(let id) where order.field.isName: stored.append(try QueryFilter.name(id, in: model))
                case .reference: stored.append(try value.stored())
                default:
                    if order.field.isName { throw .invalid("The value of a cursor is no ID, and the query is ordered by IDs there.") }
                    stored.append(try value.stored())
                }
            }
            set(&model, stored)
        }
    }

    private func cursor(_ document: DocumentSnapshot, _ set: (inout DocumentQuery, [DocumentValue]) -> Void) -> Query {
        query.with { model throws(DocumentError) in
            guard let viewed = document.viewed else { throw .invalid("A cursor's document does not exist: \(document.reference.path)") }
            guard model.covers(viewed.path) else { throw .invalid("A cursor's document is of another collection: \(viewed.path)") }
            model.orders = model.completeOrders
            var values: [DocumentValue] = []
            for order in model.orders {
                guard let value = viewed.value(at: order.field) else {
                    throw .invalid("A cursor's document has no field \(order.field), by which the query is ordered.")
                }
                values.append(value)
            }
            set(&model, values)
        }
    }

    // MARK: Results

    /// Returns the result.
    ///
    /// - Parameter source: The place that it comes from.
    public func get(source: DocumentSource = .default) async throws(DocumentError) -> QuerySnapshot {
        let query = query
        let view = try await query.documents.engine().read(.query(try query.model.get()), source)
        return QuerySnapshot(query, SnapshotFeed.Step(view: view, previous: nil))
    }

    /// Streams the result as it changes, beginning with what is known now.
    ///
    /// - Parameter includeMetadataChanges: Whether a snapshot is also sent when only `isFromCache` or `hasPendingWrites` has changed.
    public func snapshots(includeMetadataChanges: Bool = false) -> AsyncThrowingStream<QuerySnapshot, any Error> {
        let query = query
        return listenerStream(
            query.documents, { () throws(DocumentError) in .query(try query.model.get()) }, includesMetadata: includeMetadataChanges
        ) { [QuerySnapshot(query, $0)] }
    }

    /// Returns the number of documents in the result. Like all aggregates it needs the daemon.
    public func count() async throws(DocumentError) -> Int {
        try await aggregate(["n": .count])["n"]?.int ?? 0
    }

    /// Returns numbers over the documents of the result, at most five, by names of your own. Documents without a field of one do not count.
    public func aggregate(_ aggregates: [String: QueryAggregate]) async throws(DocumentError) -> [String: FieldValue] {
        var wanted: [(name: String, aggregate: Aggregate)] = []
        for (name, aggregate) in aggregates.sorted(by: { $0.key < $1.key }) { wanted.append((name, try aggregate.model())) }
        let query = query
        return try await query.documents.engine().aggregates(wanted, over: try query.model.get()).mapValues(FieldValue.init)
    }
}

/// A number over a result.
public enum QueryAggregate: Sendable, Hashable {
    /// The number of documents.
    case count
    /// The sum of a field's numbers; 0 if no document has one.
    case sum(String)
    /// Null if no document has a number.
    case average(String)
    /// The least number of a field; null if no document has one.
    case minimum(String)
    /// The greatest number of a field; null if no document has one.
    case maximum(String)

    func model() throws(DocumentError) -> Aggregate {
        switch self {
        case .count: .count(upTo: nil)
        case .sum(let field): .sum(try QueryFilter.path(field))
        case .average(let field): .average(try QueryFilter.path(field))
        case .minimum(let field): .minimum(try QueryFilter.path(field))
        case .maximum(let field): .maximum(try QueryFilter.path(field))
        }
    }
}
