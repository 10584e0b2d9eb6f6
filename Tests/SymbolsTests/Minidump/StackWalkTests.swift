// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing
import WrittenDumps

@testable import Symbols

/// Stacks of minidumps with and without unwind records.
@Suite struct StackWalkTests {
    private static let id: [UInt8] = Array(0xa0...0xaf)
    private static let start: UInt64 = 0x40_0000
    private static let stack: UInt64 = 0x7f_0000

    /// A frame as the tests compare it: `0x401020 fp`.
    private static func frames(_ report: CrashReport, thread: Int = 0) -> [String] {
        report.threads[thread].frames.reversed().map { "0x\(String($0.address ?? 0, radix: 16)) \($0.trust?.name ?? "")" }
    }

    private static func walk(
        _ processor: MinidumpWriter.Processor, on system: MinidumpWriter.System = .linux, _ registers: [String: UInt64], _ words: [UInt64],
        symbols: String? = nil
    ) throws -> [String] {
        var dump = MinidumpWriter(processor, system)
        let identity = system == .linux ? MinidumpWriter.elf(id) : MinidumpWriter.guid(id, age: 1, "shop.pdb")
        dump.add(module: "/app/shop", at: start, size: 0x1_0000, identity: identity)
        dump.add(thread: 1, registers, stackAt: stack, words: words)
        dump.crash(thread: 1, code: 11)
        let file = try symbols.map { try BreakpadFile(bytes: Array($0.utf8)) }
        return frames(try Minidump(dump.bytes).report { _ in file })
    }

    // MARK: Frame pointers

