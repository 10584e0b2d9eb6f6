// SPDX-License-Identifier: Apache-2.0

import CSimdJSON
import Glibc
import JSON
import Platform
import TestSupport
import Testing

@Suite struct StrictnessTests {
    static let broken: [(String, JSONError.Reason, Int?)] = [
        ("", .empty, 0), ("  \n", .empty, nil), ("[", .unfinished, 1), ("{\"a\"", .unfinished, 4), ("{\"a\":", .unfinished, 5),
        ("[1,", .unfinished, 3), ("[1,]", .unexpected, 3), ("{\"a\":1,}", .unexpected, 7), ("{,}", .unexpected, 1), ("[,1]", .unexpected, 1),
        ("{\"a\" 1}", .unexpected, 5), ("{a:1}", .unexpected, 1), ("{1:1}", .unexpected, 1), ("[1 2]", .unexpected, 3), ("[1}", .unexpected, 2),
        ("{\"a\":1]", .unexpected, 6), ("]", .unexpected, 0), ("{\"a\":}", .unexpected, 5), ("[\"a\" \"b\"]", .unexpected, 5),
        ("{} {}", .trailingContent, 3), ("1 1", .trailingContent, 2), ("[]x", .trailingContent, 2), ("{}\0", .trailingContent, 2),
        ("NaN", .badLiteral, 0), ("[Infinity]", .badLiteral, 1), ("[-Infinity]", .badNumber, 1), ("[tru]", .badLiteral, 1),
        ("[True]", .badLiteral, 1), ("[nullx]", .badLiteral, 1), ("['a']", .badLiteral, 1), ("[true\"x\"]", .badLiteral, 1),
        ("[/*c*/1]", .badLiteral, 1), ("// c\n1", .badLiteral, 0), ("[1] # c", .trailingContent, 4), ("[\u{c}1]", .badLiteral, 1),
        ("[01]", .badNumber, 1), ("[-]", .badNumber, 1), ("[+1]", .badLiteral, 1), ("[.5]", .badLiteral, 1), ("[1.]", .badNumber, 1),
        ("[1e]", .badNumber, 1), ("[1e+]", .badNumber, 1), ("[0x10]", .badNumber, 1), ("[1_000]", .badNumber, 1), ("[1\"a\"]", .badNumber, 1),
        ("[--1]", .badNumber, 1), ("[1.2.3]", .badNumber, 1), ("[1\0]", .badNumber, 1), ("[-01]", .badNumber, 1),
        ("\"abc", .unclosedString, nil), ("[\"a\\\"]", .unclosedString, nil), ("\"a\nb\"", .controlCharacter, nil),
        ("\"\0\"", .controlCharacter, nil),
        (#"["\x"]"#, .badEscape, 2), (#"["ab\u12g4"]"#, .badEscape, 4), (#"["\u12"]"#, .badEscape, 2), (#"{"\q":1}"#, .badEscape, 2),
        ("\u{feff}{}", .byteOrderMark, 0),
    ]

    @Test(arguments: broken)
    func `invalid JSON is rejected with reason and position`(text: String, reason: JSONError.Reason, offset: Int?) {
        #expect(failure(text) == JSONError(reason: reason, offset: offset))
    }

    static let badUTF8: [([UInt8], Int)] = [
        ([0x22, 0xff, 0x22], 1), ([0x22, 0x61, 0xc3, 0x22], 2), ([0x22, 0xed, 0xa0, 0x80, 0x22], 1), ([0x22, 0xc0, 0xaf, 0x22], 1),
        ([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 1), ([0x5b, 0x80, 0x5d], 1),
    ]

    @Test(arguments: badUTF8)
    func `invalid UTF-8 is rejected with its position`(bytes: [UInt8], offset: Int) {
        #expect(failure(bytes) == JSONError(reason: .invalidUTF8, offset: offset))
    }

    @Test func `nesting is limited`() throws {
        func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(try tape(nested(512)).count == 512)
        #expect(failure(nested(513))?.explanation == "is nested more deeply than 512 levels at byte 512")
        #expect(failure(String(repeating: "{\"a\":", count: 513))?.reason == .tooDeep)
        #expect(try tape(nested(512), limits: JSONLimits(depth: 1_000)).count == 512)
        #expect(failure(nested(513), limits: JSONLimits(depth: 1_000))?.limit == 512)
        #expect(failure(nested(9), limits: JSONLimits(depth: 8))?.explanation == "is nested more deeply than 8 levels at byte 8")
        #expect(try tape("1", limits: JSONLimits(depth: 0)).count == 1)
    }

    @Test func `tokens are limited`() throws {
        #expect(try tape("[1,2,3]", limits: JSONLimits(tokens: 4)).count == 4)
        #expect(failure("[1,2,3]", limits: JSONLimits(tokens: 3)) == JSONError(.tooManyTokens, limit: 3, offset: 5))
        #expect(failure("[]", limits: JSONLimits(tokens: 0))?.reason == .tooManyTokens)
    }

    @Test func `members are limited`() throws {
        func object(_ members: Int) -> String { "{" + (0..<members).map { "\"k\($0)\":0" }.joined(separator: ",") + "}" }
        #expect(try tape(object(3), limits: JSONLimits(members: 3))[0].children == 3)
        let one = JSONError(.tooManyMembers, limit: 3, offset: 22)
        #expect(failure(object(4), limits: JSONLimits(members: 3)) == one)
        #expect(one.explanation == "has an object with more than 3 members at byte 22")
        // Each object has its own count, and arrays have none.
        #expect(try tape("[\(object(3)),\(object(3)),[1,2,3,4],{\"a\":\(object(3))}]", limits: JSONLimits(members: 3)).count > 20)
        #expect(failure("[{},\(object(4))]", limits: JSONLimits(members: 3))?.reason == .tooManyMembers)
        #expect(try tape(object(65_536))[0].children == 65_536)
        #expect(failure(object(65_537))?.limit == 65_536)
        #expect(failure("{\"a\":0}", limits: JSONLimits(members: 0))?.reason == .tooManyMembers)
    }

    @Test func `the step budget grows with the document`() throws {
        let tape = try tape("[0,1,2]", limits: JSONLimits(stepsPerToken: 5))
        #expect(tape.charge(10_000) && tape.charge(20) && tape.exceededSteps == nil && tape.stepsTaken == 10_020)
        #expect(!tape.charge(1) && tape.exceededSteps == 10_020)
        #expect(!tape.charge(0))
        let free = try JSONTests.tape("[0]")
        #expect(free.charge(.max / 2) && free.exceededSteps == nil)
    }

    @Test func `bytes are limited`() throws {
        #expect(try tape("[1,2]", limits: JSONLimits(bytes: 5)).count == 3)
        #expect(failure("[1,2]", limits: JSONLimits(bytes: 4)) == JSONError(.tooLarge, limit: 4))
    }

    @Test func `every failure has an explanation`() {
        let sentences = Set(JSONError.Reason.allCases.map { JSONError(reason: $0, offset: 7).explanation })
        #expect(sentences.count == JSONError.Reason.allCases.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(" at byte 7") })
    }

    static let sample =
        #"{"n":[0,-1,1.5e3,18446744073709551615,1e999],"s":"aé\u00e9\ud83d\ude00\n😀","o":{"t":true,"f":false,"z":null,"e":{},"a":[]}}"#

    @Test func `a truncated document is rejected`() {
        let bytes = Array(Self.sample.utf8)
        for length in 0..<bytes.count { #expect(failure(Array(bytes[..<length])) != nil, "cut at \(length)") }
        #expect(failure(bytes) == nil)
    }

    @Test func `tokens of corrupted documents stay inside`() throws {
        var random = SeededGenerator(1)
        let original = Array(Self.sample.utf8)
        let spice = Array(#"{}[],:"\ 019.-+eEtfnu"#.utf8) + [0x00, 0x0a, 0x0c, 0x80, 0xff, 0xed]
        var readable = 0
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                let byte = spice[Int.random(in: 0..<spice.count, using: &random)]
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[at] = byte
                case 1: bytes.insert(byte, at: at)
                default: bytes.remove(at: at)
                }
            }
            guard let tape = try? tape(bytes) else { continue }
            readable += 1
            for i in 0..<tape.count {
                #expect(tape[i].next > i && tape[i].next <= tape.count)
                #expect(tape.slice(i).upperBound <= bytes.count)
                _ = tape.text(tape[i])
            }
        }
        #expect(readable > 1_000)
    }

    @Test func `the parser reads only the document`() throws {
        let page = 4_096
        let map = try #require(mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        defer { munmap(map, 2 * page) }
        #expect(mprotect(map + page, page, PROT_NONE) == 0)
        let sample = Array(Self.sample.utf8)
        for padding in 0..<130 {
            let document = [UInt8](repeating: 0x20, count: padding) + sample
            let start = page - document.count
            (map + start).copyMemory(from: document, byteCount: document.count)
            #expect(tokensOnMap(map, start, page) == 22)
        }
    }

    private func tokensOnMap(_ map: UnsafeMutableRawPointer, _ start: Int, _ end: Int) -> Int {
        guard let parser = sbj_parser_create() else { return -1 }
        defer { sbj_parser_destroy(parser) }
        let bytes = map.assumingMemoryBound(to: UInt8.self)
        let scan = sbj_scan(parser, bytes, start, end)
        let tokens = UnsafeMutablePointer<sbj_token>.allocate(capacity: scan.count)
        defer { tokens.deallocate() }
        return sbj_build(parser, bytes, start, end, 32, 64, tokens, scan.count).count
    }
}
