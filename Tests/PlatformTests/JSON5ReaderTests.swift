// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

struct JSON5ReaderTests {
    private func read(_ text: String) throws(JSON5SyntaxError) -> JSON5Value {
        try JSON5Reader.read(Array(text.utf8))
    }

    private func error(_ text: String) throws -> JSON5SyntaxError {
        try #require(throws: JSON5SyntaxError.self) { try read(text) }
    }

    @Test(
        arguments: [
            ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("0", .number(0)), ("-0.5", .number(-0.5)), ("+7", .number(7)),
            (".25", .number(0.25)), ("5.", .number(5)), ("1e3", .number(1_000)), ("2.5E-1", .number(0.25)), ("0xfF", .number(255)),
            ("-0x10", .number(-16)),
            ("Infinity", .number(.infinity)), ("-Infinity", .number(-.infinity)), ("1e999", .number(.infinity)),
            ("9007199254740993", .number(9_007_199_254_740_992)),
            ("\"a\"", .string("a")), ("\"it's\"", .string("it's")),
            (#"'\'\"\\\b\f\n\r\t\v\0\x41\u00e9\ud83d\ude00\q'"#, .string("'\"\\\u{8}\u{c}\n\r\t\u{b}\0Aé😀q")),
            ("'one \\\ntwo \\\r\nthree'", .string("one two three")), ("'\u{2028}'", .string("\u{2028}")),
            ("[]", .array([])), ("{}", .object([])),
            ("/* a */ // b\n null // c", .null), ("\u{FEFF}\u{A0}null", .null),
        ] as [(String, JSON5Value.Kind)])
    func `a value is parsed`(text: String, kind: JSON5Value.Kind) throws {
        #expect(try read(text).kind == kind)
    }

    @Test func `NaN is a number`() throws {
        guard case .number(let number) = try read("-NaN").kind else { return #expect(Bool(false), "not a number") }
        #expect(number.isNaN)
    }

    @Test func `every key and value has its line and column`() throws {
        let text = "{\n  a: 1, 'ü': [true,\r\n    null,],\n\t$b: { },\n}\n"
        guard case .object(let members) = try read(text).kind else { return #expect(Bool(false), "not an object") }
        #expect(members.map(\.name) == ["a", "ü", "$b"])
        #expect(members.map(\.position) == [.init(line: 2, column: 3), .init(line: 2, column: 9), .init(line: 4, column: 2)])
        #expect(members.map(\.value.position) == [.init(line: 2, column: 6), .init(line: 2, column: 14), .init(line: 4, column: 6)])
        guard case .array(let elements) = members[1].value.kind else { return #expect(Bool(false), "not a list") }
        #expect(elements.map(\.position) == [.init(line: 2, column: 15), .init(line: 3, column: 5)])
    }

    @Test(arguments: [
        ("", 1, 1), ("  \n ", 2, 2), ("nul", 1, 1), ("{a 1}", 1, 4), ("{a: 1 b: 2}", 1, 7), ("{a: }", 1, 5), ("{,}", 1, 2), ("[1,,2]", 1, 4),
        ("[1 2]", 1, 4), ("{1: 2}", 1, 2), ("'open", 1, 1), ("'a\nb'", 1, 1), ("/* open", 1, 1), ("null null", 1, 6), ("'it'' ", 1, 5), ("010", 1, 1),
        ("1s", 1, 1),
        ("1.2.3", 1, 1), ("+", 1, 2), (".", 1, 2), ("1e", 1, 3), ("0x", 1, 3), ("'\\xg0'", 1, 4), ("'\\u12'", 1, 6), ("'\\1'", 1, 3),
        ("'\\ud800'", 1, 3), ("'\\udc00'", 1, 3), ("/ 1", 1, 1), ("{\n  a: 1,\n  b: ?\n}", 3, 6),
    ])
    func `a syntax error is reported at its position`(text: String, line: Int, column: Int) throws {
        #expect(try error(text).position == SourcePosition(line: line, column: column))
    }

    @Test func `nesting is limited`() throws {
        let deepest = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(throws: Never.self) { try read(deepest) }
        #expect(try error("[\(deepest)]").position == SourcePosition(line: 1, column: 33))
    }

    @Test func `a text above the size limit is rejected unparsed`() throws {
        let full = String(repeating: " ", count: JSON5Reader.maximumBytes - 1) + "1"
        #expect(try read(full).kind == .number(1))
        #expect(try error(full + " ").message.contains("larger"))
    }

    @Test func `invalid UTF-8 is rejected at its position`() throws {
        let error = try #require(throws: JSON5SyntaxError.self) { try JSON5Reader.read(Array("{\n a".utf8) + [0xff, 0x7d]) }
        #expect(error.position == SourcePosition(line: 2, column: 3))
    }

    @Test func `a truncated document is an error and never traps`() throws {
        let document = Array(#"{a: [1, -0x2, 'x\u0041\ud83d\ude00'], /* c */ "b": {c: +.5e-3}} // end"#.utf8)
        for length in 0..<63 {
            #expect(throws: JSON5SyntaxError.self) { try JSON5Reader.read(Array(document[..<length])) }
        }
        #expect(throws: Never.self) { try JSON5Reader.read(document) }
    }
}
