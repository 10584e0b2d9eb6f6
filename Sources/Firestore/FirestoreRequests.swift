// SPDX-License-Identifier: Apache-2.0

import JSON
package import SignalboxDocumentModel

/// The state of the database that a read sees.
package enum FirestoreMoment: Hashable, Sendable {
    case latest
    case time(DocumentTime)
    case transaction([UInt8])
    /// The read begins a transaction, whose ID is in the answer.
    case newTransaction(FirestoreTransaction)
}

/// The options of a transaction.
package enum FirestoreTransaction: Hashable, Sendable {
    case readWrite(retryOf: [UInt8]?)
    case readOnly(at: DocumentTime?)
}

package struct FirestoreCommit: Hashable, Sendable {
    package let writes: [DocumentWrite]
    package let transaction: [UInt8]?
}

package struct FirestoreGet: Hashable, Sendable {
    package let documents: [DocumentPath]
    /// The fields that are returned; nil for all.
    package let mask: [FieldPath]?
    package let moment: FirestoreMoment
}

/// The parts of an explanation of how a result was found.
package enum FirestoreExplanation: Hashable, Sendable {
    /// The indexes, without the result.
    case plan
    /// The indexes and what was examined, beside the result.
    case analysis
}

package struct FirestoreQuery: Hashable, Sendable {
    package let query: DocumentQuery
    package let moment: FirestoreMoment
    package let explanation: FirestoreExplanation?
}

package struct FirestoreAggregation: Hashable, Sendable {
    package struct Named: Hashable, Sendable {
        package let alias: String
        package let aggregate: Aggregate
    }

    package let query: DocumentQuery
    package let aggregates: [Named]
    package let moment: FirestoreMoment
    package let explanation: FirestoreExplanation?
}

package struct FirestorePartitions: Hashable, Sendable {
    package let query: DocumentQuery
    package let count: Int
    package let pageSize: Int
    package let pageToken: String
    package let moment: FirestoreMoment
}

package struct FirestoreCollections: Hashable, Sendable {
    package let pageSize: Int
    package let pageToken: String
    package let moment: FirestoreMoment
}

/// Bodies of the methods. Each is the whole document of the tape.
extension ProtoReader {
    private static let moments = ["transaction", "newTransaction", "readTime"]
    private static let maximumReads = 10_000

    package func commit() throws(FirestoreFault) -> FirestoreCommit {
        let members = try message(0, "CommitRequest", ["writes", "transaction", "database"])
        let writes = try FirestoreCommit.checked(try writes(members["writes"]))
        return FirestoreCommit(writes: writes, transaction: try transaction(members["transaction"]))
    }

    /// A batch whose writes are made one by one. Each concerns another document. One that can never be made makes the batch invalid.
    package func batchWrite() throws(FirestoreFault) -> [DocumentWrite] {
        let members = try message(0, "BatchWriteRequest", ["writes", "labels", "database"])
        let writes = try writes(members["writes"])
        for write in writes { if case .set(let fields, _) = write.change { try FirestoreFault.valid(fields, as: write.path) } }
        guard Set(writes.map(\.path)).count == writes.count else {
            throw .invalid("the same document cannot be written more than once in a single request")
        }
        return writes
    }

    package func batchGet() throws(FirestoreFault) -> FirestoreGet {
        let members = try message(0, "BatchGetDocumentsRequest", ProtoReader.moments + ["documents", "mask", "database"])
        var documents: [DocumentPath] = []
        for place in try elements(members["documents"]) { documents.append(try database.document(try text(place))) }
        if documents.count > ProtoReader.maximumReads { throw .invalid("A request reads at most \(ProtoReader.maximumReads) documents.") }
        let mask = try mask(members["mask"])
        try ProtoReader.check(mask ?? [], "mask")
        return FirestoreGet(documents: documents, mask: mask, moment: try moment(members))
    }

    package func runQuery(below parent: DocumentPath?) throws(FirestoreFault) -> FirestoreQuery {
        let members = try message(0, "RunQueryRequest", ProtoReader.moments + ["structuredQuery", "parent", "explainOptions"])
        guard let query = members["structuredQuery"] else { throw .invalid("only structured queries are supported") }
        return FirestoreQuery(
            query: try self.query(query, below: parent), moment: try moment(members), explanation: try explanation(members["explainOptions"]))
    }

    package func runAggregationQuery(below parent: DocumentPath?) throws(FirestoreFault) -> FirestoreAggregation {
        let known = ProtoReader.moments + ["structuredAggregationQuery", "parent", "explainOptions"]
        let members = try message(0, "RunAggregationQueryRequest", known)
        guard let outer = members["structuredAggregationQuery"] else { throw .invalid("only structured queries are supported") }
        let inner = try message(outer, "StructuredAggregationQuery", ["structuredQuery", "aggregations"])
        guard let place = inner["structuredQuery"] else { throw .invalid("only structured queries are supported") }
        let (query, named) = (try query(place, below: parent), try aggregates(inner["aggregations"]))
        if query.select != nil, named.contains(where: { $0.aggregate.field != nil }) {
            throw .invalid("Cannot apply property masks when aggregation fields are present.")
        }
        return FirestoreAggregation(
            query: query, aggregates: named, moment: try moment(members), explanation: try explanation(members["explainOptions"]))
    }

