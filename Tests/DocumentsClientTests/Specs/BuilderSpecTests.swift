// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel
import Testing

@testable import SignalboxDocuments

/// Google's conformance tests of Firestore's clients: the requests that calls of an app become, and the errors of wrong calls. Of the 228 cases
/// the one of a read has nothing to compare, and ``ListenSpecTests`` has those of listeners.
@Suite(.enabled(if: SpecFolder.isThere, SpecFolder.hint)) struct BuilderSpecTests {
    private static func cases(_ kinds: String...) -> [SpecCase] {
        SpecFolder.files { path in kinds.contains { path.contains("firestore/v1/\($0)-") } && path.hasSuffix(".json") }.flatMap { file in
            (file.json["tests"]?.elements ?? []).map { SpecCase(file: file.name, name: $0["description"]?.text ?? "", json: $0) }
        }
    }

    private static func documents() async throws -> Documents {
        let documents = try InMemoryDocuments().documents
        await documents.setNetworkEnabled(false)
        return documents
    }

    @Test(arguments: ["create", "set", "update", "delete", "query"]) func `the folder has cases of each kind`(kind: String) {
        #expect(!BuilderSpecTests.cases(kind).isEmpty)
    }

    // MARK: Writes

    @Test(arguments: cases("create", "set", "update", "delete")) func `a write is the one of the specification`(spec: SpecCase) async throws {
        let member = spec.json.members?.first { !["description", "comment"].contains($0.name) }
        let call = try #require(member, "A case without a call.")
        if let reason = SkippedSpecs.reason(toCall: call.value) ?? SkippedSpecs.reason(toFile: spec.file) {
            return print("skipped: \(spec.testDescription): \(reason)")
        }
        let documents = try await BuilderSpecTests.documents()
        let document = documents.document(try FirestoreJSON.path(call.value["docRefPath"]))
        var made: DocumentWrite?
        var error: DocumentError?
        do throws(any Error) {
            try await BuilderSpecTests.batch(call, documents.batch(), document).enqueue()
            made = try await documents.engine().queue.last?.changes.first
        } catch let failure as DocumentError { error = failure }
        if call.value["isError"] == .bool(true) {
            #expect(error?.code == .invalidArgument)
        } else {
            let wanted = try FirestoreJSON.write(try #require(call.value["request"]?["writes"]?.elements?.first))
            #expect(try made.map { try Effect($0) } == Effect(wanted), "\(String(describing: error))")
        }
        await documents.close()
        print("ran: \(spec.testDescription)")
    }

    private static func batch(_ call: JSONNode.Member, _ batch: WriteBatch, _ document: SignalboxDocuments.DocumentReference) throws -> WriteBatch {
        switch call.name {
        case "create": return batch.create(document, try FirestoreJSON.data(call.value["jsonData"]))
        case "set": return batch.set(document, try FirestoreJSON.data(call.value["jsonData"]), merge: call.value["option"] != nil)
        case "update": return batch.update(document, try FirestoreJSON.data(call.value["jsonData"]))
        case "updatePaths":
            let paths = try (call.value["fieldPaths"]?.elements ?? []).map { try FirestoreJSON.field($0) }
            let values = try (call.value["jsonValues"]?.elements ?? []).map { try FirestoreJSON.datum($0) }
            return batch.update(document, Dictionary(zip(paths, values)) { $1 })
        case "delete": return batch.delete(document)
        default: throw FirestoreJSON.malformed(call.value)
        }
    }

    /// A write by what it does: its precondition, its transforms, which are of different fields, and what it makes of some documents.
    private struct Effect: Equatable {
        let path: DocumentPath
        let transforms: Set<DocumentWrite.Transformed>
        let precondition: DocumentWrite.Precondition?
        let results: [DocumentFields?]

        init(_ write: DocumentWrite) throws {
            (path, transforms, precondition) = (write.path, Set(write.transforms), write.precondition)
            let unconditional = DocumentWrite(write.path, write.change, transforms: write.transforms)
            results = try Effect.bases.map { try unconditional.apply(to: $0, version: nil, at: .epoch).fields }
        }

        /// No document, an empty one, and some with fields that the specifications have.
        private static let bases: [DocumentFields?] = [
            nil, #"{}"#, #"{"a": 7, "b": 8, "c": 9, "d": 1, "e": 2, "f": 3, "g": 4, "h": 5, "*": 1, "~": 2, "z": 0}"#,
            #"{"a": {"b": 1, "c": [1, 5], "d": 1}, "b": {"c": [2], "d": 2}, "c": {"d": [3, 9], "e": 1}, "h": {"g": 2, "f": 1}, "*": {"~": 1, "x": 2}}"#,
            #"{"a": [1, 2, 3], "b": [2, 9], "c": [3], "h": [4]}"#,
        ].map { $0.flatMap { JSONNode($0.utf8) }.flatMap(NativeText.fields) }
    }

    // MARK: Queries

    @Test(arguments: cases("query")) func `a query is the one of the specification`(spec: SpecCase) async throws {
        let call = try #require(spec.json["query"])
        let clauses = call["clauses"]?.elements ?? []
        if let reason = clauses.lazy.compactMap({ SkippedSpecs.reason(toClause: $0) }).first ?? SkippedSpecs.reason(toFile: spec.file) {
            return print("skipped: \(spec.testDescription): \(reason)")
        }
        let documents = try await BuilderSpecTests.documents()
        var made: DocumentQuery?
        var error: DocumentError?
        do throws(any Error) {
            var query = documents.collection(try FirestoreJSON.path(call["collPath"])).query
            for clause in clauses { query = try BuilderSpecTests.add(clause, to: query) }
            made = try query.model.get()
            // A query that Firestore refuses is refused by the call that reads it.
            _ = try await query.get(source: .cache)
        } catch let failure as DocumentError { error = failure }
        if call["isError"] == .bool(true) {
            #expect(error?.code == .invalidArgument)
        } else {
            #expect(made == (try BuilderSpecTests.model(call["query"])) && error == nil, "\(String(describing: error))")
        }
        await documents.close()
        print("ran: \(spec.testDescription)")
    }

    private static func add(_ clause: JSONNode, to query: Query) throws -> Query {
        guard let member = clause.members?.first else { throw FirestoreJSON.malformed(clause) }
        let (name, node) = (member.name, member.value)
        switch name {
        case "where": return query.where(try condition(node))
        case "orderBy": return query.order(try FirestoreJSON.field(node["path"]), descending: node["direction"]?.text == "desc")
        case "limit": return query.limit(Int(node.integer ?? 0))
        case "startAt", "startAfter", "endAt", "endBefore":
            guard let snapshot = try node["docSnapshot"].map({ try BuilderSpecTests.snapshot($0, of: query.documents) }) else {
                let values = try (node["jsonValues"]?.elements ?? []).map { try FirestoreJSON.datum($0) }
                switch name {
                case "startAt": return query.start(at: values)
                case "startAfter": return query.start(after: values)
                case "endAt": return query.end(at: values)
                default: return query.end(before: values)
                }
            }
            switch name {
            case "startAt": return query.start(at: snapshot)
            case "startAfter": return query.start(after: snapshot)
            case "endAt": return query.end(at: snapshot)
            default: return query.end(before: snapshot)
            }
        default: throw FirestoreJSON.malformed(clause)
        }
    }

    private static func snapshot(_ node: JSONNode, of documents: Documents) throws -> DocumentSnapshot {
        let reference = documents.document(try FirestoreJSON.path(node["path"]))
        let fields = try FieldValue.stored(try FirestoreJSON.data(node["jsonData"]))
        let viewed = ViewedDocument(path: try reference.checked(), fields: fields, version: 1, created: 1, hasPendingWrites: false)
        return DocumentSnapshot(reference, FeedView(documents: [viewed], isFromCache: false, hasPendingWrites: false))
    }

    private static func condition(_ node: JSONNode) throws -> QueryFilter {
        let (field, value) = (try FirestoreJSON.field(node["path"]), try FirestoreJSON.datum(node["jsonValue"]))
        switch node["op"]?.text {
        case "==": return .equal(field, value)
        case ">": return .greater(field, value)
        case "<": return .less(field, value)
        case "<=": return .lessOrEqual(field, value)
        case ">=": return .greaterOrEqual(field, value)
        case "array-contains": return .arrayContains(field, value)
        default: throw FirestoreJSON.malformed(node)
        }
    }

    private static func model(_ node: JSONNode?) throws -> DocumentQuery {
        guard let node, let id = node["from"]?.elements?.first?["collectionId"]?.text else { throw FirestoreJSON.malformed(node) }
        var query = DocumentQuery(collection: PathSegment(id))
        query.filter = try node["where"].map { try filter($0) }
        query.orders = try (node["orderBy"]?.elements ?? []).map {
            DocumentQuery.Order(try FirestoreJSON.fieldPath($0["field"]?["fieldPath"]), descending: $0["direction"]?.text == "DESCENDING")
        }
        query.start = try cursor(node["startAt"])
        query.end = try cursor(node["endAt"])
        query.limit = node["limit"].flatMap { $0["value"]?.integer ?? $0.integer }.map { Int($0) }
        return query
    }

    private static func cursor(_ node: JSONNode?) throws -> DocumentQuery.Cursor? {
        guard let node else { return nil }
        return DocumentQuery.Cursor(try FirestoreJSON.values(node["values"]), isBefore: node["before"] == .bool(true))
    }

    private static func filter(_ node: JSONNode) throws -> Filter {
        if let composite = node["compositeFilter"] { return .and(try (composite["filters"]?.elements ?? []).map { try filter($0) }) }
        if let unary = node["unaryFilter"] {
            return .unary(try FirestoreJSON.fieldPath(unary["field"]?["fieldPath"]), unary["op"]?.text == "IS_NAN" ? .isNaN : .isNull)
        }
        let comparisons: [String: Comparison] = [
            "EQUAL": .equal, "GREATER_THAN": .greater, "LESS_THAN": .less, "LESS_THAN_OR_EQUAL": .atMost, "GREATER_THAN_OR_EQUAL": .atLeast,
            "ARRAY_CONTAINS": .contains,
        ]
        guard let field = node["fieldFilter"], let comparison = field["op"]?.text.flatMap({ comparisons[$0] }), let value = field["value"] else {
            throw FirestoreJSON.malformed(node)
        }
        let values = try FirestoreJSON.values(.array([value]))
        return .compare(try FirestoreJSON.fieldPath(field["field"]?["fieldPath"]), comparison, values[0])
    }
}
