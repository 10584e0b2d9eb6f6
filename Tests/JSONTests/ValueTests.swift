// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@Suite struct ValueTests {
    static let numbers: [(String, JSONKind)] = [
        ("0", .integer), ("-0", .integer), ("-1", .integer), ("9223372036854775807", .integer), ("-9223372036854775808", .integer),
        ("9223372036854775808", .unsigned), ("18446744073709551615", .unsigned), ("18446744073709551616", .bigNumber),
        ("-9223372036854775809", .bigNumber), ("123456789012345678901234567890", .bigNumber), ("0.0", .double), ("1e3", .double),
        ("1.7976931348623157e308", .double), ("1e309", .bigNumber), ("-1e309", .bigNumber), ("1e999999999999", .bigNumber),
        ("5e-324", .double), ("0E0", .double), ("1.5E+2", .double),
    ]

    @Test(arguments: numbers)
    func `a number has the narrowest kind`(text: String, kind: JSONKind) throws {
        let token = try tape(text)[0]
        #expect(token.kind == kind && token.isNumber)
        #expect((token.integer == nil) == (kind != .integer))
        if kind == .bigNumber {
            #expect(token.double == nil)
        } else {
            #expect(token.double == Double(text))
        }
        if kind == .integer { #expect(token.integer == Int64(text)) }
    }

    static let texts: [(String, String?)] = [
        (#""""#, ""), (#""plain""#, "plain"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041\u00e9\u20ac""#, "Aé€"),
        (#""\ud83d\ude00!""#, "😀!"), (#""\uD83D\uDE00""#, "😀"), (#""\u0000""#, "\0"), (#""\ud83d""#, nil), (#""\ude00""#, nil),
        (#""\ud83dx""#, nil), (#""\ud83d\n""#, nil), (#""\ud83d\ud83d""#, nil), (#""\ude00\ud83d""#, nil), (#""ends in \\""#, "ends in \\"),
        (#""\uffff\ufffe""#, "\u{ffff}\u{fffe}"), (#""\udbff\udfff""#, "\u{10ffff}"), (#""\ud800\udc00""#, "\u{10000}"),
    ]

    @Test(arguments: texts)
    func `a string is unescaped unless it has an unpaired surrogate`(json: String, text: String?) throws {
        let tape = try tape(json)
        #expect(tape.text(tape[0]) == text)
        var out: [UInt8] = [1]
        #expect(tape.appendUnescaped(tape[0], to: &out) == (text != nil))
        #expect(out == [1] + Array((text ?? "").utf8))
    }

    @Test func `backslashes are found at every position`() throws {
        for before in 0..<20 {
            for after in 0..<20 {
                let plain = String(repeating: "a", count: before) + String(repeating: "b", count: after)
                #expect(try !tape("\"\(plain)\"")[0].escaped)
                let escaped = String(repeating: "a", count: before) + #"\""# + String(repeating: "b", count: after)
                #expect(try tape("\"\(escaped)\"")[0].escaped)
            }
        }
    }

    static let bodies: [(String, [String])] = [
        ("", []), ("\n\r\n \t\n", []), ("a", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("\n\na\n\n b \n", ["a", "b"]),
        ("a\r\n\r\n", ["a"]),
    ]

    @Test(arguments: bodies)
    func `lines are trimmed and blank ones skipped`(body: String, lines: [String]) {
        let bytes = Array(body.utf8)
        #expect(JSONLines(bytes).map { String(decoding: bytes[$0], as: UTF8.self) } == lines)
    }

    @Test func `the writer adds commas and escapes`() throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("a\"\\\n\u{1}")
        writer.beginArray()
        writer.integer(-1)
        writer.string("é\u{1f}\t")
        writer.string(Array("raw".utf8)[...])
        writer.bool(true)
        writer.null()
        writer.beginObject()
        writer.endObject()
        writer.raw(Array("[1,2]".utf8)[...])
        writer.endArray()
        writer.key("b")
        writer.integer(UInt64.max)
        writer.endObject()
        let text = #"{"a\"\\\n\u0001":[-1,"é\u001f\t","raw",true,null,{},[1,2]],"b":18446744073709551615}"#
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
        let read = try tape(writer.bytes)
        #expect(read.text(read[1]) == "a\"\\\n\u{1}")
    }

    static let decimals: [(Int64, String)] = [
        (0, "0"), (1, "0.000001"), (-1, "-0.000001"), (1_000_000, "1"), (9_990_000, "9.99"), (-1_500_000, "-1.5"),
        (.max, "9223372036854.775807"), (.min, "-9223372036854.775808"),
    ]

    @Test(arguments: decimals)
    func `millionths are written without trailing zeros`(value: Int64, text: String) {
        var writer = JSONWriter()
        writer.beginArray()
        writer.decimal(millionths: value)
        writer.decimal(millionths: value, quoted: true)
        writer.endArray()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[\(text),\"\(text)\"]")
    }
}
