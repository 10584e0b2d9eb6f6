// SPDX-License-Identifier: Apache-2.0

import Firestore
import Platform
import SignalboxDocumentModel
import Testing

struct ProtoWriteTests {
    private func write(_ text: String) throws -> DocumentWrite {
        try #require(try FirestoreBody.reader(#"{"writes":["# + text + "]}").commit().writes.first)
    }

    @Test func `an update has fields, a mask, transforms and a condition`() throws {
        let write = try write(
            """
            {"update": {"name": "N/c/d", "fields": {"a": {"integerValue": 1}}, "createTime": "x"}, "update_mask": {"field_paths": ["a", "`b-c`.d"]},
             "updateTransforms": [{"fieldPath": "t", "setToServerValue": "REQUEST_TIME"}, {"field_path": "n", "increment": {"doubleValue": 1.5}},
               {"fieldPath": "u", "appendMissingElements": {"values": [{"nullValue": null}]}}, {"fieldPath": "r", "removeAllFromArray": {}},
               {"fieldPath": "x", "maximum": {"integerValue": 1}}, {"fieldPath": "y", "minimum": {"integerValue": 1}}],
             "currentDocument": {"updateTime": "2020-01-01T00:00:00.000001Z"}}
            """)
        let mask = ["a", "`b-c`.d"].compactMap { FieldPath($0) }
        let (path, fields) = (try FirestoreBody.path("c/d"), try #require(DocumentFields([.init("a", .integer(1))])))
        #expect(write.path == path && write.change == .set(fields, mask: mask))
        #expect(
            write.transforms.map(\.transform) == [
                .now, .increment(.double(1.5)), .union([.null]), .remove([]), .maximum(.integer(1)), .minimum(.integer(1)),
            ])
        #expect(write.transforms.map(\.field.description) == ["t", "n", "u", "r", "x", "y"])
        let time = try FirestoreBody.time("2020-01-01T00:00:00.000001Z")
        #expect(write.precondition == .changed(time))
    }

    @Test func `other operations`() throws {
        let path = try FirestoreBody.path("c/d")
        #expect(try write(#"{"delete":"N/c/d"}"#) == DocumentWrite(path, .delete))
        #expect(try write(#"{"verify":"N/c/d","currentDocument":{"exists":true}}"#) == DocumentWrite(path, .verify, if: .exists(true)))
        #expect(try write(#"{"update":{"name":"N/c/d"},"currentDocument":{}}"#) == DocumentWrite(path, .set(.init(), mask: nil)))
        #expect(try write(#"{"update":{"name":"N/c/d"},"updateMask":{},"delete":null}"#) == DocumentWrite(path, .set(.init(), mask: [])))
        let transform = #"{"transform":{"document":"N/c/d","fieldTransforms":[{"fieldPath":"t","setToServerValue":1}]}}"#
        let field = try #require(FieldPath("t"))
        #expect(try write(transform) == DocumentWrite(path, .set(.init(), mask: []), transforms: [.init(field, .now)]))
    }

    @Test(arguments: [
        ("{}", "empty write operation"), (#"{"delete":"N/c/d","verify":"N/c/d"}"#, "one operation"), (#"{"delete":"c/d"}"#, "\"c/d\" is invalid"),
        (#"{"delete":"N/c"}"#, "is invalid"), (#"{"delete":"N/c/d/"}"#, "is invalid"), (#"{"delete":"N/c/.."}"#, "is invalid"),
        (#"{"delete":"projects/q/databases/(default)/documents/c/d"}"#, "not in the database"),
        (#"{"delete":"projects/p/databases/other/documents/c/d"}"#, "not in the database"),
        (#"{"delete":"N/c/d","updateMask":{}}"#, "Only an update"),
        (#"{"update":{"fields":{}}}"#, "Document name \"\""), (#"{"update":{"name":"N/c/d","foo":1}}"#, "Unknown name \"foo\" at 'Document'"),
        (#"{"update":{"name":"N/c/d"},"updateMask":{"fieldPaths":["a..b"]}}"#, "Invalid property path \"a..b\""),
        (#"{"update":{"name":"N/c/d"},"updateMask":"a"}"#, "A DocumentMask is an object"),
        (#"{"update":{"name":"N/c/d"},"updateTransforms":[{"fieldPath":"a"}]}"#, "one transform"),
        (#"{"update":{"name":"N/c/d"},"updateTransforms":[{"increment":{"integerValue":1}}]}"#, "field path is missing"),
        (#"{"update":{"name":"N/c/d"},"updateTransforms":[{"fieldPath":"a","increment":{"stringValue":"1"}}]}"#, "is a number"),
        (
            #"{"update":{"name":"N/c/d"},"updateTransforms":[{"fieldPath":"a","increment":{"integerValue":1},"maximum":{"integerValue":1}}]}"#,
            "one transform"
        ),
        (#"{"update":{"name":"N/c/d"},"updateTransforms":[{"fieldPath":"a","setToServerValue":"NOW"}]}"#, "Unknown server value"),
        (#"{"delete":"N/c/d","currentDocument":{"exists":true,"updateTime":"2020-01-01T00:00:00Z"}}"#, "one condition"),
        (#"{"update":{"name":"N/c/d","name":"N/c/e"}}"#, "given twice"),
        (#"{"update":{"name":"N/c/d"},"update_mask":{},"updateMask":{}}"#, "given twice"),
    ]) func `an invalid write names the reason`(text: String, words: String) {
        let fault = #expect(throws: FirestoreFault.self) { try write(text) }
        #expect(fault?.status == .invalidArgument && fault?.message.contains(words) == true, "\(String(describing: fault))")
    }

    @Test func `transforms are limited`() throws {
        let transforms = { (count: Int) in (0..<count).map { #"{"fieldPath":"a\#($0)","increment":{"integerValue":1}}"# }.joined(separator: ",") }
        let text = { (count: Int) in #"{"update":{"name":"N/c/d"},"updateTransforms":["# + transforms(count) + "]}" }
        #expect(try write(text(500)).transforms.count == 500)
        #expect(throws: FirestoreFault.self) { try write(text(501)) }
    }

    @Test func `a batch writes a document once`() throws {
        #expect(try FirestoreBody.reader(#"{"writes":[{"delete":"N/c/d"},{"delete":"N/c/e"}],"labels":{"a":"b"}}"#).batchWrite().count == 2)
        let twice = try FirestoreBody.reader(#"{"writes":[{"delete":"N/c/d"},{"delete":"N/c/d"}]}"#)
        #expect(throws: FirestoreFault.self) { try twice.batchWrite() }
        #expect(try twice.commit().writes.count == 2)
    }

    @Test func `recorded writes are read as the tests read them`() throws {
        var count = 0
        for program in try RecordedAnswers.lines("writes.ndjson") {
            for step in RecordedAnswers.list(program["steps"]) {
                let recorded = RecordedAnswers.object(step["w"])
                let (ours, theirs) = (try FirestoreBody.reader(recorded).write(0), try RecordedWriteTests.write(recorded))
                #expect("\(ours)" == "\(theirs)")
                count += 1
            }
        }
        #expect(count > 400)
    }
}
