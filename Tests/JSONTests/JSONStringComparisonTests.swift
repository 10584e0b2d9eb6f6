// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@Suite struct JSONStringComparisonTests {
    /// JSON spellings of a part of a string, and its UTF-16 code units.
    static let parts: [(json: String, units: [UInt16])] = [
        ("a", [0x61]), (#"\u0061"#, [0x61]), ("A", [0x41]), (#"\u0041"#, [0x41]), ("/", [0x2f]), (#"\/"#, [0x2f]), (#"\n"#, [0x0a]),
        (#"\u000a"#, [0x0a]), (#"\u000A"#, [0x0a]), (#"\""#, [0x22]), (#"\\"#, [0x5c]), (#"\u005c"#, [0x5c]), ("u", [0x75]), ("é", [0xe9]),
        (#"\u00e9"#, [0xe9]), (#"\u00E9"#, [0xe9]), ("€", [0x20ac]), (#"\u20ac"#, [0x20ac]), ("😀", [0xd83d, 0xde00]),
        (#"\ud83d\ude00"#, [0xd83d, 0xde00]), (#"\uD83D"#, [0xd83d]), (#"\ude00"#, [0xde00]), (#"\u0000"#, [0]),
    ]

    static let literals: [StaticString] = [
        "", "a", "A", "aa", "aA", "aaa", "a/", "/", "\n", "\"", "\\", "\\u", "é", "éa", "€", "😀", "a😀", "😀a", "😀😀", "a\0", "\0",
    ]

    /// Every JSON string of up to three parts with its text; nil for unpaired surrogates.
    static let texts: [(json: String, text: String?)] = {
        var made: [(json: String, units: [UInt16])] = [("", [])]
        var last = made
        for _ in 0..<3 {
            last = last.flatMap { start in parts.map { (start.json + $0.json, start.units + $0.units) } }
            made += last
        }
        return made.map { ($0.json, String(validating: $0.units, as: UTF16.self)) }
    }()

    private static func tape(of texts: some Sequence<String>) throws -> JSONTape {
        try JSONTests.tape("[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]")
    }

    private static func isSame(_ one: String?, _ other: String) -> Bool {
        one.map { $0.unicodeScalars.elementsEqual(other.unicodeScalars) } ?? false
    }

    @Test func `a string equals a literal in any spelling`() throws {
        let tape = try Self.tape(of: Self.texts.map(\.json))
        var found = 0
        for (number, (json, text)) in Self.texts.enumerated() {
            for literal in Self.literals {
                let isEqual = tape.isText(tape[number + 1], literal)
                if isEqual { found += 1 }
                #expect(isEqual == Self.isSame(text, literal.description), "\(json) and \(literal)")
            }
        }
        #expect(found > 50)
    }

    @Test func `two strings are equal in any spelling`() throws {
        let texts = Self.texts.prefix(1 + Self.parts.count + 200)
        let tape = try Self.tape(of: texts.map(\.json))
        for (one, first) in texts.enumerated() {
            for (other, second) in texts.enumerated() {
                let isEqual = first.json == second.json || second.text.map { Self.isSame(first.text, $0) } ?? false
                #expect(tape.isSameText(tape[one + 1], tape[other + 1]) == isEqual, "\(first.json) and \(second.json)")
            }
        }
    }

    @Test func `lossy text replaces unpaired surrogates`() throws {
        let tape = try Self.tape(of: Self.texts.map(\.json))
        for (number, (json, text)) in Self.texts.enumerated() {
            #expect(tape.text(tape[number + 1]) == text, "\(json)")
            if let text { #expect(tape.lossyText(tape[number + 1]) == text, "\(json)") }
        }
        let broken = try Self.tape(of: [#"a\ud83db"#, #"\ude00\ud83d"#, #"\ud83d\ud83d\ude00"#, #"\ud83d\n"#])
        #expect((1...4).map { broken.lossyText(broken[$0]) } == ["a\u{fffd}b", "\u{fffd}\u{fffd}", "\u{fffd}😀", "\u{fffd}\n"])
        #expect((1...4).allSatisfy { broken.text(broken[$0]) == nil })
    }
}
