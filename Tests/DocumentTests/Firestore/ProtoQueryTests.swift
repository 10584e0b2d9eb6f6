// SPDX-License-Identifier: Apache-2.0

import Firestore
import SignalboxDocumentModel
import Testing

struct ProtoQueryTests {
    private func query(_ text: String, below parent: String? = nil) throws -> DocumentQuery {
        try FirestoreBody.reader(#"{"structuredQuery":"# + text + "}").runQuery(below: parent.flatMap { DocumentPath($0) }).query
    }

    @Test func `both spellings of names are read`() throws {
        let camel = """
            {"from": [{"collectionId": "c", "allDescendants": true}], "where": {"compositeFilter": {"op": "AND", "filters": [
              {"fieldFilter": {"field": {"fieldPath": "a"}, "op": "GREATER_THAN", "value": {"integerValue": "1"}}},
              {"unaryFilter": {"field": {"fieldPath": "b"}, "op": "IS_NOT_NULL"}}]}},
             "orderBy": [{"field": {"fieldPath": "a"}, "direction": "DESCENDING"}], "startAt": {"values": [{"integerValue": "3"}], "before": true},
             "endAt": {"values": []}, "offset": 2, "limit": 5, "select": {"fields": [{"fieldPath": "__name__"}, {"fieldPath": "a"}]}}
            """
        let pairs = [
            ("collectionId", "collection_id"), ("allDescendants", "all_descendants"), ("compositeFilter", "composite_filter"),
            ("fieldFilter", "field_filter"), ("unaryFilter", "unary_filter"), ("fieldPath", "field_path"), ("orderBy", "order_by"),
            ("startAt", "start_at"), ("endAt", "end_at"), ("integerValue", "integer_value"),
        ]
        let snake = pairs.reduce(camel) { $0.replacing($1.0, with: $1.1) }
        let (first, second) = (try query(camel), try query(snake))
        #expect("\(first)" == "\(second)" && first == second)
        #expect(first.everyDepth && first.limit == 5 && first.offset == 2 && first.orders.count == 1 && first.orders[0].descending)
        #expect(first.start?.isBefore == true && first.end?.values.isEmpty == true && first.select?.map(\.description) == ["a"])
    }

    @Test func `a query without a collection finds documents of all collections, at every depth if it says so`() throws {
        for (text, everyDepth) in [
            (#"{}"#, false), (#"{"from":[]}"#, false), (#"{"from":[{}]}"#, false), (#"{"from":[{"allDescendants":true}]}"#, true),
        ] {
            let query = try query(text, below: "a/b")
            #expect(query.collection == nil && query.everyDepth == everyDepth && query.parent?.description == "a/b")
        }
        #expect(try query(#"{"select":{}}"#).select == [])
    }

    @Test func `operators have names and numbers`() throws {
        let names = ["LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "EQUAL", "NOT_EQUAL", "ARRAY_CONTAINS"]
        for (index, name) in names.enumerated() {
            let text = { (op: String) in #"{"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":\#(op),"value":{"integerValue":1}}}}"# }
            #expect(try query(text("\"\(name)\"")) == query(text("\(index + 1)")))
        }
    }

    @Test(arguments: [
        (#"{"where":{}}"#, "Unknown Filter type."), (#"{"where":{"fieldFilter":{"field":{"fieldPath":"a"}}}}"#, "Unknown FieldFilter operator."),
        (#"{"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":"LIKE","value":{"nullValue":null}}}}"#, "Unknown FieldFilter operator."),
        (#"{"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":"EQUAL"}}}"#, "with type unset"),
        (#"{"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":"IN","value":{"integerValue":1}}}}"#, "'IN' requires an ArrayValue."),
        (
            #"{"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":"NOT_IN","value":{"arrayValue":{}}}}}"#,
            "'NOT_IN' requires an non-empty ArrayValue."
        ),
        (
            #"{"where":{"fieldFilter":{"field":{"fieldPath":"__name__"},"op":"EQUAL","value":{"integerValue":1}}}}"#,
            "__key__ filter value must be a Key"
        ),
        (#"{"limit":-1}"#, "limit is negative"), (#"{"offset":-1}"#, "offset is negative"), (#"{"limit":{"value":1}}"#, "whole number"),
        (#"{"limit":2147483648}"#, "32 bits"), (#"{"from":[{"collectionId":"c"},{"collectionId":"d"}]}"#, "more than one collection"),
        (#"{"from":[{"collectionId":"a/b"}]}"#, "collection ID"), (#"{"orderBy":[{"direction":"ASCENDING"}]}"#, "reference is missing"),
        (#"{"orderBy":[{"field":{"fieldPath":"a"}},{"field":{"fieldPath":"a"}}]}"#, "duplicate fields a"),
        (#"{"startAt":{"values":[{"integerValue":1},{"integerValue":1}]}}"#, "Cursor has too many values."),
        (#"{"findNearest":{}}"#, "Vector search"),
        (#"{"newTransaction":{}}"#, "Unknown name \"newTransaction\" at 'StructuredQuery': Cannot find field."),
    ]) func `an invalid query has the words that clients know`(text: String, words: String) {
        let fault = #expect(throws: FirestoreFault.self) { try query(text) }
        #expect(fault?.message.contains(words) == true, "\(String(describing: fault))")
    }

    @Test func `conditions, orders and depth are limited`() throws {
        let condition = { (number: Int) in #"{"fieldFilter":{"field":{"fieldPath":"a\#(number)"},"op":"EQUAL","value":{"integerValue":1}}}"# }
        let all = { (count: Int) in
            #"{"where":{"compositeFilter":{"op":"AND","filters":["# + (0..<count).map(condition).joined(separator: ",") + "]}}}"
        }
        #expect(throws: Never.self) { try query(all(100)) }
        #expect(throws: FirestoreFault(QueryFault.tooManyConditions)) { try query(all(101)) }
        let orders = { (count: Int) in #"{"orderBy":["# + (0..<count).map { #"{"field":{"fieldPath":"a\#($0)"}}"# }.joined(separator: ",") + "]}" }
        #expect(throws: Never.self) { try query(orders(100)) }
        #expect(throws: FirestoreFault(QueryFault.tooManyConditions)) { try query(orders(101)) }
        let open = #"{"compositeFilter":{"op":"AND","filters":["#
        let nested = { (levels: Int) in
            #"{"where":"# + String(repeating: open, count: levels) + condition(1) + String(repeating: "]}}", count: levels) + "}"
        }
        #expect(throws: Never.self) { try query(nested(19)) }
        #expect(throws: FirestoreFault.self) { try query(nested(20)) }
    }

    @Test func `the fields of a result are limited`() throws {
        let select = { (count: Int) in #"{"select":{"fields":["# + (0..<count).map { #"{"fieldPath":"a\#($0)"}"# }.joined(separator: ",") + "]}}" }
        #expect(try query(select(1_000)).select?.count == 1_000)
        let fault = #expect(throws: FirestoreFault.self) { try query(select(1_001)) }
        #expect(fault?.message == "structuredQuery.select has more than 1000 fields.")
    }

    @Test func `recorded queries are read as the tests read them`() throws {
        var count = 0
        let worlds = try RecordedAnswers.lines("queries.ndjson").flatMap { RecordedAnswers.list($0["queries"]) }
        for recorded in try worlds + RecordedAnswers.lines("lists.ndjson").flatMap({ RecordedAnswers.list($0["reqs"]) }) {
            let expected = try RecordedQuery.read(RecordedAnswers.object(recorded["q"]))
            let body = try FirestoreBody.reader(["structuredQuery": RecordedAnswers.object(recorded["q"])])
            guard (try? expected.validate()) != nil else {
                #expect(throws: FirestoreFault.self) { try body.runQuery(below: nil) }
                continue
            }
            let query = try body.runQuery(below: nil).query
            #expect("\(query)" == "\(expected)")
            count += 1
        }
        #expect(count > 1_000)
    }
}
