// SPDX-License-Identifier: Apache-2.0

import CSimdJSON
import JSON
import Testing

@Suite struct TapeTests {
    @Test func `a token has the layout of the C struct`() {
        #expect(MemoryLayout<JSONToken>.size == MemoryLayout<sbj_token>.size)
        #expect(MemoryLayout<JSONToken>.stride == MemoryLayout<sbj_token>.stride)
        var raw = sbj_token(offset: 1, count: 2, next: 3, kind: sbj_unsigned, escaped: 1, bits: 5)
        let token = withUnsafeBytes(of: &raw) { $0.loadUnaligned(as: JSONToken.self) }
        #expect(token.offset == 1 && token.count == 2 && token.next == 3)
        #expect(token.kind == .unsigned && token.escaped && token.children == 5)
    }

    @Test func `a document becomes tokens in order with their ends`() throws {
        let text = #"{"a":[1,{"b":null}],"c":"x\ny"}"#
        let tape = try tape(text)
        let kinds = (0..<tape.count).map { tape[$0].kind }
        #expect(kinds == [.object, .key, .array, .integer, .object, .key, .null, .key, .string])
        #expect((0..<tape.count).map { tape[$0].next } == [9, 2, 7, 4, 7, 6, 7, 8, 9])
        #expect(tape[0].children == 2 && tape[2].children == 2 && tape[4].children == 1)
        #expect(tape.text(tape[0]) == text)
        #expect(tape.text(tape[2]) == #"[1,{"b":null}]"#)
        #expect(tape.text(tape[8]) == "x\ny" && tape[8].escaped)
        #expect(String(decoding: tape.bytes[tape.slice(8)], as: UTF8.self) == #""x\ny""#)
        #expect(tape.isText(tape[1], "a") && !tape.isText(tape[1], "b") && !tape.isText(tape[1], "ab"))
    }

    @Test func `white space belongs to no token`() throws {
        let tape = try tape(" \r\n\t{ \"a\" : [ 12 , \"b\" ] , \"c\" : true }\n ")
        let texts = (0..<tape.count).map { tape.text(tape[$0]) }
        #expect(texts == ["{ \"a\" : [ 12 , \"b\" ] , \"c\" : true }", "a", "[ 12 , \"b\" ]", "12", "b", "c", "true"])
    }

    @Test func `duplicate keys are kept`() throws {
        let tape = try tape(#"{"a":1,"a":2}"#)
        #expect(tape[0].children == 2)
        #expect(tape.isText(tape[1], "a") && tape.isText(tape[3], "a"))
    }

    @Test(arguments: ["\"\"", "0", "true", "[]", "{}", " null "])
    func `a single value is a document`(text: String) throws {
        #expect(try tape(text).count == 1)
    }

    @Test func `a range is parsed with offsets of the whole`() throws {
        let bytes = Array("junk[1,\"é\"]junk".utf8)
        let tape = try tape(bytes, in: 4..<12)
        #expect(tape.slice(0) == 4..<12)
        #expect(tape.text(tape[2]) == "é")
    }

    @Test func `a reader works after a failure and reuses memory`() throws {
        try JSONParser().withReader { reader throws(JSONError) in
            for round in 0..<3 {
                let tape = try reader.parse(Array("[\(round),[]]".utf8))
                #expect(tape.count == 3 && tape[1].integer == Int64(round))
                reader.reuse(tape)
                #expect(throws: JSONError.self) { try reader.parse(Array("[".utf8)) }
            }
        }
    }

    @Test func `a retained tape is not overwritten`() throws {
        try JSONParser().withReader { reader throws(JSONError) in
            let first = try reader.parse(Array("[1]".utf8))
            reader.reuse(first)
            let second = try reader.parse(Array("[\"x\"]".utf8))
            #expect(first[1].kind == .integer && second[1].kind == .string)
        }
    }

    @Test func `one parser serves concurrent tasks`() async {
        let parser = JSONParser()
        let sums = await withTaskGroup(of: Int.self) { group in
            for n in 0..<16 {
                group.addTask {
                    let document = Array("[\(String(repeating: "\(n),", count: 999))\(n)]".utf8)
                    return (try? parser.withReader { reader throws(JSONError) in try reader.parse(document).count }) ?? 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sums == 16 * 1_001)
    }
}
