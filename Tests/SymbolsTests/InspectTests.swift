// SPDX-License-Identifier: Apache-2.0

import Crashes
import Symbols
import Testing

struct InspectTests {
    private let arm = "4c4c4414-5555-3144-a1e5-d672487d359b arm64 at 0x100000000, lines"
    private let intel = "4c4c44c2-5555-3144-a1f8-bf37c3720b9c x86_64 at 0x100000000, lines"

    @Test func `a Mach-O file has a UUID, an architecture and a preferred address`() throws {
        let file = try SymbolFile.inspect(Fixture.path(Fixture.arm))
        #expect(file.format == .machO)
        #expect(file.objects.map(summary) == [arm])
    }

    @Test(arguments: [false, true]) func `a fat file has an object per architecture`(wide: Bool) throws {
        #expect(try inspected(Fixture.fat(wide: wide)) == [arm, intel])
    }

    /// The expected ID comes from Sentry's own library.
    @Test func `an ELF build ID is swapped as in Breakpad`() throws {
        let file = try SymbolFile.inspect(Fixture.path(Fixture.elf))
        #expect(file.format == .elf)
        #expect(file.objects.map(summary) == ["7193bee0-742a-21db-8cc9-05fce5275ed0 x86_64 at 0x200000, lines, names"])
    }

    @Test func `the first line of Breakpad's text identifies it`() throws {
        let text = "MODULE Linux x86_64 7193BEE0742A21DB8CC905FCE5275ED00 a name with blanks\nFILE 0 a.cpp\n"
        let file = try SymbolFile.inspect(bytes: Array(text.utf8))
        #expect(file == (try SymbolFile.inspect(bytes: Array(text.replacing("\n", with: "\r\n").utf8))))
        #expect(file.format == .breakpad)
        #expect(file.objects.map(summary) == ["7193bee0-742a-21db-8cc9-05fce5275ed0 x86_64 at 0x0, lines"])
    }

    @Test func `architectures have Apple's names`() throws {
        #expect(try architecture(0x0100_000c, 0x8000_0002) == "arm64e")
        #expect(try architecture(12, 11) == "armv7s")
        #expect(try architecture(0x0100_0007, 8) == "x86_64h")
        #expect(try architecture(99, 0) == "cpu-99")
    }

    private func architecture(_ type: UInt32, _ subtype: UInt32) throws -> String {
        var bytes = try Fixture.bytes(Fixture.arm)
        for (place, word) in [(4, type), (8, subtype)] {
            for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: word >> (8 * UInt32(byte))) }
        }
        return try SymbolFile.inspect(bytes: bytes).objects[0].architecture
    }

    private func inspected(_ bytes: [UInt8]) throws -> [String] {
        try SymbolFile.inspect(bytes: bytes).objects.map(summary)
    }

    private func summary(_ object: SymbolObject) -> String {
        "\(object.debugID.text) \(object.architecture) at 0x\(String(object.preferredAddress, radix: 16))"
            + (object.hasDebugInfo ? ", lines" : "") + (object.hasSymbols ? ", names" : "")
    }
}
