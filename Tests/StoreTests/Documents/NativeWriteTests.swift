// SPDX-License-Identifier: Apache-2.0

import JSON
import SignalboxDocumentModel
import Testing

@testable import DocumentStore

@Suite struct NativeWriteTests {
    private static func read(_ json: String, _ form: NativeWrite.Form) throws -> NativeWrite {
        try JSONParser().withReader { reader in try NativeWrite(reader.parse(Array(json.utf8), limits: NativeJSON.limits), at: 0, form) }
    }

    private static func text(_ write: NativeWrite) -> String { String(decoding: BodyReader.body(write.fields), as: UTF8.self) }

    @Test func `a whole set has its values, and its transforms apart`() throws {
        let write = try Self.read(#"{"b": 1, "m": {"at": {"$now": true}, "x": [{"y": 2}]}, "n": {"$increment": 1.5}}"#, .whole)
        #expect(Self.text(write) == #"{"b":1,"m":{"x":[{"y":2}]}}"# && write.mask.isEmpty)
        #expect(write.transforms.map(\.field.description) == ["m.at", "n"])
        #expect(write.transforms.map(\.transform) == [.now, .increment(.double(1.5))])
    }

    @Test func `a merge names every value that is not a map, and empty maps`() throws {
        let write = try Self.read(#"{"m": {"x": 1, "e": {}, "d": {"$delete": true}, "t": {"$time": "2026-11-23T10:00:00Z"}}, "$$a.b": 2}"#, .merge)
        #expect(write.mask.map(\.description) == ["m.x", "m.e", "m.d", "m.t", "`$a.b`"])
        #expect(write.fields["$a.b" as ExactName] == .integer(2))
    }

    @Test func `an update names its paths`() throws {
        let write = try Self.read(#"{"b.c": {"x": 1}, "`a-1`": null, "b.d": {"$delete": true}, "n": {"$union": [1]}}"#, .paths)
        #expect(write.mask.map(\.description) == ["`a-1`", "b.c", "b.d"])
        #expect(Self.text(write) == #"{"a-1":null,"b":{"c":{"x":1}}}"# && write.transforms.map(\.field.description) == ["n"])
    }

    @Test(
        arguments: [
            (#"{"a": {"$delete": true}}"#, .whole, .deletionWithoutMask),
            (#"{"a": {"b": {"$delete": true}}}"#, .paths, .nestedDeletion), (#"{"a.b": {"c": {"d": {"$delete": true}}}}"#, .paths, .nestedDeletion),
            (#"{"a": {"$delete": 1}}"#, .merge, .invalidFlag), (#"{"a": {"$now": false}}"#, .whole, .invalidFlag),
            (#"{"a": {"$increment": "1"}}"#, .whole, .invalidOperand), (#"{"a": {"$union": 1}}"#, .whole, .invalidElements),
            (#"{"a": {"$max": null}}"#, .whole, .invalidOperand), (#"{"a": {"$remove": {}}}"#, .whole, .invalidElements),
            (#"{"a": [{"$now": true}]}"#, .whole, .misplacedTransform), (#"{"a": {"$union": [{"$now": true}]}}"#, .whole, .misplacedTransform),
            (#"{"a": 1, "a.b": 2}"#, .paths, .overlappingPaths), (#"{"a.b": 1, "`a`.b": 2}"#, .paths, .overlappingPaths),
            (#"{"__name__": 1}"#, .paths, .fieldPath), (#"{"a..b": 1}"#, .paths, .fieldPath), (#"{"": 1}"#, .merge, .fieldPath),
        ] as [(String, NativeWrite.Form, NativeJSONError.Reason)])
    func `what cannot be a write is refused`(json: String, form: NativeWrite.Form, reason: NativeJSONError.Reason) {
        let error = #expect(throws: NativeJSONError.self) { try Self.read(json, form) }
        #expect(error?.reason == reason)
    }

    private static func named(_ paths: String...) -> NativeWrite.Form { .masked(paths.compactMap { FieldPath($0) }) }

    @Test func `a deletion removes its field alone`() throws {
        #expect(try Self.read(#"{"a.b": {"$delete": true}}"#, .paths).mask.map(\.description) == ["a.b"])
        #expect(try Self.read(#"{"a": {"b": {"$delete": true}, "c": 1}}"#, .merge).mask.map(\.description) == ["a.b", "a.c"])
        for (json, mask) in [
            (#"{"a": {"b": {"$delete": true}}}"#, "a.b"), (#"{"a": {"$delete": true}}"#, "a"), (#"{"a": {"$delete": true}}"#, "a.b"),
        ] {
            #expect(try Self.read(json, Self.named(mask)).mask.map(\.description) == [mask])
        }
        for (json, form) in [
            (#"{"a": {"b": {"$delete": true}}}"#, Self.named("a")), (#"{"a": {"b": {"c": {"$delete": true}}}}"#, Self.named("x", "a.b")),
        ] {
            let error = #expect(throws: NativeJSONError.self) { try Self.read(json, form) }
            #expect(error?.reason == .nestedDeletion)
        }
        // The mask does not name the map, so it is ignored.
        #expect(try Self.read(#"{"a": {"b": {"$delete": true}}, "c": 1}"#, Self.named("c")).mask.map(\.description) == ["c"])
    }

    @Test func `masks and transforms are bounded`() throws {
        func body(_ count: Int, _ value: String) -> String { "{" + (0..<count).map { "\"a\($0)\":\(value)" }.joined(separator: ",") + "}" }
        for form in [NativeWrite.Form.merge, .paths] {
            #expect(try Self.read(body(2_000, "1"), form).mask.count == 2_000)
            #expect(throws: NativeJSONError(reason: .tooManyNames, path: form == .merge ? ["a2000"] : [])) { try Self.read(body(2_001, "1"), form) }
        }
        #expect(try Self.read(body(500, #"{"$now":true}"#), .whole).transforms.count == 500)
        #expect(throws: NativeJSONError(reason: .tooManyTransforms, path: ["a500"])) { try Self.read(body(501, #"{"$now":true}"#), .whole) }
    }
}
