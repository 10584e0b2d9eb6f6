// SPDX-License-Identifier: Apache-2.0

import Firestore
import Platform
import SignalboxDocumentModel
import Testing

struct ProtoRequestTests {
    @Test(arguments: [
        (#""transaction":"AQI=""#, FirestoreMoment.transaction([1, 2])), (#""transaction":"""#, .latest), (#""transaction":null"#, .latest),
        (#""newTransaction":{}"#, .newTransaction(.readWrite(retryOf: nil))),
        (#""new_transaction":{"read_write":{"retry_transaction":"AQ"}}"#, .newTransaction(.readWrite(retryOf: [1]))),
        (#""newTransaction":{"readOnly":{}}"#, .newTransaction(.readOnly(at: nil))),
        (#""newTransaction":{"readOnly":{"readTime":"1970-01-01T00:00:00Z"}}"#, .newTransaction(.readOnly(at: .epoch))),
        (#""readTime":"1970-01-01T00:00:00Z""#, .time(.epoch)),
    ]) func `a read names its moment`(member: String, moment: FirestoreMoment) throws {
        let get = try FirestoreBody.reader(#"{"documents":["N/c/d"],"mask":{"fieldPaths":["a"]},"# + member + "}").batchGet()
        #expect(get.moment == moment && get.documents.map(\.description) == ["c/d"] && get.mask?.map(\.description) == ["a"])
        #expect(try FirestoreBody.reader(#"{"structuredQuery":{},"# + member + "}").runQuery(below: nil).moment == moment)
    }

    @Test func `aggregations have aliases`() throws {
        let body = """
            {"structuredAggregationQuery": {"structuredQuery": {"from": [{"collectionId": "c"}]}, "aggregations": [
              {"alias": "n", "count": {}}, {"count": {"upTo": "3"}}, {"sum": {"field": {"fieldPath": "a.b"}}}, {"avg": {"field": {"fieldPath": "x"}}}]}}
            """
        let request = try FirestoreBody.reader(body).runAggregationQuery(below: nil)
        let (sum, average) = (try #require(FieldPath("a.b")), try #require(FieldPath("x")))
        #expect(request.aggregates.map(\.alias) == ["n", "field_1", "field_2", "field_3"])
        #expect(request.aggregates.map(\.aggregate) == [.count(upTo: nil), .count(upTo: 3), .sum(sum), .average(average)])
    }

    @Test(arguments: [
        (#"[]"#, "Aggregations can not be empty."), (#"[{}]"#, "one operator"),
        (#"[{"count":{},"sum":{"field":{"fieldPath":"a"}}}]"#, "one operator"),
        (#"[{"count":{"upTo":0}}]"#, "upTo"), (#"[{"sum":{}}]"#, "reference is missing"), (#"[{"min":{}}]"#, "Unknown name"),
        (#"[{"alias":"a","count":{}},{"alias":"a","count":{}}]"#, "duplicate alias: a."),
        (#"[{"count":{}},{"count":{}},{"count":{}},{"count":{}},{"count":{}},{"count":{}}]"#, "Maximum number"),
    ]) func `invalid aggregations are refused`(aggregations: String, words: String) throws {
        let reader = try FirestoreBody.reader(#"{"structuredAggregationQuery":{"structuredQuery":{},"aggregations":"# + aggregations + "}}")
        let fault = #expect(throws: FirestoreFault.self) { try reader.runAggregationQuery(below: nil) }
        #expect(fault?.message.contains(words) == true)
    }

    @Test func `transactions, partitions and lists of collections`() throws {
        #expect(try FirestoreBody.reader("{}").beginTransaction() == .readWrite(retryOf: nil))
        #expect(
            try FirestoreBody.reader(#"{"options":{"readOnly":{"readTime":"1970-01-01T00:00:00Z"}}}"#).beginTransaction() == .readOnly(at: .epoch))
        #expect(try FirestoreBody.reader(#"{"transaction":"AQI"}"#).rollback() == [1, 2])
        #expect(try FirestoreBody.reader(#"{"writes":[],"transaction":"AQI="}"#).commit().transaction == [1, 2])
        let list = try FirestoreBody.reader(#"{"pageSize":3,"page_token":"x"}"#).listCollectionIDs()
        #expect(list.pageSize == 3 && list.pageToken == "x" && list.moment == .latest)
        let group = #"{"from":[{"collectionId":"c","allDescendants":true}]}"#
        let parts = try FirestoreBody.reader(#"{"structuredQuery":\#(group),"partitionCount":"7","pageSize":2}"#).partitionQuery(below: nil)
        #expect(parts.count == 7 && parts.pageSize == 2)
    }

    @Test(arguments: [
        #"{"transaction":"AQ==","readTime":"1970-01-01T00:00:00Z","documents":[]}"#, #"{"documents":["c/d"]}"#, #"{"documents":"N/c/d"}"#,
        #"{"dokuments":[]}"#, #"[]"#, #"{"newTransaction":{"readOnly":{},"readWrite":{}}}"#, #"{"transaction":"*"}"#, #"{"readTime":1}"#,
    ]) func `invalid requests are refused`(body: String) throws {
        let reader = try FirestoreBody.reader(body)
        #expect(throws: FirestoreFault.self) { try reader.batchGet() }
    }

    @Test func `the fields of an answer are limited, those of a write are not`() throws {
        let mask = { (count: Int) in #"{"fieldPaths":["# + (0..<count).map { "\"a\($0)\"" }.joined(separator: ",") + "]}" }
        let get = { (count: Int) in try FirestoreBody.reader(#"{"documents":["N/c/d"],"mask":\#(mask(count))}"#).batchGet() }
        #expect(try get(1_000).mask?.count == 1_000)
        let fault = #expect(throws: FirestoreFault.self) { try get(1_001) }
        #expect(fault?.message == "mask has more than 1000 fields.")
        let write = #"{"writes":[{"update":{"name":"N/c/d"},"updateMask":\#(mask(3_000))}]}"#
        #expect(try FirestoreBody.reader(write).commit().writes.count == 1)
    }

    @Test func `answers are compact ProtoJSON`() throws {
        let (time, later) = (try FirestoreBody.time("2020-01-01T00:00:00.000001Z"), try FirestoreBody.time("2020-01-01T00:00:01Z"))
        let fields = try #require(DocumentFields([.init("a", .integer(1)), .init("b", .text("x"))]))
        let document = FirestoreDocument(try FirestoreBody.path("c/d"), fields, created: time, updated: later)
        let text =
            #"{"name":"N/c/d","fields":{"a":{"integerValue":"1"},"b":{"stringValue":"x"}},"#
            + #""createTime":"2020-01-01T00:00:00.000001Z","updateTime":"2020-01-01T00:00:01Z"}"#
        #expect(FirestoreBody.written { $0.document(document) } == text)
        #expect(
            FirestoreBody.written { $0.document(document.masked(FieldSelection([]))) }
                == text.replacing(#""fields":{"a":{"integerValue":"1"},"b":{"stringValue":"x"}},"#, with: ""))
        #expect(
            FirestoreBody.written { $0.document(document.masked(FieldSelection(["b", "z", "__name__"].compactMap { FieldPath($0) }))) }
                == text.replacing(#""a":{"integerValue":"1"},"#, with: ""))
        #expect(
            FirestoreBody.written { $0.queried(at: later, isLast: true) { $0.document(document) } } == #"{"document":"# + text
                + #","readTime":"2020-01-01T00:00:01Z","done":true}"#)
        #expect(FirestoreBody.written { $0.missing(document.path, at: later) } == #"{"missing":"N/c/d","readTime":"2020-01-01T00:00:01Z"}"#)
        #expect(FirestoreBody.written { $0.began([1, 2]) } == #"{"transaction":"AQI="}"#)
        #expect(
            FirestoreBody.written { $0.commit(at: later, [(updated: time, results: [.integer(1), .null]), (updated: nil, results: [])]) }
                == #"{"writeResults":[{"updateTime":"2020-01-01T00:00:00.000001Z","transformResults":[{"integerValue":"1"},{"nullValue":null}]},{}],"commitTime":"2020-01-01T00:00:01Z"}"#
        )
        #expect(
            FirestoreBody.written { $0.aggregated([(alias: "n", value: .integer(3))], at: later) }
                == #"{"result":{"aggregateFields":{"n":{"integerValue":"3"}}},"readTime":"2020-01-01T00:00:01Z"}"#)
        let missing = FirestoreFault(WriteFault.missing, of: "N/c/e")
        #expect(
            FirestoreBody.written { $0.batch([.success((updated: later, results: [])), .failure(missing)]) }
                == #"{"writeResults":[{"updateTime":"2020-01-01T00:00:01Z"},{}],"status":[{},{"code":5,"message":"No document to update: N/c/e"}]}"#)
    }

    @Test func `errors have Google's form`() {
        let text = { (fault: FirestoreFault, isStream: Bool) in FirestoreBody.written { fault.write(to: &$0.json, inStream: isStream) } }
        let exists = FirestoreFault(WriteFault.exists, of: "N/c/d")
        #expect(text(exists, false) == #"{"error":{"code":409,"message":"Document already exists: N/c/d","status":"ALREADY_EXISTS"}}"#)
        #expect(text(exists, true) == "[" + text(exists, false) + "]")
        #expect(Set(GoogleStatus.allCases.map(\.code)).count == GoogleStatus.allCases.count)
    }
}
