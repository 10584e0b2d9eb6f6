// SPDX-License-Identifier: Apache-2.0

import Crashes
import JSON
import Platform
import TestSupport
import Testing

@testable import Symbols

/// Source maps and mappings of R8 as symbol files.
struct MappedFileTests {
    private static let id = "8a5e1f3c-0b7d-4c56-9d1f-2b6f0e7a9c34"
    private let other = DebugID(uuid: UUID128(high: 1, low: 2))

    private func inspect(_ text: String, for id: DebugID? = nil) throws(SymbolFileError) -> SymbolFile {
        try SymbolFile.inspect(bytes: Array(text.utf8), for: id)
    }

    @Test(arguments: [
        #"{"version":3,"debugId":"\#(id)","mappings":""}"#, #"{"debug_id":"\#(id)","mappings":"AAAA","version":3}"#,
        ")]}'\n" + #"{"version":3,"sections":[],"debugId":"\#(id)"}"#, " \n\t{ \"version\" : 3 ,\r\n\"debugId\":\"\(id)\",\"mappings\":\"\"}\n",
        #"{"version":3,"x":{"debugId":"no","mappings":1},"sources":["\"debugId\":\"no\"","{["],"debugId":"\#(id)","names":["}"],"mappings":""}"#,
        #"{"version":3,"debug_id":"00000000-0000-0000-0000-000000000009","debugId":"\#(id)","mappings":""}"#,
    ])
    func `a source map is recognised and its debug ID found`(text: String) throws {
        let file = try inspect(text)
        #expect(file.format == .sourceMap && file.objects.map(\.debugID.text) == [Self.id])
        #expect(try SourceMap(Array(text.utf8)).debugID?.text == Self.id)
        // The map's own ID decides.
        #expect(try inspect(text, for: other) == file)
    }

    @Test(arguments: [
        #"{"version":3,"mappings":""}"#, #"{"version":3,"debugId":"none","mappings":""}"#, #"{"version":3,"debugId":7,"sections":[{}]}"#,
    ])
    func `a map without an ID belongs to the one it is uploaded for`(text: String) throws {
        #expect(throws: SymbolFileError.withoutID(.sourceMap)) { try inspect(text) }
        #expect(try inspect(text, for: other).objects.map(\.debugID) == [other])
    }

