// SPDX-License-Identifier: Apache-2.0

import Firestore
import JSON
import SignalboxDocumentModel

/// Bodies of Firestore's REST API. Values that are accepted are written and read again as the same values.
enum FirestoreBodies {
    private static let database = FirestoreDatabase(project: "p")
    private static let parser = JSONParser()

    static func run(_ bytes: [UInt8]) {
        guard let reader = reader(bytes) else { return }
        let writes = (try? reader.commit().writes) ?? (try? reader.batchWrite()) ?? []
        for write in writes { check(write) }
        let query = (try? reader.runQuery(below: nil).query) ?? (try? reader.partitionQuery(below: nil).query)
        let aggregation = try? reader.runAggregationQuery(below: nil)
        if let query = query ?? aggregation?.query { check(query) }
        let others: [Any?] = [try? reader.batchGet(), try? reader.beginTransaction(), try? reader.rollback(), try? reader.listCollectionIDs()]
        if !writes.isEmpty || query != nil || aggregation != nil || others.contains(where: { $0 != nil }) { accepted() }
    }

    private static func reader(_ bytes: [UInt8]) -> ProtoReader? {
        let tape = try? parser.withReader { try $0.parse(bytes, limits: ProtoReader.limits) }
        return tape.map { ProtoReader($0, database) }
    }

    private static func check(_ write: DocumentWrite) {
        require(write.path.isDocument, "a write of a collection")
        guard case .set(let fields, _) = write.change else { return }
        var writer = ProtoWriter(database)
        writer.document(FirestoreDocument(write.path, fields, created: .epoch, updated: .epoch))
        guard let again = try? reader(writer.json.bytes)?.document(0) else { return require(false, "a written document is refused") }
        require(again.name == database.name(of: write.path), "another name")
        require(DocumentValue.map(again.fields).order(.map(fields)) == .same, "other fields")
        _ = try? fields.validate(as: write.path)
    }

    private static func check(_ query: DocumentQuery) {
        require((try? query.validate()) != nil, "an invalid query was read")
        require(query.filter.map { $0.disjunctions != nil } ?? true, "a query without a normal form")
    }
}
