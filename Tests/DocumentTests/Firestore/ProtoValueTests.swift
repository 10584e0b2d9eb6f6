// SPDX-License-Identifier: Apache-2.0

import Firestore
import SignalboxDocumentModel
import Testing

struct ProtoValueTests {
    /// A value in one of its spellings, and in ours.
    @Test(arguments: [
        (#"{"nullValue":"NULL_VALUE"}"#, #"{"nullValue":null}"#), (#"{"null_value":0}"#, #"{"nullValue":null}"#),
        (#"{"booleanValue":"true"}"#, #"{"booleanValue":true}"#), (#"{"integerValue":-7}"#, #"{"integerValue":"-7"}"#),
        (#"{"integerValue":7.0}"#, #"{"integerValue":"7"}"#),
        (#"{"integer_value":"9223372036854775807"}"#, #"{"integerValue":"9223372036854775807"}"#),
        (#"{"doubleValue":3}"#, #"{"doubleValue":3.0}"#), (#"{"doubleValue":"-Infinity"}"#, #"{"doubleValue":"-Infinity"}"#),
        (#"{"doubleValue":"NaN"}"#, #"{"doubleValue":"NaN"}"#), (#"{"doubleValue":"1.5e3"}"#, #"{"doubleValue":1500.0}"#),
        (#"{"doubleValue":-0.0}"#, #"{"doubleValue":-0.0}"#),
        (#"{"doubleValue":-0}"#, #"{"doubleValue":-0.0}"#), (#"{"doubleValue":0}"#, #"{"doubleValue":0.0}"#),
        (#"{"double_value":18446744073709551615}"#, #"{"doubleValue":1.8446744073709552e+19}"#),
        (#"{"timestampValue":"2020-01-01T01:00:00.123456789+01:00"}"#, #"{"timestampValue":"2020-01-01T00:00:00.123456Z"}"#),
        (#"{"stringValue":"a\"\u0000é\ud83d\ude00"}"#, "{\"stringValue\":\"a\\\"\\u0000é😀\"}"),
        (#"{"bytesValue":"_-8"}"#, #"{"bytesValue":"/+8="}"#), (#"{"bytesValue":""}"#, #"{"bytesValue":""}"#),
        (#"{"bytesValue":"AAE"}"#, #"{"bytesValue":"AAE="}"#), (#"{"bytesValue":"_-8="}"#, #"{"bytesValue":"/+8="}"#),
        (#"{"referenceValue":"N/a/b/c/d"}"#, #"{"referenceValue":"N/a/b/c/d"}"#),
        (#"{"referenceValue":"projects/q/databases/x/documents/a/b"}"#, #"{"referenceValue":"projects/q/databases/x/documents/a/b"}"#),
        (#"{"geoPointValue":{}}"#, #"{"geoPointValue":{}}"#), (#"{"geoPointValue":{"latitude":"1.5"}}"#, #"{"geoPointValue":{"latitude":1.5}}"#),
        (#"{"arrayValue":{}}"#, #"{"arrayValue":{}}"#), (#"{"arrayValue":{"values":null}}"#, #"{"arrayValue":{}}"#),
        (#"{"mapValue":{}}"#, #"{"mapValue":{}}"#),
        (
            #"{"mapValue":{"fields":{"b":{"nullValue":null},"a":{"arrayValue":{"values":[{"mapValue":{}}]}}}}}"#,
            #"{"mapValue":{"fields":{"a":{"arrayValue":{"values":[{"mapValue":{}}]}},"b":{"nullValue":null}}}}"#
        ),
        (#"{"mapValue":{"fields":{"field_a":{"nullValue":null}}}}"#, #"{"mapValue":{"fields":{"field_a":{"nullValue":null}}}}"#),
    ]) func `a value is written in one spelling`(sent: String, written: String) throws {
        let value = try FirestoreBody.value(sent)
        #expect(FirestoreBody.text(value) == written)
        #expect(try FirestoreBody.value(written).order(value) == .same)
    }

    @Test(arguments: [
        "{}", "1", "null", "[]", #"{"stringValue":"a","integerValue":1}"#, #"{"integerValue":1,"integerValue":1}"#, #"{"fooValue":1}"#,
        #"{"stringValue":null}"#, #"{"stringValue":1}"#, #"{"stringValue":"\ud800"}"#, #"{"integerValue":"1.5"}"#, #"{"integerValue":1.5}"#,
        #"{"integerValue":"9223372036854775808"}"#, #"{"integerValue":9223372036854775808}"#, #"{"integerValue":""}"#,
        #"{"integerValue":true}"#, #"{"doubleValue":"0x1p3"}"#, #"{"doubleValue":"inf"}"#, #"{"doubleValue":"1e999"}"#, #"{"booleanValue":1}"#,
        #"{"nullValue":1}"#, #"{"bytesValue":"*"}"#, #"{"bytesValue":"AAAAA"}"#, #"{"bytesValue":"A==="}"#, #"{"bytesValue":"AA=A"}"#,
        #"{"timestampValue":"2020"}"#, #"{"timestampValue":1}"#, #"{"referenceValue":"a/b"}"#, #"{"referenceValue":"N/a"}"#,
        #"{"referenceValue":"N/a/b/"}"#, #"{"referenceValue":"projects/p/databases//documents/a/b"}"#,
        #"{"geoPointValue":{"latitude":91}}"#, #"{"geoPointValue":{"longitude":"NaN"}}"#, #"{"geoPointValue":{"height":1}}"#,
        #"{"arrayValue":[]}"#, #"{"arrayValue":{"values":{}}}"#, #"{"arrayValue":{"values":[{"arrayValue":{}}]}}"#,
        #"{"mapValue":{"fields":{"a":{"nullValue":null},"a":{"nullValue":null}}}}"#, #"{"mapValue":{"fields":[]}}"#,
        #"{"mapValue":{"fields":{"a":null}}}"#, #"{"mapValue":{"fields":{"\udfff":{"nullValue":null}}}}"#,
    ]) func `other values are refused`(sent: String) {
        #expect(throws: FirestoreFault.self) { try FirestoreBody.value(sent) }
    }

    /// é as one scalar and as two are different names.
    @Test func `names are compared as Unicode scalars`() throws {
        let value = try FirestoreBody.value(#"{"mapValue":{"fields":{"\u00e9":{"integerValue":1},"e\u0301":{"integerValue":2}}}}"#)
        guard case .map(let fields) = value else { return #expect(Bool(false)) }
        #expect(fields.count == 2 && fields["\u{e9}"] == .integer(1) && fields["e\u{301}"] == .integer(2))
    }

    @Test func `a marked map is a vector`() throws {
        let text =
            #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1.5},{"doubleValue":-2.0}]}}}}}"#
        #expect(try FirestoreBody.value(text) == .vector([1.5, -2]))
        #expect(FirestoreBody.text(.vector([1.5, -2])) == text)
        let other = text.replacing("-2.0", with: "\"NaN\"").replacing("doubleValue\":1.5", with: "integerValue\":1")
        guard case .map = try FirestoreBody.value(other) else { return #expect(Bool(false)) }
    }

    @Test func `nesting ends at the limit of the parser`() throws {
        let nested = { (levels: Int) in
            String(repeating: #"{"mapValue":{"fields":{"a":"#, count: levels) + #"{"nullValue":null}"# + String(repeating: "}}}", count: levels)
        }
        #expect(throws: Never.self) { try FirestoreBody.value(nested(20)) }
        #expect(throws: (any Error).self) { try FirestoreBody.value(nested(40)) }
    }

    @Test func `values of recorded documents are read as the tests read them`() throws {
        var count = 0
        for world in try RecordedAnswers.lines("queries.ndjson") {
            for (_, fields) in RecordedAnswers.object(world["docs"]) {
                let expected = DocumentValue.map(try RecordedAnswers.fields(fields))
                let value = DocumentValue.map(try FirestoreBody.reader(["fields": fields]).document(0).fields)
                #expect(value.order(expected) == .same)
                #expect(try FirestoreBody.value(FirestoreBody.text(value)).order(value) == .same)
                count += 1
            }
        }
        #expect(count > 100)
    }
}
