// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@Suite struct TapeWriterTests {
    /// Checks that the written tape equals the tape of its parsed text.
    private func check(_ text: String, _ write: (inout TapeWriter) -> Void) throws {
        var writer = TapeWriter()
        write(&writer)
        let written = writer.tape()
        #expect(String(decoding: written.bytes, as: UTF8.self) == text)
        let read = try tape(written.bytes)
        #expect((0..<written.count).map { written[$0] } == (0..<read.count).map { read[$0] }, "\(text)")
    }

    @Test func `own values and names`() throws {
        try check(#"{"a":"x","b\n":["\"\\",-7,true,false,null],"c":{},"d":[]}"#) { json in
            json.beginObject()
            json.key("a")
            json.string("x")
            json.key(text: "b\n")
            json.beginArray()
            json.string("\"\\")
            json.integer(-7)
            json.bool(true)
            json.bool(false)
            json.null()
            json.endArray()
            json.key("c")
            json.beginObject()
            json.endObject()
            json.key("d")
            json.beginArray()
            json.endArray()
            json.endObject()
        }
    }

    @Test(arguments: [
        "1", "-0.5e3", "18446744073709551615", "1e999", #""""#, #""\u00e9\n""#, "true", "null", "[]", "{}", #"[ 1 , [ "a" , {"b" : [ ] } ] , 2 ]"#,
        #"{"a":{"b":{"c":[1,2,{"d":"é"}]}},"e\"":0}"#,
    ])
    func `values copied from other tapes`(value: String) throws {
        let other = try tape(#"{"before":[1,{"x":2}],"it":\#(value),"after":3}"#)
        let place = try #require((0..<other.count).first { other.isText(other[$0], "it") })
        let text = String(decoding: other.bytes[other.slice(other[place].next)], as: UTF8.self)
        try check(text) { $0.copy(other[place].next, of: other) }
        try check(#"[0,\#(text),{"it":\#(text),"z":\#(text)}]"#) { json in
            json.beginArray()
            json.integer(0)
            json.copy(other[place].next, of: other)
            json.beginObject()
            json.key(copying: place, of: other)
            json.copy(other[place].next, of: other)
            json.key("z")
            json.copy(other[place].next, of: other)
            json.endObject()
            json.endArray()
        }
    }

    @Test func `strings copied as names, numbers as texts`() throws {
        let other = try tape(#"["a\n", -12.50]"#)
        try check(#"{"a\n":"-12.50"}"#) { json in
            json.beginObject()
            json.key(copying: 1, of: other)
            json.string(copyingNumber: 2, of: other)
            json.endObject()
        }
    }

    @Test(arguments: [#"{"a":1,"b":[2,{"c":3}],"d":"x"}"#, #"{ "a" : 1 , "b" : [ 2 , { "c" : 3 } ] , "d" : "x" }"#])
    func `members copied as one piece`(object: String) throws {
        let other = try tape(object)
        let keys = [1, 3, other.count - 2]
        for (first, last) in [(0, 0), (0, 1), (1, 2), (0, 2)] {
            let (from, through) = (keys[first], keys[last])
            let bytes = other.bytes[other.slice(from).lowerBound..<other.slice(other[through].next).upperBound]
            let text = String(decoding: bytes, as: UTF8.self)
            try check(#"{"z":0,\#(text),"y":1}"#) { json in
                json.beginObject()
                json.key("z")
                json.integer(0)
                json.copyMembers(from: from, through: through, count: last - first + 1, of: other)
                json.key("y")
                json.integer(1)
                json.endObject()
            }
        }
    }

    @Test func `a complete array can be continued`() throws {
        try check(#"[[],1]"#) { json in
            json.beginArray()
            json.endArray()
            json.resumeArray()
            json.beginArray()
            json.endArray()
            json.endArray()
            json.resumeArray()
            json.integer(1)
            json.endArray()
        }
    }
}
