// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing
import TestSupport

@testable import Symbols

struct SourceMapTests {
    /// Mappings of `function a(b){throw b}` in line 1, and of a second line.
    private static let twoLines = mappings([[[0, 0, 0, 0], [9, 0, 0, 9, 0], [11, 0, 1, 2, 1]], [[4, 1, 6, 7]]])

    private func map(_ fields: String) throws -> SourceMap { try SourceMap(Array(#"{"version":3,\#(fields)}"#.utf8)) }

    private func location(_ source: String, _ index: Int, _ line: Int, _ column: Int, _ name: String? = nil, isIgnored: Bool = false)
        -> OriginalLocation
    {
        OriginalLocation(source: source, sourceIndex: index, line: line, column: column, name: name, isIgnored: isIgnored)
    }

    @Test func `a place has a source, a line, a column and a name`() throws {
        let map = try map(#""file":"a.js","sources":["cart.ts","pay.ts"],"names":["checkout","item"],"mappings":"\#(Self.twoLines)""#)
        #expect(map.file == "a.js" && map.debugID == nil && map.count == 4)
        #expect(map.location(line: 1, column: 1) == location("cart.ts", 0, 1, 1))
        #expect(map.location(line: 1, column: 9) == location("cart.ts", 0, 1, 1))
        #expect(map.location(line: 1, column: 10) == location("cart.ts", 0, 1, 10, "checkout"))
        #expect(map.location(line: 1, column: 4_711) == location("cart.ts", 0, 2, 3, "item"))
        #expect(map.location(line: 2, column: 5) == location("pay.ts", 1, 7, 8))
        // The line before does not continue.
        #expect(map.location(line: 2, column: 4) == nil)
        for (line, column) in [(0, 1), (3, 1), (1, 0), (-1, -1), (.max, .max)] { #expect(map.location(line: line, column: column) == nil) }
    }

    @Test func `sources have a root, contents, and marks of libraries`() throws {
        let map = try map(
            #""sources":["a.ts","/b.ts","webpack://c.ts",null],"sourceRoot":"src","sourcesContent":["let a\n",null,"\u00e9"],"names":[],"#
                + #""ignoreList":[1,9,-1,"x"],"mappings":"\#(mappings([[[0, 0, 0, 0], [1, 1, 0, 0], [2, 2, 0, 0], [3, 3, 0, 0], [4]]]))""#)
        #expect(map.location(line: 1, column: 1) == location("src/a.ts", 0, 1, 1))
        #expect(map.location(line: 1, column: 2) == location("/b.ts", 1, 1, 1, isIgnored: true))
        #expect(map.location(line: 1, column: 3) == location("webpack://c.ts", 2, 1, 1))
        // A source without a name, and a mapping to no source.
        #expect(map.location(line: 1, column: 4) == nil)
        #expect(map.location(line: 1, column: 5) == nil)
        #expect(map.content(ofSource: 0).map { Array($0) } == Array("let a\n".utf8))
        #expect(map.content(ofSource: 2).map { Array($0) } == Array("é".utf8))
        for index in [-1, 1, 3, 4] { #expect(map.content(ofSource: index) == nil) }
        #expect(try self.map(#""sources":["a"],"x_google_ignoreList":[0],"mappings":"AAAA""#).location(line: 1, column: 1)?.isIgnored == true)
    }

    @Test(arguments: ["debugId", "debug_id"]) func `a map has a debug ID`(name: String) throws {
        let id = "8a5e1f3c-0b7d-4c56-9d1f-2b6f0e7a9c34"
        #expect(try map(#""\#(name)":"\#(id)","mappings":"""#).debugID?.text == id)
        #expect(try map(#""\#(name)":"none","mappings":"""#).debugID == nil)
    }

    @Test func `an index map consists of sections`() throws {
        let one = #"{"version":3,"sources":["a"],"names":["x"],"mappings":"\#(mappings([[[0, 0, 0, 0, 0], [20, 0, 5, 0]], [[0, 0, 6, 0]]]))"}"#
        let two =
            #"{"version":3,"sources":["b"],"names":["y"],"sourceRoot":"r","ignoreList":[0],"mappings":"\#(mappings([[[2, 0, 0, 0, 0]], [[1, 0, 9, 0]]]))"}"#
        let map = try map(
            #""sections":[{"offset":{"line":0,"column":0},"map":\#(one)},{"offset":{"line":0,"column":10},"map":\#(two)},"#
                + #"{"offset":{"line":7,"column":0},"map":\#(one)}]"#)
        #expect(map.location(line: 1, column: 10) == location("a", 0, 1, 1, "x"))
        // The second section begins before its first mapping, and hides the rest of the first one.
        #expect(map.location(line: 1, column: 11) == nil)
        #expect(map.location(line: 1, column: 13) == location("r/b", 1, 1, 1, "y", isIgnored: true))
        #expect(map.location(line: 1, column: 30) == location("r/b", 1, 1, 1, "y", isIgnored: true))
        #expect(map.location(line: 2, column: 1) == nil)
        #expect(map.location(line: 2, column: 2) == location("r/b", 1, 10, 1, isIgnored: true))
        #expect(map.location(line: 8, column: 1) == location("a", 2, 1, 1, "x"))
        #expect(map.location(line: 9, column: 1) == location("a", 2, 7, 1))
    }

    @Test func `mappings out of order are sorted`() throws {
        let map = try map(#""sources":["a"],"mappings":"\#(mappings([[[9, 0, 9, 0], [3, 0, 3, 0], [9, 0, 8, 0], [5, 0, 5, 0]]]))""#)
        #expect((1...11).map { map.location(line: 1, column: $0)?.line } == [nil, nil, nil, 4, 4, 6, 6, 6, 6, 9, 9])
    }

    @Test func `lookups agree with a search of all mappings`() throws {
        var random = SeededGenerator(7)
        for _ in 0..<20 {
            let lines = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                (0..<Int.random(in: 0..<30, using: &random)).map { _ in
                    let segment = [Int.random(in: 0..<200, using: &random), 0, Int.random(in: 0..<100_000, using: &random), 3, 0]
                    return Array(segment.prefix([1, 4, 5].randomElement(using: &random) ?? 1))
                }
            }
            let map = try map(#""sources":["a"],"names":["n"],"mappings":"\#(mappings(lines))""#)
            for (line, segments) in lines.enumerated() {
                for column in 0..<200 {
                    let best: Int? = segments.map { $0[0] }.filter { $0 <= column }.max()
                    let expected: [Int] = segments.last { $0[0] == best } ?? []
                    let found = map.location(line: line + 1, column: column + 1)
                    let originalLine: Int? = expected.count > 1 ? expected[2] + 1 : nil
                    #expect(found?.line == originalLine)
                    #expect(found?.name == (expected.count == 5 ? "n" : nil))
                }
            }
        }
    }

    @Test func `a map that begins like no script is read`() throws {
        let json = #"{"version":3,"sources":["a"],"mappings":"\u0041AAA"}"#
        #expect(try SourceMap(Array((")]}'\n" + json).utf8)).location(line: 1, column: 1)?.source == "a")
        #expect(throws: SymbolFileError.self) { try SourceMap(Array(")]}'".utf8)) }
    }

    // MARK: Invalid maps

    @Test(arguments: [
        (#"[]"#, SymbolFileError.unknownFormat), (#"{}"#, .unknownFormat), (#"{"version":2,"mappings":""}"#, .unknownFormat),
        (#"{"version":3}"#, .damaged("it has no mappings")), (#"{"version":3,"mappings":7}"#, .damaged("it has no mappings")),
        (#"{"version":3,"mappings":"A-"}"#, .damaged("its mappings are not base64")),
        (#"{"version":3,"mappings":"g,A"}"#, .damaged("its mappings are not base64")),
        (#"{"version":3,"mappings":"g"}"#, .damaged("its mappings end in a number")),
        (#"{"version":3,"mappings":"gggggggA"}"#, .damaged("a number in its mappings is too large")),
        (#"{"version":3,"mappings":"AA"}"#, .damaged("a mapping has 2 numbers")),
        (#"{"version":3,"mappings":"AAA;"}"#, .damaged("a mapping has 3 numbers")),
        (#"{"version":3,"mappings":"AAAAAA"}"#, .damaged("a mapping has more than five numbers")),
        (#"{"version":3,"mappings":"\ud800"}"#, .damaged("its mappings are not base64")),
        (#"{"version":3,"sections":[{"offset":{"line":0,"column":0},"url":"a"}]}"#, .damaged("a section has no map")),
        (#"{"version":3,"sections":[7]}"#, .damaged("a section has no map")),
        (#"{"version":3,"sections":[{"map":{"sections":[]}}]}"#, .damaged("a section has sections")),
        (#"{"version":3,"sections":[{"map":{"mappings":""}},{"map":{"mappings":""}}]}"#, .damaged("its sections are out of order")),
        (#"{"version":3,"sections":[{"offset":{"line":99999999},"map":{"mappings":""}}]}"#, .damaged("it has too many lines")),
        (#"{"version":3,"#, .damaged("it ends unexpectedly at byte 13")),
    ]) func `an invalid map is rejected`(json: String, error: SymbolFileError) {
        #expect(throws: error) { try SourceMap(Array(json.utf8)) }
    }

    @Test func `mappings to places that do not exist are mappings to no source`() throws {
        let map = try map(
            #""sources":["a"],"names":["n"],"mappings":"\#(mappings([[[1, 0, 0, 0, 0], [2, 1, 0, 0], [3, -1, 0, 0], [4, 0, -1, 0], [5, 0, 0, -2], [6, 0, 0, 0, 9]]]))""#
        )
        #expect((1...7).map { map.location(line: 1, column: $0 + 1)?.column } == [1, nil, nil, nil, nil, 1, 1])
        #expect(map.location(line: 1, column: 7)?.name == nil)
        #expect(try self.map(#""sources":["a"],"mappings":"\#(mappings([[[-5, 0, 0, 0], [2, 0, 0, 0]]]))""#).count == 1)
    }

    @Test func `too many mappings are rejected`() throws {
        let most = String(repeating: "A,", count: SegmentTable.limit)
        #expect(try map(#""mappings":"\#(most)""#).count == SegmentTable.limit)
        #expect(throws: SymbolFileError.damaged("it has too many mappings")) { try map(#""mappings":"\#(most)A""#) }
        #expect(throws: SymbolFileError.damaged("it has too many lines")) {
            try map(#""mappings":"\#(String(repeating: ";", count: SegmentTable.lineLimit))""#)
        }
    }

    @Test func `a truncated map is rejected`() throws {
        let json = Array(#"{"version":3,"sources":["a"],"names":["n"],"mappings":"\#(Self.twoLines)"}"#.utf8)
        for end in json.indices { #expect(throws: SymbolFileError.self) { try SourceMap(Array(json[..<end])) } }
    }
}

/// Encodes mappings of absolute numbers by line.
func mappings(_ lines: [[[Int]]]) -> String {
    var last = [0, 0, 0, 0, 0]
    return lines.map { line in
        last[0] = 0
        return line.map { segment in
            segment.enumerated().map { index, value in
                defer { last[index] = value }
                return vlq(value - last[index])
            }.joined()
        }.joined(separator: ",")
    }.joined(separator: ";")
}

private func vlq(_ value: Int) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var rest = value < 0 ? -value << 1 | 1 : value << 1
    var out = ""
    repeat {
        out.append(digits[rest & 31 | (rest > 31 ? 32 : 0)])
        rest >>= 5
    } while rest > 0
    return out
}
