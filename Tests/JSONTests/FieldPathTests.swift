// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JSON

struct FieldPathTests {
    private static func value(_ path: [String], in text: String) -> String? {
        let bytes = Array(text.utf8)
        return JSONFieldPath(path).place(in: bytes.span).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test(
        arguments: [
            (["a"], #"{"a":1}"#, "1"), (["b"], #"{"a":[1,{"b":2}],"b":"x"}"#, #""x""#),
            (["m", "b"], #"{"b":0,"m":{"a":{},"b":[1,2]},"z":1}"#, "[1,2]"),
            (["a"], #"{"a":{"a":{"a":1}}}"#, #"{"a":{"a":1}}"#), (["a", "a", "a"], #"{"a":{"a":{"a":-1.5e3}}}"#, "-1.5e3"),
            ([#"a"b"#], #"{"a":1,"a\"b":2}"#, "2"), (["a\nb\u{1}"], #"{"a\nb\u0001":true}"#, "true"), (["é"], #"{"é":null}"#, "null"),
            ([""], #"{"":3}"#, "3"), (["b"], #"{"a":"}\",\\","b":"{"}"#, #""{""#), ([], #"{"a":1}"#, #"{"a":1}"#),
        ] as [([String], String, String)])
    func `the value of a path is found`(path: [String], text: String, value: String) {
        #expect(Self.value(path, in: text) == value)
    }

    @Test(
        arguments: [
            (["b"], #"{"a":1}"#), (["a"], #"{"b":{"a":1}}"#), (["a", "b"], #"{"a":"b"}"#), (["a", "b"], #"{"a":["b"]}"#), (["a"], "[]"),
            (["a"], "{}"),
            (["a"], ""), (["ab"], #"{"a":1,"abc":2}"#), (["e\u{301}"], #"{"é":1}"#), (["a"], #"{"a""#), (["a"], #"{"a":"#), (["a", "b"], #"{"a":{"#),
        ] as [([String], String)])
    func `other paths have no value`(path: [String], text: String) {
        #expect(Self.value(path, in: text) == nil)
    }

    @Test func `a place is that of a full parse`() throws {
        let names = ["a", "b", "\"", "\\", "aé", "{"]
        for _ in 0..<300 {
            var writer = JSONWriter()
            Self.object(&writer, names, depth: 3)
            let bytes = writer.bytes
            let tape = try JSONParser().withReader { try $0.parse(bytes) }
            var key = 1
            for _ in 0..<tape[0].children {
                let name = try #require(tape.text(tape[key]))
                let value = tape[key].next
                let place = JSONFieldPath([name]).place(in: bytes.span)
                #expect(place == tape.slice(value))
                key = tape[value].next
            }
        }
    }

    private static func object(_ writer: inout JSONWriter, _ names: [String], depth: Int) {
        writer.beginObject()
        for name in names.shuffled().prefix(Int.random(in: 0...names.count)) {
            writer.key(name)
            switch Int.random(in: depth > 0 ? 0...4 : 2...4) {
            case 0: object(&writer, names, depth: depth - 1)
            case 1:
                writer.beginArray()
                for name in names { writer.string(name) }
                writer.endArray()
            case 2: writer.integer(Int.random(in: -1_000...1_000))
            case 3: writer.string(String(repeating: names.randomElement() ?? "", count: Int.random(in: 0...80)))
            default: writer.null()
            }
        }
        writer.endObject()
    }
}