    @Test func `frame pointers lead to the outermost frame`() throws {
        #expect(
            try Self.walk(
                .amd64, ["rip": 0x40_1000, "rsp": Self.stack, "rbp": Self.stack + 16],
                [1, 2, Self.stack + 48, 0x40_2000, 3, 4, Self.stack + 64, 0x40_3000, 0, 0])
                == ["0x401000 context", "0x402000 fp", "0x403000 fp"])
        #expect(
            try Self.walk(
                .x86, ["eip": 0x40_1000, "esp": Self.stack, "ebp": Self.stack + 8], [1, 2, Self.stack + 20, 0x40_2000, 3, 0, 0x40_3000, 0])
                == ["0x401000 context", "0x402000 fp", "0x403000 fp"])
    }

    @Test func `on arm64 signatures are removed from return addresses`() throws {
        let signed: UInt64 = 0x00aa_0000_0000_0000
        #expect(
            try Self.walk(
                .arm64, ["pc": 0x40_1000, "sp": Self.stack, "fp": Self.stack + 16, "lr": 0x40_1004],
                [0, 0, Self.stack + 32, signed | 0x40_2000, 0, signed | 0x40_3000, 0, 0])
                == ["0x401000 context", "0x402000 fp", "0x403000 fp"])
    }

    @Test func `a frame pointer that leads down or in a circle ends the walk`() throws {
        for saved in [Self.stack, Self.stack + 16, Self.stack - 8, 0xffff_ffff_ffff_fff8, 3] {
            let frames = try Self.walk(
                .amd64, ["rip": 0x40_1000, "rsp": Self.stack, "rbp": Self.stack + 16], [1, 2, saved, 7, 3, 4, 5])
            #expect(frames == ["0x401000 context"], "\(saved)")
        }
    }

    // MARK: Search

    @Test func `without a frame pointer the stack is searched for addresses in binaries`() throws {
        #expect(
            try Self.walk(.amd64, ["rip": 0x40_1000, "rsp": Self.stack], [5, 0x99_0000, 0x40_2000, 6, 0x41_0000, 0x40_3000])
                == ["0x401000 context", "0x402000 scan", "0x403000 scan"])
    }

    @Test func `the search is bounded`() throws {
        let zeros = [UInt64](repeating: 0, count: 170)
        #expect(try Self.walk(.amd64, ["rip": 0x40_1000, "rsp": Self.stack], zeros + [0x40_2000]) == ["0x401000 context"])
        #expect(
            try Self.walk(.amd64, ["rip": 0x40_1000, "rsp": Self.stack], zeros.prefix(150) + [0x40_2000] + zeros.prefix(50) + [0x40_3000])
                == ["0x401000 context", "0x402000 scan"])
    }

    @Test func `with a symbol file only addresses in functions are found`() throws {
        let symbols = "MODULE Linux x86_64 A3A2A1A0A5A4A7A6A8A9AAABACADAEAF0 shop\nFUNC 2000 100 0 pay\nFUNC 3000 100 0 main\n"
        #expect(
            try Self.walk(.amd64, ["rip": 0x40_2000, "rsp": Self.stack], [0x40_1050, 0x40_2500, 0x40_3010, 0], symbols: symbols)
                == ["0x402000 context", "0x403010 scan"])
    }

    @Test func `only executable mappings are code if the dump lists them`() throws {
        var dump = MinidumpWriter(.amd64, .linux)
        dump.add(module: "/app/shop", at: Self.start, size: 0x1_0000)
        dump.add(thread: 1, ["rip": 0x40_1000, "rsp": Self.stack], stackAt: Self.stack, words: [0x40_8000, 0x40_2000])
        dump.add(stream: 0x4767_0009, Array("400000-404000 r-xp 0 fe:00 1 /app/shop\n404000-410000 rw-p 0 fe:00 1 /app/shop\n".utf8))
        dump.crash(thread: 1, code: 11)
        #expect(Self.frames(try Minidump(dump.bytes).report()) == ["0x401000 context", "0x402000 scan"])
    }

    // MARK: Unwind records

    private static let cfi = """
        MODULE Linux x86_64 A3A2A1A0A5A4A7A6A8A9AAABACADAEAF0 shop
        FUNC 1000 100 0 pay
        FUNC 2000 100 0 order
        STACK CFI INIT 1000 100 .cfa: $rsp 8 + .ra: .cfa 8 - ^
        STACK CFI 1001 .cfa: $rsp 24 + $rbx: .cfa 16 - ^
        STACK CFI 1080 .cfa: $rsp 400 +
        STACK CFI INIT 2000 100 .cfa: $rbx 8 + .ra: .cfa 8 - ^
        STACK CFI INIT 3000 100 .cfa: $rsp 8 + .ra: 0

        """

    @Test func `records find callers and their registers`() throws {
        #expect(
            try Self.walk(
                .amd64, ["rip": 0x40_1010, "rsp": Self.stack], [0x40_9999, Self.stack + 40, 0x40_2010, 0x40_9999, 0, 0x40_3010, 0x40_9999],
                symbols: Self.cfi)
                == ["0x401010 context", "0x402010 cfi", "0x403010 cfi"])
    }

    @Test func `the record of a return address is that of the call`() throws {
        // The call is the last instruction of `pay`, so the return address is in the next function.
        let symbols = Self.cfi.replacing("INIT 1000 100", with: "INIT 1000 80").replacing("STACK CFI INIT 2000 100", with: "STACK CFI INIT 1080 80")
        #expect(
            try Self.walk(
                .amd64, ["rip": 0x40_3050, "rsp": Self.stack], [0x40_1080, 1, 2, 0x40_3010],
                symbols: symbols.replacing(".ra: 0", with: ".ra: .cfa 8 - ^"))
                == ["0x403050 context", "0x401080 cfi", "0x403010 cfi"])
    }

    @Test(arguments: [
        "$rsp 8 + .ra: .cfa 8 - ^", ".cfa: $rsp 0 / .ra: 1", ".cfa: $rsp .ra: .cfa ^", ".cfa: $rsp 16 - .ra: .cfa ^", ".cfa: $nothing .ra: 4198416",
        ".cfa: ^ ^ ^ .ra: + + +", ".cfa: $rsp $rsp .ra: 1", ".cfa: $rsp 3 @ .ra: 1", ".cfa: 99999999999999999999999999 .ra: 1", ".ra: .cfa ^",
    ])
    func `records that make no sense are ignored`(rules: String) throws {
        let symbols = "MODULE Linux x86_64 A3A2A1A0A5A4A7A6A8A9AAABACADAEAF0 shop\nFUNC 1000 9000 0 f\nSTACK CFI INIT 1000 100 \(rules)\n"
        #expect(
            try Self.walk(.amd64, ["rip": 0x40_1010, "rsp": Self.stack], [7, 0x40_2010, 0], symbols: symbols)
                == ["0x401010 context", "0x402010 scan"])
    }

    @Test func `records of 32-bit Windows find callers`() throws {
        let symbols = """
            MODULE windows x86 A3A2A1A0A5A4A7A6A8A9AAABACADAEAF1 shop.pdb
            FUNC 1000 100 8 pay
            FUNC 2000 100 0 order
            STACK WIN 4 1000 100 5 0 8 4 c 0 1 $T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + =
            STACK WIN 0 2000 100 0 0 0 4 8 0 0 0

            """
        // `pay` has a frame pointer and 8 bytes of parameters, which it removes. `order` has 8 bytes of locals and 4 of saved registers.
        let words: [UInt64] = [1, Self.stack + 100, 0x40_2010, 11, 12, 21, 22, 23, 0x40_3010, 0, 0]
        #expect(
            try Self.walk(.x86, on: .windows, ["eip": 0x40_1010, "esp": Self.stack, "ebp": Self.stack + 4], words, symbols: symbols).prefix(3)
                == ["0x401010 context", "0x402010 cfi", "0x403010 cfi"])
    }

    @Test func `a function of arm64 that calls none returns to the link register`() throws {
        let symbols = "MODULE Linux arm64 A3A2A1A0A5A4A7A6A8A9AAABACADAEAF0 shop\nFUNC 1000 100 0 leaf\nFUNC 2000 100 0 order\n"
        #expect(
            try Self.walk(
                .arm64, ["pc": 0x40_1010, "sp": Self.stack, "fp": Self.stack, "lr": 0x40_2010], [0, 0x40_3010, 0, 0], symbols: symbols)
                == ["0x401010 context", "0x402010 fp", "0x403010 fp"])
    }

    // MARK: Limits

    @Test func `a deep stack keeps both ends`() throws {
        let depth = 100_000
        let words = (0..<depth).flatMap { place -> [UInt64] in [Self.stack + 16 * UInt64(place + 1), 0x40_0001 + UInt64(place % 0xff00)] } + [0, 0]
        let frames = try Self.walk(.amd64, ["rip": 0x40_1000, "rsp": Self.stack, "rbp": Self.stack], words)
        #expect(frames.count == CrashLimits.threadFrames && frames[0] == "0x401000 context" && frames[1] == "0x400001 fp")
    }

    @Test func `the crashed thread is kept and walked although there are many others`() throws {
        var dump = MinidumpWriter(.amd64, .linux)
        dump.add(module: "/app/shop", at: Self.start, size: 0x1_0000)
        let words = (0..<300).flatMap { place -> [UInt64] in [Self.stack + 16 * UInt64(place + 1), 0x40_2000] } + [0, 0]
        for id in 1...UInt32(CrashLimits.threads + 20) {
            dump.add(thread: id, ["rip": 0x40_1000, "rsp": Self.stack, "rbp": Self.stack], stackAt: Self.stack, words: words)
        }
        dump.crash(thread: UInt32(CrashLimits.threads + 10), code: 11)
        let report = try Minidump(dump.bytes).report()
        #expect(report.threads.count == CrashLimits.threads)
        #expect(report.threads.first { $0.crashed }?.frames.count == CrashLimits.threadFrames)
        #expect(report.threads.reduce(0) { $0 + $1.frames.count } <= 8_000)
    }

    @Test func `the registers of the exception take precedence over those of its thread`() throws {
        var dump = MinidumpWriter(.amd64, .linux)
        dump.add(module: "/app/shop", at: Self.start, size: 0x1_0000)
        dump.add(thread: 1, ["rip": 0x40_5000, "rsp": Self.stack], stackAt: Self.stack, words: [0])
        dump.crash(thread: 1, code: 11, registers: ["rip": 0x40_1000, "rsp": Self.stack])
        #expect(Self.frames(try Minidump(dump.bytes).report()) == ["0x401000 context"])
    }
}
