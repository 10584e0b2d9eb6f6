// SPDX-License-Identifier: Apache-2.0

import CSimdJSON
import Glibc
import Testing

@testable import JSON

struct KeyScanTests {
    private static func find(_ text: String) -> String? {
        var scan = JSONKeyScan(Array(text.utf8))
        let places = scan.places(of: ["key"], in: scan.root)
        return scan.text(places[0])
    }

    @Test(arguments: [
        #"{"key":"a"}"#, #" { "x" : [1,{"key":"no"}] , "key" : "a" } "#, #"{"x":"\"key\":\"no\"","key":"a"}"#, #"{"x":"\\","key":"a"}"#,
        #"{"x":"\\\"","key":"a"}"#, #"{"x":{"y":"}"},"key":"a"}"#, #"{"x":[[[]]],"y":NaN,"z":-1.5e3,"key":"a"}"#, #"{"key":"a","key":"b"}"#,
        #"{"keys":"no","ke":"no","key":"a""#, #"{"x":true,"key":"a", and then nothing that is JSON"#,
    ])
    func `the first member of the outermost object is found`(text: String) {
        #expect(KeyScanTests.find(text) == "a")
    }

    @Test(arguments: [
        "", " ", "{", "[", #"["key"]"#, #"{"x":{"key":"no"}}"#, #"{"key":1}"#, #"{"key":null}"#, #"{"key":["a"]}"#, #"{"key":"a"#, #"{"key"}"#,
        #"{"key":}"#, #"{key:"a"}"#, #""key":"a""#, #"{"x":"key":"a"}"#, #"{"x":"unfinished,"key":"a"}"#, #"{"x":[,"key":"a"}"#,
    ])
    func `other values are not mistaken for the key`(text: String) {
        #expect(KeyScanTests.find(text) == nil)
    }

    @Test func `escapes are decoded, and an overlong text is ignored`() {
        #expect(KeyScanTests.find(#"{"key":"a\/b\u0041\n"}"#) == "a/bA\n")
        #expect(KeyScanTests.find(#"{"key":"\"#) == nil && KeyScanTests.find(#"{"key":"\u00"}"#) == nil)
        let name = String(repeating: "k", count: 255)
        #expect(KeyScanTests.find(#"{"key":"\#(name)"}"#) == name && KeyScanTests.find(#"{"key":"\#(name)kk"}"#) == nil)
    }

    @Test func `members beyond the step limit count as missing`() {
        let many = "{" + String(repeating: #""x":1,"#, count: 50) + #""key":"a"}"#
        for (steps, isFound) in [(50, false), (51, true)] {
            var scan = JSONKeyScan(Array(many.utf8), steps: steps)
            let place = scan.places(of: ["key"], in: scan.root)[0]
            #expect((place != nil) == isFound)
        }
        var list = JSONKeyScan(Array("[1,2,3]".utf8), steps: 2)
        var seen: [Int] = []
        let none: Int? = list.first(in: list.root) { _, place in
            seen.append(place)
            return nil
        }
        #expect(none == nil && seen == [1, 3])
    }

    /// Random documents, long enough that strings, escapes and brackets cross the 64-byte blocks of the scan.
    @Test func `the scan agrees with a full parse`() throws {
        var random = SystemRandomNumberGenerator()
        let parser = JSONParser()
        for _ in 0..<3_000 {
            var document = Document(random: Int.random(in: 0..<1 << 30, using: &random))
            let text = document.object(depth: 0)
            let bytes = Array(text.utf8)
            var scan = JSONKeyScan(bytes)
            let places = scan.places(of: ["a", "b", "key", "\u{e9}"], in: scan.root)
            let tape = try parser.withReader { reader throws(JSONError) in try reader.parse(bytes) }
            for (number, name) in ["a", "b", "key", "\u{e9}"].enumerated() {
                #expect(places[number] == tape.firstPlace(of: name), "\(text)")
            }
        }
    }

    @Test func `the scan reads only the document`() throws {
        let page = Int(getpagesize())
        let map = try #require(mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        defer { munmap(map, 2 * page) }
        #expect(mprotect(map + page, page, PROT_NONE) == 0)
        for text in [#"{"a":"#, #"{"a":""#, #"{"a":[[["#, #"{"a":1234"#, #"{"a":"\\"#, #"{"a"    "#, "{ ", #"{"a":"b","#] {
            for spaces in 0..<70 {
                let bytes = Array((text + String(repeating: " ", count: spaces)).utf8)
                let start = map + page - bytes.count
                start.copyMemory(from: bytes, byteCount: bytes.count)
                let input = UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
                var (member, count) = (sbj_member(), 0)
                member.next = 1
                while sbj_next_member(input.baseAddress, input.count, &member) != 0 {
                    count += 1
                    member.next = sbj_skip_value(input.baseAddress, member.value, input.count)
                }
                #expect(count <= 1)
            }
        }
    }
}

extension JSONTape {
    fileprivate func firstPlace(of name: String) -> Int? {
        var at = 1
        while at < self[0].next {
            if !self[at].escaped, text(self[at]) == name { return slice(self[at].next).lowerBound }
            at = self[self[at].next].next
        }
        return nil
    }
}

/// Writes a random document.
private struct Document {
    private var state: UInt64

    init(random: Int) {
        state = UInt64(random) &* 0x9e37_79b9_7f4a_7c15 | 1
    }

    private mutating func number(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    private mutating func space() -> String { String(repeating: [" ", "\n", "\t"][number(3)], count: number(8) == 0 ? number(80) : 0) }

    private mutating func string() -> String {
        let parts = ["a", "b", "key", "\u{e9}", "\\\"", "\\\\", "{", "}", "[", "]", ",", ":", "\\u0041", "\u{1F600}", " "]
        return "\"" + (0..<number(number(6) == 0 ? 90 : 4)).map { _ in parts[number(parts.count)] }.joined() + "\""
    }

    private mutating func value(depth: Int) -> String {
        switch number(depth > 4 ? 3 : 5) {
        case 0: ["1", "-2.5e7", "true", "null", "123456789012345678901234567890"][number(5)]
        case 1, 2: string()
        case 3: object(depth: depth + 1)
        default: "[" + space() + (0..<number(5)).map { _ in value(depth: depth + 1) + space() }.joined(separator: "," + space()) + "]"
        }
    }

    mutating func object(depth: Int) -> String {
        "{" + space()
            + (0..<number(9)).map { _ in
                (number(2) == 0 ? "\"" + ["a", "b", "key", "\u{e9}", "x"][number(5)] + "\"" : string()) + space() + ":" + space()
                    + value(depth: depth) + space()
            }.joined(separator: "," + space()) + "}"
    }
}
