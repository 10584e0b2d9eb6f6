// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Symbols

struct BreakpadTests {
    private static let text = """
        MODULE Linux x86_64 7193BEE0742A21DB8CC905FCE5275ED00 Probe
        INFO CODE_ID E0BE93712A74DB218CC905FCE5275ED0E6D43D34
        FILE 0 /src/Probe.cpp
        FILE 7 /src/a file.h
        INLINE_ORIGIN 0 shop::price(int)
        INLINE_ORIGIN 1 shop::Cart::checkout(int)
        FUNC 1180 e 0 shop::Cart::checkout(int)
        INLINE 0 15 0 0 1180 9
        1180 2 11 7
        1182 7 11 0
        1189 5 15 0
        FUNC m 1190 d 0 entry
        INLINE 0 23 0 1 1190 2 1196 3
        INLINE 1 15 0 1190 2
        1190 9 11 7
        1199 4 23 0
        PUBLIC 1000 0 _start
        PUBLIC m 11a0 0 main
        STACK CFI INIT 1180 e .cfa: $rsp 8 +

        """

    private func index(_ text: String = text) throws -> BreakpadIndex { try BreakpadIndex(ByteSource(bytes: Array(text.utf8))) }

    @Test func `an address has a function and a line`() throws {
        #expect(try index().places(0x1189) == [SymbolLocation(function: "shop::Cart::checkout(int)", file: "/src/Probe.cpp", line: 15)])
        #expect(
            try index(BreakpadTests.text.replacing("\n", with: "\r\n")).places(0x1199)
                == [SymbolLocation(function: "entry", file: "/src/Probe.cpp", line: 23)])
    }

    @Test func `inlined functions are listed innermost first`() throws {
        #expect(
            try index().places(0x1182) == [
                SymbolLocation(function: "shop::price(int)", file: "/src/Probe.cpp", line: 11),
                SymbolLocation(function: "shop::Cart::checkout(int)", file: "/src/Probe.cpp", line: 15),
            ])
        // The inner call has the older form without a file.
        #expect(
            try index().places(0x1191) == [
                SymbolLocation(function: "shop::price(int)", file: "/src/a file.h", line: 11),
                SymbolLocation(function: "shop::Cart::checkout(int)", file: nil, line: 15),
                SymbolLocation(function: "entry", file: "/src/Probe.cpp", line: 23),
            ])
        #expect(try index().places(0x1197).map(\.function) == ["shop::Cart::checkout(int)", "entry"])
    }

    @Test func `public names are used where there is no function`() throws {
        #expect(try index().places(0x1050) == [SymbolLocation(function: "_start")])
        #expect(try index().places(0x11ff) == [SymbolLocation(function: "main")])
        // Between the end of a function and the next public name no function is known.
        #expect(try index().places(0x118e) == [])
        #expect(try index().places(0xfff) == [])
        #expect(try index().places(.max).map(\.function) == ["main"])
    }

    @Test func `records may be in any order`() throws {
        let functions = (0..<500).map { "FUNC \(String($0 * 16, radix: 16)) 10 0 f\($0)\n\(String($0 * 16, radix: 16)) 10 \($0 + 1) 0\n" }
        let index = try index("MODULE a b \(String(repeating: "0", count: 33)) c\n" + functions.shuffled().joined() + "FILE 0 late.c\n")
        for number in 0..<500 {
            #expect(try index.places(UInt64(number * 16 + 5)) == [SymbolLocation(function: "f\(number)", file: "late.c", line: number + 1)])
        }
    }

    @Test func `an overlong line is skipped`() throws {
        let long = String(repeating: "x", count: 3 << 20)
        let index = try index(BreakpadTests.text + "INFO \(long)\nPUBLIC 2000 0 \(long)\nFUNC 3000 10 0 last\n3000 10 5 0\n")
        #expect(try index.places(0x3001) == [SymbolLocation(function: "last", file: "/src/Probe.cpp", line: 5)])
        #expect(try index.places(0x2001).first?.function.count == 1 << 14)
    }

    // MARK: Invalid texts

    @Test func `a truncated text is read as far as possible`() throws {
        let bytes = Array(BreakpadTests.text.utf8)
        for end in bytes.indices {
            let index = try BreakpadIndex(ByteSource(bytes: Array(bytes[..<end])))
            for address: UInt64 in [0, 0x1185, 0x1191, 0x11a0, .max] { #expect(try index.places(address).count <= 3) }
        }
    }

    @Test func `records with invalid numbers are ignored`() throws {
        let index = try index(
            """
            FUNC ffffffffffffffff ffffffffffffffff 0 end
            FUNC 10 ffffffffffffffffffff 0 wide
            FUNC 20 -1 0 below
            FUNC
            FUNC 30
            PUBLIC zz 0 none
            FILE 99999999999999999999 far
            INLINE_ORIGIN x y
            INLINE_ORIGIN 8
            FUNC 40 10 0 honest
            INLINE 99999999 1 1 1 40 10
            INLINE 0 99999999999999999999 1 1 40 10
            INLINE 0 1 9 8 40 10
            40 10 9999999999999999999 9999999999999999999
            """)
        #expect(index.functions.count == 2 && index.publics.isEmpty)
        #expect(try index.places(0x45).map(\.function) == ["honest", "honest"])
        #expect(try index.places(.max).map(\.function) == ["end"])
    }

    @Test func `too many records are rejected`() throws {
        let source = ByteSource(bytes: Array("PUBLIC 0\nPUBLIC 1\nFUNC 2 1 0 a\n".utf8))
        #expect(try BreakpadIndex(source, functionLimit: 3).publics.count == 2)
        #expect(throws: SymbolFileError.damaged("it has too many records")) { try BreakpadIndex(source, functionLimit: 2) }
    }
}