    package func beginTransaction() throws(FirestoreFault) -> FirestoreTransaction {
        let members = try message(0, "BeginTransactionRequest", ["options", "database"])
        return try members["options"].map { index throws(FirestoreFault) in try options(index) } ?? .readWrite(retryOf: nil)
    }

    /// Returns the transaction's ID.
    package func rollback() throws(FirestoreFault) -> [UInt8] {
        guard let index = try message(0, "RollbackRequest", ["transaction", "database"])["transaction"] else {
            throw .invalid("Invalid transaction.")
        }
        return try bytes(index)
    }

    package func listCollectionIDs() throws(FirestoreFault) -> FirestoreCollections {
        let members = try message(0, "ListCollectionIdsRequest", ["pageSize", "pageToken", "readTime", "parent"])
        let size = try count(members["pageSize"]) ?? 0
        if size < 0 { throw .invalid("page_size must be greater than or equal to zero.") }
        return FirestoreCollections(
            pageSize: size, pageToken: try text(members["pageToken"]) ?? "", moment: try moment(members))
    }

    package func partitionQuery(below parent: DocumentPath?) throws(FirestoreFault) -> FirestorePartitions {
        let known = ["structuredQuery", "partitionCount", "pageToken", "pageSize", "readTime", "parent"]
        let members = try message(0, "PartitionQueryRequest", known)
        guard let query = members["structuredQuery"] else { throw .invalid("only structured queries are supported") }
        let count = try self.count(members["partitionCount"]) ?? 0
        if count <= 0 { throw .invalid("partition_count must be positive.") }
        let size = try self.count(members["pageSize"]) ?? 0
        if size < 0 { throw .invalid("page_size must be greater than or equal to zero.") }
        return FirestorePartitions(
            query: try divisible(query, below: parent), count: count,
            pageSize: size, pageToken: try text(members["pageToken"]) ?? "", moment: try moment(members))
    }

    /// Reads a query over all documents of a collection group in the order of names, which has parts.
    private func divisible(_ index: Int, below parent: DocumentPath?) throws(FirestoreFault) -> DocumentQuery {
        let query = try self.query(index, below: parent)
        let isWhole = query.filter == nil && query.start == nil && query.end == nil && query.limit == nil && query.offset == 0
        let isByName = query.orders.allSatisfy { $0.field.isName && !$0.descending }
        guard isWhole, isByName, query.everyDepth else {
            throw .invalid("A partition query is over a collection group, ordered by __name__, without conditions, cursors, offset and limit.")
        }
        return query
    }

    /// Reads `{"analyze": true}`.
    private func explanation(_ index: Int?) throws(FirestoreFault) -> FirestoreExplanation? {
        guard let index else { return nil }
        return try flag(message(index, "ExplainOptions", ["analyze"])["analyze"]) ? .analysis : .plan
    }

    private func moment(_ members: ProtoMembers) throws(FirestoreFault) -> FirestoreMoment {
        if members.all.count(where: { ProtoReader.moments.contains($0.name) }) > 1 {
            throw .invalid("A read has one of transaction, newTransaction and readTime.")
        }
        if let id = try transaction(members["transaction"]) { return .transaction(id) }
        if let index = members["newTransaction"] { return .newTransaction(try options(index)) }
        return try members["readTime"].map { index throws(FirestoreFault) in .time(try time(index)) } ?? .latest
    }

    /// An empty ID is no transaction.
    private func transaction(_ index: Int?) throws(FirestoreFault) -> [UInt8]? {
        guard let index else { return nil }
        let id = try bytes(index)
        return id.isEmpty ? nil : id
    }

    private func options(_ index: Int) throws(FirestoreFault) -> FirestoreTransaction {
        let members = try message(index, "TransactionOptions", ["readOnly", "readWrite"])
        if members.count > 1 { throw .invalid("TransactionOptions have one mode.") }
        if let readOnly = members["readOnly"] {
            let time = try message(readOnly, "ReadOnly", ["readTime"])["readTime"]
            return .readOnly(at: try time.map { index throws(FirestoreFault) in try self.time(index) })
        }
        guard let readWrite = members["readWrite"] else { return .readWrite(retryOf: nil) }
        return .readWrite(retryOf: try transaction(message(readWrite, "ReadWrite", ["retryTransaction", "concurrencyMode"])["retryTransaction"]))
    }
}
