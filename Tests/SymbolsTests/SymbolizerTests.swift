// SPDX-License-Identifier: Apache-2.0

import Crashes
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Symbols

struct SymbolizerTests {
    private static let program = Symbolizer.program(in: "")

    private let symbolizer = Symbolizer(folder: Fixture.folder, program: program, demangler: nil, launcher: ProgramUnderTest.ingestd.path)

    /// `entry` with the inlined `checkout`, which has `price` inlined.
    private let inside = [
        SymbolLocation(function: "_ZN4shopL5priceEi", file: "/src/Probe.cpp", line: 11, column: 12),
        SymbolLocation(function: "_ZN4shop4Cart8checkoutEi", file: "/src/Probe.cpp", line: 15, column: 13),
        SymbolLocation(function: "entry", file: "/src/Probe.cpp", line: 23, column: 17),
    ]

    private func places(_ file: String, _ id: DebugID, _ offsets: UInt64..., with symbolizer: Symbolizer? = nil) throws -> [[SymbolLocation]] {
        try (symbolizer ?? self.symbolizer).places(offsets.map { SymbolLookup(file: file, debugID: id, offset: $0) })
    }

    @Test func `the symbolizer is found on this machine`() {
        #expect(SymbolizerTests.program != nil)
    }

    @Test func `a Mach-O address is relative to the preferred address`() throws {
        #expect(try places(Fixture.arm, Fixture.armID, 0x2c4) == [inside])
        #expect(try places(Fixture.intel, Fixture.intelID, 0x354) == [inside])
    }

    @Test func `an ELF address is relative to the preferred address`() throws {
        #expect(try places(Fixture.elf, Fixture.elfID, 0x1190) == [inside])
    }

    @Test func `the object of the build is selected in a fat file`() throws {
        let folder = TemporaryFolder()
        try Data(Fixture.fat()).write(to: URL(fileURLWithPath: folder.path + "/fat"))
        let symbolizer = Symbolizer(
            folder: folder.path, program: SymbolizerTests.program, demangler: nil, launcher: ProgramUnderTest.ingestd.path)
        #expect(try places("fat", Fixture.armID, 0x2c4, with: symbolizer) == [inside])
        #expect(try places("fat", Fixture.intelID, 0x354, with: symbolizer) == [inside])
        #expect(try places("fat", Fixture.elfID, 0x354, with: symbolizer) == [[]])
    }

    @Test func `unknown addresses have no place`() throws {
        #expect(try places(Fixture.arm, Fixture.armID, 0, 0x2c4, 0xffff_ffff, .max) == [[], inside, [], []])
        #expect(try places("nothing", Fixture.armID, 0x2c4) == [[]])
        #expect(try places("Probe.cpp", Fixture.armID, 0x2c4) == [[]])
    }

    @Test func `a lost program is restarted`() throws {
        #expect(try places(Fixture.arm, Fixture.armID, 0x2c4) == [inside])
        kill(try #require(symbolizer.process), SIGKILL)
        // At most one lookup is lost.
        #expect(try places(Fixture.arm, Fixture.armID, 0x2c4, 0x2c4).last == inside)
        symbolizer.rest()
        #expect(symbolizer.process == nil)
        #expect(try places(Fixture.arm, Fixture.armID, 0x2c4) == [inside])
    }

    @Test func `without the program DWARF waits and Breakpad does not`() throws {
        let folder = TemporaryFolder()
        let text = "MODULE Linux x86_64 7193BEE0742A21DB8CC905FCE5275ED00 Probe\nFUNC 10 10 0 entry\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/text"))
        try Data(Fixture.bytes(Fixture.arm)).write(to: URL(fileURLWithPath: folder.path + "/arm"))
        let symbolizer = Symbolizer(folder: folder.path, program: nil, demangler: nil)
        #expect(try places("text", Fixture.elfID, 0x11, with: symbolizer) == [[SymbolLocation(function: "entry")]])
        #expect(throws: SymbolizerError.noProgram) { try places("arm", Fixture.armID, 0x2c4, with: symbolizer) }
    }

    /// Its headers are valid, so it is accepted as a symbol file; its content is not.
    @Test func `invalid DWARF knows no addresses`() throws {
        let folder = TemporaryFolder()
        let symbolizer = Symbolizer(
            folder: folder.path, program: SymbolizerTests.program, demangler: nil, launcher: ProgramUnderTest.ingestd.path)
        let whole = try Fixture.bytes(Fixture.arm)
        var random = SystemRandomNumberGenerator()
        for number in 0..<20 {
            var bytes = whole
            for place in bytes.indices.dropFirst(4_096) where Int.random(in: 0..<8, using: &random) == 0 {
                bytes[place] = .random(in: 0...255, using: &random)
            }
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder.path)/\(number)"))
            #expect(try places("\(number)", Fixture.armID, 0x2c4, 0x2d4, with: symbolizer).count == 2)
        }
    }
}
