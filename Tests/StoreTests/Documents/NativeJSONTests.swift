// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import SignalboxDocumentModel
import Testing

@testable import DocumentStore

@Suite struct NativeJSONTests {
    private static func read(_ json: String) throws -> DocumentFields {
        try JSONParser().withReader { reader in try NativeJSON(reader.parse(Array(json.utf8), limits: NativeJSON.limits)).fields() }
    }

    private static func written(_ fields: DocumentFields) -> String {
        String(decoding: BodyReader.body(fields), as: UTF8.self)
    }

    @Test(arguments: [
        #"{"a":1,"b":1.0,"c":-0.0,"d":1e+300,"e":-9223372036854775808,"f":9223372036854775807}"#,
        #"{"a":{"$double":"NaN"},"b":{"$double":"Infinity"},"c":{"$double":"-Infinity"}}"#,
        #"{"a":{"$time":"2026-11-23T10:00:00.000001Z"},"b":{"$time":"0001-01-01T00:00:00Z"},"c":{"$time":"1969-12-31T23:59:59.999999Z"}}"#,
        #"{"a":{"$bytes":"AAEC"},"b":{"$bytes":""},"c":{"$ref":"users/u1"},"d":{"$ref":"/projects/p/databases/d/documents/a/b"}}"#,
        #"{"a":{"$geo":[48.1,-11.5]},"b":{"$vector":[1.0,{"$double":"NaN"}]},"c":[],"d":{},"e":[null,true,"x"]}"#,
        #"{"$$$x":null,"$$time":{"$$":1},"é":"é"}"#,
    ])
    func `values are written as they were read`(json: String) throws {
        #expect(Self.written(try Self.read(json)) == json)
    }

    @Test(arguments: [
        #"{"a":0,"b":-7,"c":999999999999999999,"d":9223372036854775807,"e":-9223372036854775808,"f":1.5,"g":-0.0}"#,
        #"{"a":"","b":"x","c":"é\"\\\n","d":"\u0000","e":null,"f":true,"g":false,"h":[1,"x",[]],"i":{"a":{"b":1}}}"#,
        #"{"$$a":1,"a":{"$time":"2026-11-23T10:00:00.000001Z"},"b":{"$bytes":"AAEC"},"c":{"$ref":"users/u1"},"d":{"$geo":[48.1,-11.5]}}"#,
    ])
    func `a value is read from a body as from all fields`(json: String) throws {
        let (body, bodies) = (Array(json.utf8), BodyReader())
        for field in try bodies.fields(body).all {
            let found = JSONFieldPath([NativeJSON.name(of: field.name)]).place(in: body.span)
            let place = try #require(found)
            let value = try bodies.value(body.span.extracting(place))
            #expect(value == field.value)
        }
    }

    @Test(
        arguments: [
            (#"{"b":1,"a":{"$double":"2"}}"#, #"{"a":2.0,"b":1}"#),
            (#"{"a":{"$time":"2026-11-23T10:00:00.1234567+01:00"}}"#, #"{"a":{"$time":"2026-11-23T09:00:00.123456Z"}}"#),
            (#"{"a":{"$time":"2016-12-31T23:59:59.500000Z"}}"#, #"{"a":{"$time":"2016-12-31T23:59:59.500Z"}}"#),
            (#"{"a":{"$geo":[1,2]},"b":{"$vector":[1,2]},"c":1E2}"#, #"{"a":{"$geo":[1.0,2.0]},"b":{"$vector":[1.0,2.0]},"c":100.0}"#),
        ] as [(String, String)])
    func `other spellings get the one form`(json: String, form: String) throws {
        #expect(Self.written(try Self.read(json)) == form)
    }

    @Test(
        arguments: [
            ("[]", .notAnObject, []), (#"{"a":{"$time":"x"}}"#, .invalidTime, ["a"]), (#"{"a":{"$time":1}}"#, .invalidTime, ["a"]),
            (#"{"a":{"$tim":1}}"#, .unknownTag, ["a"]), (#"{"a":{"$time":"2026-11-23T10:00:00Z","b":1}}"#, .tagWithFields, ["a"]),
            (#"{"$a":1,"b":2}"#, .tagWithFields, []), (#"{"a":9223372036854775808}"#, .number, ["a"]), (#"{"a":[1,1e999]}"#, .number, ["a", "1"]),
            (#"{"a":1,"\u0061":2}"#, .repeatedField, []), (#"{"a":"\ud800"}"#, .unpairedSurrogate, ["a"]), (#"{"\udc00":1}"#, .unpairedSurrogate, []),
            (#"{"a":{"$bytes":"AA"}}"#, .invalidBytes, ["a"]), (#"{"a":{"$ref":"users"}}"#, .invalidReference, ["a"]),
            (#"{"a":{"$ref":"users/../x/y"}}"#, .invalidReference, ["a"]),
            (#"{"a":{"$ref":"/projects/p/databases/documents/a/b"}}"#, .invalidReference, ["a"]),
            (#"{"a":{"$geo":[91,0]}}"#, .invalidGeoPoint, ["a"]), (#"{"a":{"$geo":[1,"2"]}}"#, .invalidGeoPoint, ["a"]),
            (#"{"a":{"$double":"0x10"}}"#, .invalidDouble, ["a"]), (#"{"a":{"$double":"nan"}}"#, .invalidDouble, ["a"]),
            (#"{"a":{"$double":1}}"#, .invalidDouble, ["a"]), (#"{"a":{"$vector":["1"]}}"#, .invalidVector, ["a"]),
            (#"{"a":{"$geo":[1]}}"#, .invalidGeoPoint, ["a"]), (#"{"a":{"$time":"\ud800"}}"#, .unpairedSurrogate, ["a"]),
            (#"{"a":{"b":{"$now":true}}}"#, .misplacedTransform, ["a", "b"]),
        ] as [(String, NativeJSONError.Reason, [String])])
    func `impossible values are named with their place`(json: String, reason: NativeJSONError.Reason, path: [String]) {
        #expect(throws: NativeJSONError(reason: reason, path: path)) { try Self.read(json) }
    }

    @Test func `names that are canonically equal are two fields`() throws {
        let fields = try Self.read("{\"e\u{301}\":1,\"\u{e9}\":2}")
        #expect(fields.count == 2 && fields["e\u{301}"] == .integer(1) && fields["\u{e9}"] == .integer(2))
    }

    @Test func `a value nested as deeply as a document may be is read, a deeper one refused`() throws {
        let most = String(repeating: #"{"a":"#, count: 20) + #"[{"$vector":[1]}]"# + String(repeating: "}", count: 20)
        _ = try Self.read(most)
        let deep = String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40)
        #expect(throws: JSONError.self) { try Self.read(deep) }
    }
}