    @Test(arguments: [
        ("{}      ", SymbolFileError.unknownFormat), (#"{"version":2,"mappings":""}"#, .unknownFormat),
        (#"{"version":3,"sources":[]}"#, .unknownFormat),
        (#"{"version":31,"mappings":""}"#, .unknownFormat), (#"{"a":{"version":3,"mappings":""}}"#, .unknownFormat),
        (#"{"version":3,"mappings":"#, .damaged("it is truncated")), (#"{"version":3,"mappings":""}]"#, .damaged("it has text behind its end")),
        (#"{"version":3,"mappings":[}}"#, .damaged("its brackets do not match")), ("        ", .unknownFormat), ("  [1,2,3]  ", .unknownFormat),
        (")]}'    ", .unknownFormat), ("{" + String(repeating: "[", count: 100), .unknownFormat), ("\n\n\n\n\n\n\n3{}", .unknownFormat),
    ])
    func `other JSON is rejected`(text: String, error: SymbolFileError) {
        #expect(throws: error) { try inspect(text, for: other) }
    }

    @Test func `a truncated map is rejected`() throws {
        let text = #"{"version":3,"debugId":"\#(Self.id)","sources":["a\\\""],"x":[{"y":[[]]}],"mappings":"AAAA;AACA"}"#
        for end in 0..<text.utf8.count { #expect(throws: SymbolFileError.self) { try inspect(String(text.prefix(end)), for: other) } }
        #expect(throws: Never.self) { try inspect(text) }
    }

    @Test(arguments: ["com.example.Cart -> a.b:\n", "# compiler: R8\n\n# pg_map_id: 1\ncom.example.Cart -> a.b:\n    int a -> a\n"])
    func `a mapping belongs to the ID that it is uploaded for`(text: String) throws {
        let file = try inspect(text, for: other)
        #expect(file.format == .classMapping && file.objects.map(\.debugID) == [other])
        #expect(throws: SymbolFileError.withoutID(.classMapping)) { try inspect(text) }
    }

    @Test(arguments: [
        "# compiler: R8\n", "com.example.Cart -> a.b\n", "    int a -> a\ncom.example.Cart -> a.b:\n", "a text of many words:\n", "-> a.b:\n\n",
        String(repeating: "#\n", count: 10_001) + "a -> b:\n", String(repeating: "x", count: 100_000),
    ])
    func `other texts are no mappings`(text: String) {
        #expect(throws: SymbolFileError.unknownFormat) { try inspect(text, for: other) }
    }
}

struct SourceLinesTests {
    private func lines(_ text: String, _ number: Int) -> [[String]] {
        let lines = SourceLines(Array(text.utf8)[...], around: number)
        return [lines.before, lines.line.map { [$0] } ?? [], lines.after]
    }

    @Test func `a line has five lines before and after it`() {
        let text = (1...20).map(String.init).joined(separator: "\n")
        #expect(lines(text, 10) == [["5", "6", "7", "8", "9"], ["10"], ["11", "12", "13", "14", "15"]])
        #expect(lines(text, 2) == [["1"], ["2"], ["3", "4", "5", "6", "7"]])
        #expect(lines(text, 20) == [["15", "16", "17", "18", "19"], ["20"], []])
        #expect(lines(text, 21)[1] == [] && lines(text, 99) == [[], [], []] && lines("", 1) == [[], [], []])
        #expect(lines("a\r\n\r\nb\n", 2) == [["a"], [""], ["b"]])
    }

    @Test func `a long line is cut between scalars`() {
        let text = String(repeating: "e\u{301}", count: 300)
        let line = lines(text, 1)[1][0]
        #expect(line.unicodeScalars.count == CrashLimits.contextCharacters && text.unicodeScalars.starts(with: line.unicodeScalars))
        #expect(lines(String(repeating: "€", count: 5_000), 1)[1][0].unicodeScalars.allSatisfy { $0 == "€" })
    }

    @Test(arguments: [
        ("webpack://shop/./src/cart.ts", "src/cart.ts"), ("webpack:///./src/cart.ts", "src/cart.ts"), ("../../src/cart.ts", "src/cart.ts"),
        ("/srv/cart.ts", "srv/cart.ts"), ("cart.ts", "cart.ts"), ("https://shop.example/cart.ts", "cart.ts"), ("webpack://", "webpack://"),
        ("././../", "././../"), ("a/../b.ts", "a/../b.ts"), ("", ""),
    ])
    func `a source has a short path`(source: String, path: String) {
        #expect(SourcePath.short(source) == path)
    }
}

/// The child process's answers, without the process.
struct MappedPlaceReaderTests {
    private let temporary = TemporaryFolder()

    private func file(_ name: String, _ text: String) throws -> String {
        let path = temporary.path + "/" + name
        try File(path, .create).write(Array(text.utf8))
        return path
    }

    @Test func `a place in a map has its source, name and lines`() throws {
        let text = #"{"version":3,"sources":["cart.ts"],"names":["pay"],"sourcesContent":["let a;\nfunction pay() {}\n"],"mappings":"AACSA"}"#
        let question = MappedQuestion.script(
            map: try file("map", text), code: try file("code", "function a(){}"), line: 1, column: 3, function: "a")
        var reader = MappedPlaceReader()
        let places = MappedAnswer(reader.result(question.json)).frames
        var expected = MappedPlace(file: "cart.ts", line: 2, column: 10, name: "pay")
        (expected.before, expected.text) = (["let a;"], "function pay() {}")
        #expect(places == [expected])
        #expect(try MappedQuestion(JSONValue(question.json)) == question)
    }

    @Test func `lines that are no questions have no frames`() throws {
        var reader = MappedPlaceReader()
        let map = try file("map", #"{"version":3,"sources":["cart.ts"],"names":[],"mappings":"AAAA"}"#)
        for line in ["", "{", "{}", "[]", #"{"map":"x"}"#, #"{"check":"\#(map)"}"#, #"{"check":"\#(map)","format":"none"}"#] {
            #expect(String(decoding: reader.result(Array(line.utf8)), as: UTF8.self) == #"{"frames":[]}"#)
        }
        for number in [0, -1, .max, .min] {
            let question = MappedQuestion.script(map: map, code: nil, line: number, column: number, function: nil)
            #expect(MappedAnswer(reader.result(question.json)) == MappedAnswer())
        }
    }

    @Test(arguments: [
        (#"{"version":3,"mappings":"ggggggggggg"}"#, SymbolFormat.sourceMap, "mapping"), (#"{"version":3,"mappings":"!"}"#, .sourceMap, "mapping"),
        (#"{"version":3}"#, .sourceMap, "mappings"), ("{", .sourceMap, "it "), ("", .sourceMap, "it "),
        ("com.example.Cart -> a.b\n", .classMapping, "it "),
    ])
    func `a damaged file is named, asked for a place or checked`(text: String, format: SymbolFormat, words: String) throws {
        let path = try file("file", text)
        var place = MappedQuestion.script(map: path, code: nil, line: 1, column: 1, function: nil)
        if format == .classMapping { place = .method(mapping: path, className: "a.b", method: "a", line: 1) }
        for question in [place, .check(file: path, format)] {
            // Asked twice, as a file's contents are kept.
            var reader = MappedPlaceReader()
            for _ in 0..<2 {
                let answer = MappedAnswer(reader.result(question.json))
                #expect(answer.frames.isEmpty && answer.damage?.contains(words) == true, "\(answer)")
            }
            #expect(try MappedQuestion(JSONValue(question.json)) == question)
        }
    }

    @Test func `readable files pass the check`() throws {
        var reader = MappedPlaceReader()
        let map = try file("map", #"{"version":3,"sources":[],"names":[],"mappings":""}"#)
        let mapping = try file("mapping", "com.example.Cart -> a.b:\n")
        for question in [MappedQuestion.check(file: map, .sourceMap), .check(file: mapping, .classMapping)] {
            #expect(MappedAnswer(reader.result(question.json)) == MappedAnswer())
        }
        #expect(MappedAnswer(reader.result(MappedQuestion.check(file: "/nowhere", .sourceMap).json)).damage == "it cannot be read")
    }

    @Test func `a file that the reader does not survive is damaged, and a reader that does not start proves nothing`() throws {
        let path = try file("map", #"{"version":3,"mappings":""}"#)
        // Its child echoes the probe and ends at any other line.
        let fragile = MappedPlaces(ReaderCommand("/bin/sh", ["-c", #"read -r line; [ "$line" = "{}" ] && echo "{}""#]), in: temporary.path)
        #expect(throws: SymbolFileError.damaged("reading it takes too much time or memory")) { try fragile.check(path, .sourceMap) }
        let dead = MappedPlaces(ReaderCommand("/bin/false"), in: temporary.path)
        #expect(throws: Never.self) { try dead.check(path, .sourceMap) }
        #expect(throws: Never.self) { try fragile.check(path, .elf) }
    }
}
